# SPDX-License-Identifier: BSD-3-Clause
#
# The machine's state beside every round: what a cache line's way between two CPUs and a copy take (limits/state.c).
# A round in which it was another than usual is left out of the medians, for all libraries alike.

import os
import pathlib
import statistics
import subprocess

import measure

HERE = pathlib.Path(__file__).resolve().parent

WITHIN = 1.3    # times the usual: what is beyond, up or down, is another state. Probes of a quiet machine stay within 1.15
LEAST_USUAL = 0.5   # the share of probes in the usual state below which there is none
NAMES = {"state: cache line": "line", "state: copy": "copy"}
TIMEOUT_S = 20


class Probe:
    """Runs the program that looks; keeps what it saw. Without the program (None) every round is as any other."""

    def __init__(self, command=None, environment=None):
        self.command, self.environment, self.seen = command, environment, []

    def look(self):
        """The place of what it saw in the list of all, or None."""
        if not self.command:
            return None
        out, _, reason = measure.execute(self.command, self.environment, TIMEOUT_S)
        found = {} if reason else parse(out)
        if set(found) != set(NAMES.values()):
            return None
        self.seen.append(found)
        return len(self.seen) - 1


def build(compiler, folder, cpus):
    """The probe for a machine of these CPUs; one CPU alone has no second one to reach."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "state"
    subprocess.run([*compiler, str(HERE / "limits/state.c"), "-o", str(program)], check=True)
    environment = dict(os.environ, BENCH_CPUS=",".join(map(str, cpus)))
    return Probe([str(program)], environment) if len(cpus) > 1 else Probe()


def parse(out):
    found = {}
    for line in out.splitlines():
        fields = line.split("\t")
        if len(fields) == 6 and fields[1] in NAMES:
            found[NAMES[fields[1]]] = float(fields[4])
    return found


def is_usual(probe, reference):
    return all(reference[name] / WITHIN <= probe[name] <= reference[name] * WITHIN for name in reference)


def usual(seen):
    """The median of each, of the probes that are near the one that most are near; of several such the fastest. A machine
    that is in one of two states half of the time has a median of all probes that is in neither."""
    if not seen:
        return {}
    groups = [[other for other in seen if is_usual(other, probe)] for probe in seen]
    found = max(groups, key=lambda group: (len(group), -statistics.median(probe["line"] for probe in group)))
    return {name: statistics.median(probe[name] for probe in found) for name in NAMES.values()}


def summary_of(seen):
    """The states alone, without figures."""
    reference = usual(seen)
    return {"usual": reference, "probes": len(seen), "unusual": sum(not is_usual(probe, reference) for probe in seen),
            "left_out": 0, "mixed": 0, "values": 0,
            "range": {name: (min(p[name] for p in seen), max(p[name] for p in seen)) for name in reference}}


def filtered(figures, seen):
    """What figures.results() says of the rounds in the usual state, and a summary of the states."""
    if not seen:
        return figures.values, {"probes": 0}
    reference = usual(seen)
    good = {place for place, probe in enumerate(seen) if is_usual(probe, reference)}
    steady = len(good) >= LEAST_USUAL * len(seen)
    kept, left_out, mixed = {}, 0, 0
    for key, values in figures.values.items():
        states = figures.states[key]
        same = [value for value, places in zip(values, states) if steady and all(place in good for place in places)]
        left_out += len(values) - len(same) if same else 0
        mixed += not same
        kept[key] = same or values
    summary = {**summary_of(seen), "left_out": left_out, "mixed": mixed, "values": sum(map(len, figures.values.values()))}
    return kept, summary


def text(summary):
    """One sentence for the head of a page; empty where nobody looked."""
    if not summary or not summary["probes"]:
        return ""
    line, copy = summary["usual"]["line"], summary["usual"]["copy"]
    low, high = summary["range"]["line"]
    fast, slow = summary["range"]["copy"]
    said = (f"beside every round a cache line took {line:.0f} ns between two CPUs ({low:.0f} to {high:.0f}) and a copy of 32 MiB by both "
            f"{copy / 1e6:.1f} ms ({fast / 1e6:.1f} to {slow / 1e6:.1f}). ")
    if summary["mixed"] == 0 and summary["left_out"] == 0:
        return said + (f"{summary['unusual']} of {summary['probes']} looks found another state" if summary["unusual"] else
                       "The machine was in one state throughout")
    said += f"{summary['left_out']} of {summary['values']} values are left out, measured while the machine was in another state"
    if summary["mixed"]:
        said += f". {summary['mixed']} figures have no round in the usual state, and count all of theirs"
    return said

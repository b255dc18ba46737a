# SPDX-License-Identifier: BSD-3-Clause
#
# The runner, for one round of two programs: its results are complete, every target that they can
# meet or miss is judged, and the page holds pictures and no reference to anything outside it. And
# the judgement itself, on figures made up. Arguments: the folder bench/, the build tree, a folder
# to work in.

import importlib.machinery
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True


LABELS = ["g, heap", "g, static", "g, oshcc --inline", "g static, oshcc --inline", "launch + init + finalize"]


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def result(what, pes, size, library, median):
    return {"what": what, "pes": pes, "bytes": size, "library": library, "unit": "ns", "median": median,
            "min": median, "max": median, "values": [median]}


def check_judgement(targets):
    report = {"machine": {"cpus": 2}, "libraries": ["Sheaf", "A", "B"], "peers": ["A", "B"], "results": [
        result("p", 2, 8, "Sheaf", 2.0), result("p", 2, 8, "A", 20.0), result("p", 2, 8, "B", 9.0),
        result("store behind a call", 1, 8, "limit", 1.9),
        result("broadcast", 2, 8, "Sheaf", 400.0), result("broadcast and two flags", 2, 8, "limit", 200.0),
        result("put with signal", 2, 8, "Sheaf", 119.0),
        result("ping-pong", 2, 8, "Sheaf", 100.0), result("ping-pong", 2, 8, "B", 120.0)]}
    rows = {row["label"]: row for row in targets.judge(report)}
    p = rows["p, heap"]
    check(p["peer"] == "B" and p["ahead"] == 4.5 and p["peer_met"] is False, "the best other library counts")
    check(p["limit_met"] is True, "2.0 is within 1.2 times 1.9")
    one = rows["broadcast of 1 longs + barrier"]
    check(one["peer_met"] is None and round(one["limit_value"]) == 230 and one["limit_met"] is False, "without a peer the limit counts")
    check(rows["put with signal, received"]["limit_met"] is True, "a limit that is Sheaf's own figure")
    check(rows["ping-pong, put + wait_until"]["peer_met"] is True, "1.2 times ahead, 1.15 wanted")
    check("barrier_all" not in rows, "what was not measured is not judged")


def check_states(measure, state):
    """A round in another state is left out, for everybody; what has no other round keeps its own."""
    figures, seen = measure.Figures(), [{"line": 56.0, "copy": 2e6} for _ in range(6)]
    seen[3] = {"line": 168.0, "copy": 2e6}
    for place in range(5):
        for name, value in (("A", 1.0), ("Sheaf", 2.0)):
            figures.note("put", 2, 8, name, value * (9 if place in (2, 3) else 1), "ns")
        figures.between(place, place + 1)
    figures.note("seldom", 2, 8, "A", 5.0, "ns")
    figures.between(3, 4)
    kept, summary = state.filtered(figures, seen)
    check(kept["put", 2, 8, "A"] == [1.0] * 3 and kept["put", 2, 8, "Sheaf"] == [2.0] * 3, f"kept {kept}")
    check(kept["seldom", 2, 8, "A"] == [5.0] and summary["mixed"] == 1, "nothing is lost")
    check(summary["left_out"] == 4 and summary["unusual"] == 1, f"summary {summary}")
    check("4 of 11 values are left out" in state.text(summary), state.text(summary))
    check(state.text(None) == "", "reports of when nobody looked")
    halves = [{"line": line, "copy": 2.0} for line in (200.0, 50.0, 52.0, 196.0, 199.0, 51.0)]
    check(state.usual(halves)["line"] == 51.0, "of two states as frequent the fastest is the usual one")
    kept, summary = state.filtered(figures, [])
    check(len(kept["put", 2, 8, "A"]) == 5 and state.text(summary) == "", "without a probe every round counts")


def check_noise(bench, choices, output):
    """What is measured on a busy machine is refused, and points that are noise are left out and counted."""
    import state
    quiet = importlib.machinery.SourceFileLoader("quiet", str(bench / "quiet")).load_module()
    check(quiet.reasons(0.0, state.Probe()) == [], "a quiet machine")
    check("50 % of the CPUs" in quiet.reasons(0.5, state.Probe())[0], "a busy one")
    changing = state.Probe()
    changing.seen = [{"line": line, "copy": 2e6} for line in (56, 168, 56, 168, 56, 168, 56)]
    check("changes its state" in quiet.reasons(0.0, changing)[0], "one of two states")
    output.mkdir(parents=True, exist_ok=True)
    data = output / "noise.tsv"
    data.write_text("# here\npes\toperation\talgorithm\tbytes\tmedian_ns\tmin_ns\tmax_ns\trounds\n"
                    "2\treduce\tlinear\t8\t100\t90\t500\t5\n2\treduce\ttree\t8\t95\t30\t500\t5\n")
    found = choices.Measurements(data)
    check(found.time == {"reduce": {2: {8: {"linear": 100.0}}}}, f"kept {found.time}")
    check("1 of 2 points are left out" in choices.report(found), "it says so")


def check_others():
    """What others take beside a run: not what a process of theirs took before it, though its parent learns of it only then."""
    import machine
    before = {1: (0, 0, 0), 2: (1, 3, 0), 10: (2, 5, 0), 11: (10, 59, 1), 20: (10, 1, 0), 30: (2, 2, 0)}
    after = {1: (0, 0, 99), 2: (1, 3, 50), 10: (2, 5.5, 60.25), 20: (10, 3, 7), 30: (2, 2, 0), 40: (30, 8, 0)}
    check(machine.others_took(before, after, 20) == 0.75, f"11 took 0.25 s, 10 half a second: {machine.others_took(before, after, 20)}")
    check(machine.others_took(before, before, 20) == 0, "nothing ran")


def main():
    bench, build, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    sys.path.insert(0, str(bench))
    import choices
    import measure
    import state
    import targets

    check_judgement(targets)
    check_states(measure, state)
    check_noise(bench, choices, output)
    check_others()
    environment = dict(os.environ, QUICK="1", ROUNDS="1", ONLY="^(g|launch)$", PEERS="")
    run = subprocess.run([bench / "run", build, output], capture_output=True, text=True, env=environment)
    check(run.returncode == 0, f"status {run.returncode}\n{run.stdout}{run.stderr}")
    report = json.loads((output / "results.json").read_text())
    mine = {r["what"]: r for r in report["results"] if r["library"] == "Sheaf"}
    check(set(mine) == {"g", "g static", "launch"}, f"measured {sorted(mine)}")
    check(all(r["min"] <= r["median"] <= r["max"] and r["min"] > 0 for r in mine.values()), "figures in order")
    check(report["state"]["probes"] >= 2 or os.cpu_count() < 2, "the machine was looked at")
    labels = [row["label"] for row in report["targets"]]
    check(labels == LABELS, f"judged {labels}")
    check(all(row["limit_met"] in (True, False) for row in report["targets"]), "each has a limit")
    page = (output / "index.html").read_text()
    check("<svg" in page and "http" not in page and "src=" not in page, "a page with pictures that needs nothing else")
    check("targets met" in (output / "table.txt").read_text(), "the table counts")
    print("ok")


if __name__ == "__main__":
    main()

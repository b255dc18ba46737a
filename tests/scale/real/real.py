# SPDX-License-Identifier: BSD-3-Clause
#
# Measures what the model is compared with, on hosts that are namespaces of this machine (tests/hosts), as root: real.c's starts
# and calls into ../measured.tsv, medians of rounds that take turns, and costs.c's times, which ../hosts.tsv has, to the screen.
# Arguments: the build folder, and optionally rounds (9). 2 minutes; nothing else should run.

import datetime
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "hosts"))
from hosts import Site  # noqa: E402
from launchers import Layout, launcher_of  # noqa: E402

JOBS = ((2, 1), (2, 2), (2, 4), (4, 4), (2, 8), (2, 32))  # nodes, and PEs of each
STARTS = {"hydra": "start, PMI-1", "openmpi": "start, PMIx"}
HEAD = """\
# Real runs that the model is compared with: hosts that are namespaces of one machine with two processors. Calls have a barrier behind
# each, but for the barrier; the start is from the launcher's to the last PE's end of shmem_init. Printed by real.py: medians of {} jobs each,
# {}, and the fastest and slowest job.
#
# call\tnodes\tPEs\tmicroseconds\tleast\tmost
"""


def run(launcher, layout, words):
    """The columns of the lines with tabs that it prints."""
    status, out = launcher.run(layout, [str(word) for word in words], timeout=30)
    if status != 0:
        print(f"{launcher.name}, {layout}: status {status}\n{out}", file=sys.stderr)
    return [line.split("\t") for line in out.splitlines() if "\t" in line]


def measure_round(launcher, program, found):
    for nodes, per_node in JOBS:
        only = ["start"] if launcher.name != "hydra" else []
        for call, *numbers in run(launcher, Layout([per_node] * nodes), [program, nodes, time.monotonic_ns(), *only]):
            key = (STARTS[launcher.name] if call == "start" else call, nodes, nodes * per_node)
            found.setdefault(key, []).append(float(numbers[2]))


def measure(build, rounds):
    """{(call, nodes, PEs): [microseconds]}, {cost: [nanoseconds]}"""
    found, costs = {}, {}
    os.environ.update(UCX_TLS="tcp,self", UCX_NET_DEVICES="eth0")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("real", "costs"):
            subprocess.run([f"{build}/bin/oshcc", "-O2", str(HERE / f"{name}.c"), "-o", f"{folder}/{name}"], check=True)
        with Site(max(nodes for nodes, _ in JOBS), None, [folder, build]) as site:
            with launcher_of("hydra", site) as hydra, launcher_of("openmpi", site) as openmpi:
                for _ in range(rounds):
                    for launcher in (hydra, openmpi):
                        measure_round(launcher, f"{folder}/real", found)
                    for name, value in run(hydra, Layout([2, 1]), [f"{folder}/costs", "h2"]):
                        costs.setdefault(name, []).append(float(value))
    return found, costs


def main():
    build = str(pathlib.Path(sys.argv[1]).resolve())
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    found, costs = measure(build, rounds)
    with open(HERE.parent / "measured.tsv", "w", encoding="utf-8") as out:
        out.write(HEAD.format(rounds, datetime.date.today()))
        for (call, nodes, pes), values in sorted(found.items()):
            out.write(f"{call}\t{nodes}\t{pes}\t{statistics.median(values):.3g}\t{min(values):.3g}\t{max(values):.3g}\n")
    for name, values in costs.items():
        print(f"{name}\t{statistics.median(values):.3g}")


if __name__ == "__main__":
    main()

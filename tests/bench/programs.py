# SPDX-License-Identifier: BSD-3-Clause
#
# Runs a benchmark for a moment and looks at what it says: each measurement that is expected is
# there once per size, on the number of PEs it ran on, and above zero (shares, stops, faults and memory may be zero).
# Nothing about times.
# Arguments: number of PEs, the measurements' names between bars (behind ~ one that not every processor has), the command.

import os
import subprocess
import sys


def sound(value, unit):
    return value > 0 or (value == 0 and unit in ("%", "KiB", "stops", "faults"))


def main():
    pes, expected, command = sys.argv[1], sys.argv[2].split("|"), sys.argv[3:]
    moment = {"BENCH_BATCH_US": "0", "BENCH_BATCHES": "1", "BENCH_SIZES": "few", "BENCH_CPUS": "",
              "BENCH_TRIPS": "1000", "TOUCH_MIB": "2", "TOUCH_TIMES": "1", "BENCH_COMPUTE_MS": "500"} # a busy machine takes a PE away for 100 and more
    run = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **moment))
    failures = [f"status {run.returncode}"] if run.returncode else []
    if run.stderr:
        failures.append("unexpected on standard error: " + run.stderr)
    seen = {}
    for line in run.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) != 6 or fields[0] != "bench" or fields[2] != pes or not sound(float(fields[4]), fields[5]):
            failures.append("not a measurement: " + line)
            continue
        if (fields[1], fields[3]) in seen:
            failures.append("twice: " + line)
        seen[fields[1], fields[3]] = True
    names = {name for name, _ in seen}
    failures += [f"no measurement of {name}" for name in expected if name not in names and name[0] != "~"]
    failures += [f"unknown measurement {name}" for name in names if name not in expected and f"~{name}" not in expected]
    print("\n".join(failures) or f"{len(seen)} measurements")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

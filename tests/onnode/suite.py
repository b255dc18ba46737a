# SPDX-License-Identifier: BSD-3-Clause
"""Runs the library's test programs with SHEAF_ONNODE=off: suite.py OSHRUN ENGINE PES PROGRAMS.

PROGRAMS is the list that CMake writes for tests/hosts, whose excluded.txt holds here too: what does not run
across hosts does not where every PE is far. Fails as a test on one machine does: by the exit status, or a
line of the library's.
"""
import fnmatch
import os
import re
import subprocess
import sys

OSHRUN, ENGINE, PES, PROGRAMS = sys.argv[1:5]
HOSTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hosts")
# Where a step takes a hundred times as long: seed and rounds; values of a type.
FEWER = {"stress/amo": "1 4", "stress/locks": "1 10", "stress/ordering": "1 10", "stress/rma": "1 10",
         "stress/collectives": "1 10", "typed/amo": "4"}


def patterns():
    with open(os.path.join(HOSTS, "excluded.txt"), encoding="utf-8") as file:
        return [line.split()[0] for line in file if line.strip() and line[0] != "#"]


def programs():
    excluded = patterns()
    with open(PROGRAMS, encoding="utf-8") as file:
        for line in file:
            name, least, most, timeout, *command = line.split()
            if int(least) <= int(PES) <= int(most) and not any(fnmatch.fnmatch(name, row) for row in excluded):
                yield name, str(4 * int(timeout)), command + FEWER.get(name, "").split()


def passes(name, timeout, command):
    environment = {**os.environ, "SHEAF_ONNODE": "off", "SHEAF_ENGINE": ENGINE}
    result = subprocess.run([OSHRUN, "--timeout", timeout, "-n", PES, *command], env=environment, text=True,
                            errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    good = result.returncode in (0, 77) and not re.search(r"^\S*\s*sheaf: ", result.stdout, re.MULTILINE)
    print(f"{name:45} {'passed' if good else 'FAILED ' + str(result.returncode)}", flush=True)
    if not good:
        print(result.stdout[-3000:], flush=True)
    return good


results = [passes(*program) for program in programs()]
print(f"{sum(results)} of {len(results)} programs passed over {ENGINE} on {PES} PEs")
sys.exit(0 if results and all(results) else 1)

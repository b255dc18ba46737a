# SPDX-License-Identifier: BSD-3-Clause
"""Runs the library's test programs across hosts, unchanged: one set of hosts, many programs.

The list of programs comes from CMake (sheaf_test). A program fails as it does on one machine: by
its exit status, by a line that begins with "sheaf:", by taking too long; and by leaving a process
on any host. Those that failed are named at the end, with what they printed.
"""
import argparse
import fnmatch
import os
import re
import sys
import time

import common
from hosts import Site, Unavailable
from launchers import LAUNCHERS, Layout, launcher_of

HERE = os.path.dirname(os.path.abspath(__file__))
EXCLUDED = os.path.join(HERE, "excluded.txt")


# A step of these takes a hundred times as long across hosts: fewer of them. Seed and rounds; values of a
# type.
FEWER = {"stress/amo": ("1", "4"), "stress/locks": ("1", "10"), "stress/ordering": ("1", "10"),
         "stress/rma": ("1", "10"), "stress/collectives": ("1", "10"), "typed/amo": ("4",)}
# Times the program's own limit, which is meant for one machine; more on one that is emulated.
PATIENCE = 4 * int(os.environ.get("TEST_PATIENCE", "1"))

# A connection that is gone within half a second of a start: seen in 2 of some 3,000 runs with UCX 1.13 on
# a busy machine, and not understood. Such a run is told, with UCX's reasons, and repeated; a second one
# fails.
LOST = re.compile(r"cannot be reached: message: Endpoint timeout \(UCX\)")


class Program:
    def __init__(self, line):
        name, least, most, timeout, *command = line.split()
        self.name, self.least, self.most = name, int(least), int(most)
        self.timeout, self.command = int(timeout) * PATIENCE, command

    def limit(self, arguments):
        """Gives it these arguments, or those that make it end in time."""
        self.command += arguments or FEWER.get(self.name, ())


def read_programs(path):
    with open(path, encoding="utf-8") as file:
        return [Program(line) for line in file if line.strip()]


def read_excluded():
    """[(pattern, reason)] of excluded.txt."""
    with open(EXCLUDED, encoding="utf-8") as file:
        lines = [line.split(None, 1) for line in file if line.strip() and line[0] != "#"]
    return [(pattern, reason.strip()) for pattern, reason in lines]


def choose(programs, excluded, options, pes):
    for pattern, _ in excluded:
        if not any(fnmatch.fnmatch(program.name, pattern) for program in programs):
            print(f"excluded.txt: no program is called {pattern}")
    return [program for program in programs
            if re.search(options.only, program.name)
            and not (options.without and re.search(options.without, program.name))
            and program.least <= pes <= program.most
            and not any(fnmatch.fnmatch(program.name, pattern) for pattern, _ in excluded)]


def judge(status, out, left):
    """Why a run failed, or None."""
    if status == 124:
        return "took too long"
    if left:
        return f"left processes: {left}"
    if status == 77 and "sheaf: " not in out:
        return None
    if status != 0:
        return f"exit status {status}"
    if re.search(r"^\S*\s*sheaf: ", out, re.MULTILINE):
        return "the library reported something"
    return None


def run(program, launcher, layout):
    """Its status, why it failed, or None, and what it printed."""
    status, out = launcher.run(layout, program.command, program.timeout)
    left = launcher.site.wait_until_clean(3)
    if left:
        launcher.site.kill_jobs()
    return status, judge(status, out, left), out


def run_all(programs, launcher, layout):
    """[(name, reason, output)] of those that failed."""
    failed = []
    for program in programs:
        began = time.monotonic()
        status, why, out = run(program, launcher, layout)
        if why and LOST.search(out):
            print(f"===== {program.name} has lost a connection, once more:\n{out[-6000:]}", flush=True)
            status, why, out = run(program, launcher, layout)
        word = "FAILED: " + why if why else "skipped" if status == 77 else "passed"
        print(f"{program.name:45} {time.monotonic() - began:6.2f} s  {word}", flush=True)
        if why:
            failed.append((program.name, why, out))
    return failed


def report(failed, total, launcher, layout):
    for name, why, out in failed:
        print(f"\n===== {name}: {why}\n{out[-6000:]}")
    print(f"\n{total - len(failed)} of {total} programs passed with {launcher.name} on {layout}")
    for name, why, _ in failed:
        print(f"failed: {name}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launcher", required=True, choices=sorted(LAUNCHERS))
    parser.add_argument("--pes", required=True, help="host by host: 1+3")
    parser.add_argument("--cyclic", action="store_true")
    parser.add_argument("--programs", required=True, help="the list that CMake wrote")
    parser.add_argument("--only", default=".", help="a regular expression")
    parser.add_argument("--without", help="likewise: left out")
    parser.add_argument("--arguments", default="", help="of each program, in place of its usual ones")
    options = parser.parse_args()
    common.need_hosts()

    os.environ.setdefault("UCX_LOG_LEVEL", "diag") # why a connection is gone
    layout = Layout([int(number) for number in options.pes.split("+")], options.cyclic)
    programs = choose(read_programs(options.programs), read_excluded(), options, layout.total)
    if not programs:
        sys.exit(f"no program is called {options.only}")
    for program in programs:
        program.limit(options.arguments.split())
    try:
        with Site(len(layout.pes), keep=[programs[0].command[0]]) as site, \
                launcher_of(options.launcher, site) as launcher:
            failed = run_all(programs, launcher, layout)
            report(failed, len(programs), launcher, layout)
    except Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(common.SKIPPED)
    sys.exit(1 if failed else 0)


main()

# SPDX-License-Identifier: BSD-3-Clause
"""Runs the steps of this virtual machine, and writes a line for each that the machine outside reads.

/run/machine/settings has set KIND, MACHINE, SOURCE, BUILD and TEST_PATIENCE.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests", "machines"))
from kind import load_kind  # noqa: E402

RESULTS = "/run/machine/results"
OUTPUT = "/run/machine/output"  # of the step under way: what is known if the machine is ended
KEPT = 6000  # characters of a failed step's output
SKIPPED = 77
PATIENCE = int(os.environ["TEST_PATIENCE"])


def stretch(command):
    """With PATIENCE times as long for what has a limit of its own: `timeout 60`, `--timeout 60`."""
    return re.sub(r"(timeout )(\d+)", lambda found: f"{found[1]}{int(found[2]) * PATIENCE}", command)


def run(step):
    """(exit status, output), within its time even where a process that it left keeps its output open."""
    if os.path.exists(OUTPUT):
        os.remove(OUTPUT)  # a process that an earlier step left may still write to that one
    with open(OUTPUT, "x+", encoding="utf-8", errors="replace") as out:
        process = subprocess.Popen(["/bin/bash", "-c", stretch(step.command)], stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(step.seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = 124
        out.seek(0)
        return status, out.read()


def count(out):
    """What a closing line of ctest, or "N of M", says: (passed, all); (0, 0) without one."""
    summary = re.findall(r"(\d+) tests? failed out of (\d+)", out)
    if summary:
        failed, total = map(int, summary[-1])
        return total - failed, total
    summary = re.findall(r"^(\d+) of (\d+) ", out, re.MULTILINE)
    return tuple(map(int, summary[-1])) if summary else (0, 0)


def report(step, status, out, seconds):
    passed, total = count(out)
    word = {0: "passed", SKIPPED: "skipped", 124: "took too long"}.get(status, "failed")
    record = {"step": step.name, "result": word, "status": status, "seconds": round(seconds, 1),
              "passed": passed, "total": total, "output": out[-KEPT:]}
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def main():
    machine = load_kind(os.environ["KIND"]).machine(os.environ["MACHINE"])
    for step in machine.steps:
        began = time.monotonic()
        status, out = run(step)
        report(step, status, out, time.monotonic() - began)


main()

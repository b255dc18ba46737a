# SPDX-License-Identifier: BSD-3-Clause
"""Runs the steps of this virtual machine, and writes a line for each that the machine outside reads.

/run/machine/settings has set KIND, MACHINE, SOURCE and BUILD.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests", "machines"))
from kind import load_kind  # noqa: E402

RESULTS = "/run/machine/results"
KEPT = 6000  # characters of a failed step's output
SKIPPED = 77


def run(step):
    """(exit status, output), within its time even where a process that it left keeps its output open."""
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(["/bin/bash", "-c", step.command], stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(step.seconds)
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

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Damaged snapshots, thousands of them: one clear line, nothing restored in part, no crash, no hang, no memory for what a
file claims to have. What was damaged is drawn from a seed, so that a case can be had again.

    fuzz.py restore|racing|buddy|dump|restart CASES [FIRST] with OSHRUN, RESTORER, ON_HOSTS, OSHDUMP, STEPS set"""
import contextlib
import io
import json
import os
import random
import re
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import damage

SECONDS = 30  # none takes more than some ms
LINE = re.compile(r"sheaf: [ -~]{20,700}\n")
SANITIZER = "detect_leaks=0:max_allocation_size_mb=300:quarantine_size_mb=16:" + os.environ.get("ASAN_OPTIONS", "")


class Ended(Exception):
    """The job is gone."""


class Job:
    """PEs that restore whenever they are told to."""

    def __init__(self, folder, tag="taken", command=None, **variables):
        self.top = folder
        self.said = folder / "said"
        self.said.write_text("")
        for name in "commands", "answers":
            if not (folder / name).exists():
                os.mkfifo(folder / name, 0o600)
        words = command or [os.environ["OSHRUN"], "-n", "2", "--heap", "1M"]
        self.process = subprocess.Popen([*words, os.environ["RESTORER"], folder / variables.pop("dir", ""), tag, folder / "commands",
                                         folder / "answers", self.said], stdout=open(folder / "out", "w"), stderr=subprocess.STDOUT,
                                        env={**os.environ, "ASAN_OPTIONS": SANITIZER, **variables})
        self.commands = os.open(folder / "commands", os.O_RDWR)
        self.answers = os.open(folder / "answers", os.O_RDWR)

    def do(self, command):
        """The result, the checksum of memory after it, and what was said."""
        os.write(self.commands, command.encode() + b"\n")
        answer, deadline = b"", time.monotonic() + SECONDS
        while not answer.endswith(b"\n"):
            if select.select([self.answers], [], [], 0.5)[0]:
                answer += os.read(self.answers, 100)
            elif self.process.poll() is not None:
                raise Ended(self.heard())
            elif time.monotonic() > deadline:
                self.process.kill()
                raise Ended("nothing happened for so long: " + self.heard())
        result, sum_of_memory = answer.decode().split()
        return int(result), sum_of_memory, self.heard()

    def heard(self):
        said = self.said.read_text(errors="backslashreplace")
        if said:
            os.truncate(self.said, 0)
        return said

    def out(self):
        return (self.top / "out").read_text(errors="replace")

    def end(self):
        """Closes its commands: it ends by itself."""
        os.close(self.commands)
        if self.process.poll() is None:
            with contextlib.suppress(OSError):  # of the one that has come to open it for reading alone
                os.close(os.open(self.top / "commands", os.O_WRONLY | os.O_NONBLOCK))
        status = self.process.wait(SECONDS)
        os.close(self.answers)
        return status


def fail(what, *said):
    sys.exit("\n".join(("failed: " + what, *map(str, said))))


class Restoring:
    """A snapshot, what memory has after a restore, and what it has now."""

    def __init__(self, top, tag="taken", **variables):
        self.top, self.tag, self.variables = top, tag, variables
        self.job = self.start()
        for _ in range(3):
            _, self.wanted, _ = self.job.do("f")
            result, _, said = self.job.do("s")
            if result != 0 or said:
                fail("a snapshot", said, self.job.out())
        self.folders = self.look()
        _, self.now, _ = self.job.do("f")

    def start(self):
        return Job(self.top, self.tag, **self.variables)

    def look(self):
        return [damage.Folder(self.top / self.tag)]

    def again(self):
        """From the good files: a forged snapshot may have left anything."""
        for folder in self.folders:
            folder.mend()
        try:
            result, after, _ = self.job.do("r")
            if result == 0 and after == self.wanted:
                self.now = self.job.do("f")[1]
                return
        except Ended:
            pass
        self.job.process.kill()
        self.job.end()
        self.job = self.start()
        self.now = self.job.do("f")[1]

    def judge(self, case, what, fits):
        try:
            result, after, said = self.job.do("r")
        except Ended as ended:
            fail(f"case {case}, {what}: the job has ended", ended, self.job.out())
        if result == 0:
            if said:
                fail(f"case {case}, {what}: restored, with words", said)
            if not fits and after != self.wanted:
                fail(f"case {case}, {what}: restored, and not what was saved")
            return True
        if not LINE.fullmatch(said) or "no memory" in said:
            fail(f"case {case}, {what}: result {result}, expected one clear line", repr(said))
        if after != self.now:
            fail(f"case {case}, {what}: memory has changed, {after} after {self.now}, {self.wanted} was saved", said)
        return False


def each_case(cases, first):
    for case in range(first, first + cases):
        yield case, random.Random(case)


def restore(top, cases, first):
    """Each sixteenth is on another snapshot: plain files that add to others, or compressed ones."""
    accepted = 0
    for number, (compress, share) in enumerate((("none", 2), ("zstd", 1))):
        here = top / compress
        here.mkdir()
        restoring = Restoring(here, SHEAF_SNAPSHOT_COMPRESS=compress)
        folder = restoring.folders[0]
        if len(folder.states) < 6:
            fail("three files of each PE are expected", folder.names)
        for case, rng in each_case(cases * share // 3, first + number * cases):
            what, fits = folder.damage(rng)
            if restoring.judge(case, what, fits):
                accepted += 1
                restoring.again()
            folder.mend()
        restoring.job.end()
    print(f"{cases} cases, {accepted} of which are no damage")


def main():
    part, cases, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="survive-fuzz-", dir=shared) as name:
        {"restore": restore}[part](Path(name), cases, first)


main()

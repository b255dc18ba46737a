#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Damaged snapshots, thousands of them: one clear line, nothing restored in part, no crash, no hang, no memory for what a
file claims to have. What was damaged is drawn from a seed, so that a case can be had again.

    fuzz.py restore|racing|buddy|dump|restart CASES [FIRST] with OSHRUN, RESTORER, ON_HOSTS, OSHDUMP, STEPS set"""
import collections
import contextlib
import io
import os
import random
import re
import resource
import select
import shutil
import signal
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
        words += [os.environ["RESTORER"], folder / variables.pop("dir", ""), tag, folder / "commands", folder / "answers", self.said]
        with open(folder / "out", "w") as out:
            self.process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
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
                self.kill()
                raise Ended(f"nothing has happened for {SECONDS} s: " + self.heard())
        result, sum_of_memory = answer.decode().split()
        return int(result), sum_of_memory, self.heard()

    def heard(self):
        said = self.said.read_text(errors="backslashreplace")
        if said:
            os.truncate(self.said, 0)
        return said

    def out(self):
        return (self.top / "out").read_text(errors="replace")

    def kill(self):
        """With what it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self):
        """Closes its commands: it ends by itself, unless it is gone."""
        os.close(self.commands)
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
        self.job.kill()
        self.job.end()
        self.job = self.start()
        self.now = self.job.do("f")[1]

    def judge(self, case, what, fits, most_lines=1):
        """Whether it was restored."""
        try:
            result, after, said = self.job.do("r")
        except Ended as ended:
            fail(f"case {case}, {what}: the job has ended", ended, self.job.out())
        if result == 0:
            if len(LINE.findall(said)) != said.count("\n") or said.count("\n") >= most_lines:
                fail(f"case {case}, {what}: restored, with words", said)
            if not fits and after != self.wanted:
                fail(f"case {case}, {what}: restored, and not what was saved")
            return True
        if not 0 < len(LINE.findall(said)) == said.count("\n") <= most_lines or "no memory" in said:
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


def racing(top, cases, first):
    """Files change in their places while they are read: a job may end of it, by one line, before it goes on with half."""
    restoring = Restoring(top)
    folder, counts = restoring.folders[0], collections.Counter()
    for case, rng in each_case(cases, first):
        name = rng.choice(folder.names)
        racer = os.fork()
        if racer == 0:
            race(folder.path / name, folder.files[name], rng)
        try:
            result, after, said = restoring.job.do("r")
            if result == 0 and after != restoring.wanted or result != 0 and after != restoring.now:
                fail(f"case {case}, {name} changes: result {result}, and other memory", said)
            counts["restored" if result == 0 else "refused"] += 1
        except Ended as ended:
            if not re.fullmatch(r"sheaf: [ -~]*changed while it was read, and is restored in part: [ -~]+\n", str(ended)):
                fail(f"case {case}, {name} changes: the job ended otherwise", ended, restoring.job.out())
            counts["ended"] += 1
            result = 0
        finally:
            os.kill(racer, signal.SIGKILL)
            os.waitpid(racer, 0)
        folder.mend()
        if result == 0:
            restoring.again()
    restoring.job.kill()
    print(f"{cases} restores of changing files: {dict(counts)}")


def race(path, data, rng):
    """Until it is killed."""
    while True:
        with open(path, "r+b") as file:
            way = rng.randrange(3)
            if way == 0:
                file.truncate(rng.randrange(len(data)))
            elif way == 1:
                file.seek(rng.randrange(len(data)))
                file.write(rng.randbytes(rng.choice((1, 100, 10000))))
            file.flush()
            time.sleep(rng.uniform(0, 0.003))
            file.seek(0)
            file.write(data)
            file.truncate()
        time.sleep(rng.uniform(0, 0.003))


class OnHosts(Restoring):
    """Two hosts, each with a folder of all files."""

    def start(self):
        return Job(self.top, command=[sys.executable, os.environ["ON_HOSTS"], "aab"], dir="%h", SHEAF_BUDDY="1",
                   SHMEM_SYMMETRIC_SIZE="1M")

    def look(self):
        return [damage.Folder(self.top / f"host-{host}" / "taken") for host in "ab"]


def buddy(top, cases, first):
    """Damage on one host is mended from the other one; on both it is refused, or what is whole is found."""
    for host in "ab":
        (top / f"host-{host}").mkdir()
    try:
        restoring = OnHosts(top)
    except Ended as ended:
        print((top / "out").read_text() or ended)
        sys.exit(77 if "skipped" in (top / "out").read_text() else 1)
    counts = collections.Counter()
    for case, rng in each_case(cases, first):
        damaged = [rng.choice(restoring.folders)] if rng.random() < 0.7 else restoring.folders
        done = [folder.damage(rng) for folder in damaged]
        what, fits = "; ".join(what for what, _ in done), any(fits for _, fits in done)
        restored = restoring.judge(case, what, fits, 3)
        if not restored and not fits and len(damaged) == 1:
            fail(f"case {case}, {what} in {damaged[0].path}: the other host's files are whole")
        counts["restored" if restored else "refused"] += 1
        if restored:
            restoring.again()
        for folder in damaged:
            folder.mend()
    restoring.job.end()
    print(f"{cases} cases on two hosts: {dict(counts)}")


def dump_all(path, view_of, other, show):
    """All that oshdump says of a snapshot, or why it does not."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        view = view_of(path)
        show.show_list(view, True)
        show.show_list(view, False)
        show.show(view, ["numbers[5:9]", "numbers@*"], None, True)
        show.show_diff(view, view_of(other), False)
        show.show_diff(view_of(other), view, True)
    return said.getvalue()


def dump(top, cases, first):
    """oshdump in this process: any end of it but by its own lines would be a traceback."""
    sys.path.insert(0, os.environ["OSHDUMP"])
    from oshdump import command, dwarf, elf, problem, snapshot
    program = elf.Elf(os.environ["RESTORER"])
    debug, counts = dwarf.Dwarf(program), collections.Counter()
    restoring = Restoring(top)
    folder = restoring.folders[0]
    restoring.job.end()
    other = top / "other"
    shutil.copytree(folder.path, other)

    def view_of(path):
        return command.View(program, debug, snapshot.Snapshot(path))

    wanted = dump_all(folder.path, view_of, other, command)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    for case, rng in each_case(cases, first):
        what, fits = folder.damage(rng)
        signal.alarm(SECONDS)
        try:
            said = dump_all(folder.path, view_of, other, command)
            if not fits and said != wanted:
                fail(f"case {case}, {what}: shown as if it were whole", said)
            counts["shown"] += 1
        except problem.Problem as why:
            if not (20 < len(str(why)) < 400 and str(why).isprintable()):
                fail(f"case {case}, {what}: expected one clear line", repr(str(why)))
            counts["refused"] += 1
        except BaseException:
            print(f"failed: case {case}, {what}")
            raise
        signal.alarm(0)
        folder.mend()
    print(f"{cases} cases: {dict(counts)}")


def restart(top, cases, first):
    """oshrun --restart, which reads the manifest, and the job that it starts."""
    words = [os.environ["OSHRUN"], "--heap", "1M"]
    environment = {**os.environ, "ASAN_OPTIONS": SANITIZER}
    subprocess.run([*words, "-n", "2", os.environ["STEPS"], "20", top, "10"], check=True, stdout=subprocess.DEVNULL, env=environment)
    folder, counts = damage.Folder(top / "steps"), collections.Counter()
    command = [*words, "--restart", top / "steps", os.environ["STEPS"], "0"]
    wanted = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    for case, rng in each_case(cases, first):
        what, fits = folder.damage(rng)
        done = subprocess.run(command, capture_output=True, text=True, errors="backslashreplace", timeout=SECONDS, env=environment)
        lines = done.stderr.count("\n")
        is_refused = (done.returncode == 2 and re.fullmatch(r"oshrun: [ -~]+\n", done.stderr)
                      or done.returncode != 0 and LINE.fullmatch(re.sub(r"(?m)^oshrun: .*\n", "", done.stderr)))
        is_forged = fits and "goes on" in done.stdout  # and what the program makes of it is its own affair
        if not is_refused and not is_forged and not (done.returncode == 0 and lines == 0 and done.stdout == wanted):
            fail(f"case {case}, {what}: status {done.returncode}", done.stdout, done.stderr)
        counts["refused" if is_refused else "restarted"] += 1
        folder.mend()
    print(f"{cases} restarts: {dict(counts)}")


def main():
    part, cases, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="survive-fuzz-", dir=shared) as name:
        {"restore": restore, "racing": racing, "buddy": buddy, "dump": dump, "restart": restart}[part](Path(name), cases, first)


main()

# SPDX-License-Identifier: BSD-3-Clause
"""The programs of docs/do/debugging.md on two hosts: what their users see there. And calls that do not fit together, by
seed: whichever way the messages take, the job ends with both calls."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import common
import two_hosts
from launchers import Layout

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "common"))
import pages  # noqa: E402

MISTAKES = os.environ["MISTAKES"]
SEEDS = range(int(os.environ.get("SEEDS", "6")))
LIMIT = 40.0  # seconds until the test gives up
COMMAND = re.compile(r"^((?:\w+=\S+ )*)oshrun -n (\d+) (--timeout \d+ )?\./(\w+)$", re.M)
CALL = r"shmem_\w+(?: \([^)]*\))? at mistakes\.c:\d+"
RULE = "all members of a team must make the same calls in the same order, with the same root and size"
ORDER = "each waits for the other: PEs of several teams must call these in the same order"
AT_ONCE = 8  # jobs
# The rows are each host's, and the launcher has words of its own for ends.
OTHERS = re.compile(r"^oshrun: (?:  |.*(?:exited with status|was killed by signal))")
# What is said instead where no PE has the other's memory, and no oshrun sees how PEs end.
INSTEAD = {
    "stack": ["sheaf: PE 0: error: shmem_long_atomic_add: 0x... is not symmetric: it is on the stack; pass the address "
              "of a static variable or of memory from shmem_malloc; called at stack.c:9 [SH102]"],
}


def programs():
    """(name, PEs, settings, whether it hangs, what is said) of each on the page."""
    name = None
    for kind, text in pages.BLOCK.findall((ROOT / "docs/do/debugging.md").read_text()):
        if kind == "sh":
            command = COMMAND.search(text) # another command is oshrun's on one host alone
            settings, npes, limit, name = command.groups() if command else (None,) * 4
        elif kind == "text" and name:
            said = [line.replace("oshrun: ", "sheaf: ", 1).replace("limit of 2 s", "limit of ... s")
                    for line in text.splitlines() if not OTHERS.match(line)]
            said = INSTEAD.get(name, said)
            yield name, int(npes), dict(word.split("=") for word in settings.split()), bool(limit), said


def split(npes):
    return [npes - npes // 2, npes // 2]


class Mistakes(two_hosts.TwoHosts):
    def start(self, npes, command, env):
        job = self.launcher.popen(Layout(split(npes)), command, {**os.environ, **env}, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.wait)
        self.addCleanup(self.site.kill_jobs)
        return job

    def compile(self, folder):
        for kind, text in pages.BLOCK.findall((ROOT / "docs/do/debugging.md").read_text()):
            if kind == "c":
                pages.keep(text, folder)
        for source in folder.glob("*.c"):
            subprocess.run([f"{common.BUILD}/bin/oshcc", "-g", "-DSHMEM_NO_DEPRECATED", source.name,
                            "-o", source.stem], cwd=folder, check=True)

    @unittest.skipUnless(shutil.which("addr2line"), "no addr2line, which finds lines of the source")
    def test_page(self):
        folder = pathlib.Path(self.enter(tempfile.TemporaryDirectory(dir=common.BUILD)))
        self.compile(folder)
        listed = list(programs())
        self.assertEqual(len(listed), 11)
        jobs = [self.run_on(folder, program) for program in listed]
        for program, job in zip(listed, jobs):
            name, _, _, hangs, said = program
            out, missing = self.judge(job, said)
            # On a busy machine a PE need not have come to its last call in a second: again, alone and longer.
            if missing and hangs:
                job = self.run_on(folder, program, limit=8)
                out, missing = self.judge(job, said)
            with self.subTest(program=name):
                if hangs:
                    self.assertEqual(job.returncode, 124, out)
                else:
                    self.assertNotEqual(job.returncode, 0, out)
                self.assertIsNone(missing, f"is not in what was said:\n{out}")

    def run_on(self, folder, program, limit=1):
        name, npes, settings, hangs, _ = program
        limits = {"SHEAF_TIMEOUT": str(limit)} if hangs else {}
        return self.start(npes, [str(folder / name)], {**settings, **limits})

    def judge(self, job, said):
        """What the job printed, and the first of said that is not there in its order."""
        out, _ = job.communicate(timeout=LIMIT)
        at = 0
        for line in said:
            found = re.compile(f"^{pages.pattern(line)}$", re.M).search(out, at)
            if not found:
                return out, line
            at = found.end()
        return out, None

    def test_kept(self):
        """SHEAF_RECORD on every host, whoever finds out that the job fails; of a host's part alone, and of all."""
        folder = pathlib.Path(self.enter(tempfile.TemporaryDirectory(dir=common.BUILD)))
        ends = {"size": "", "fault": "shmem_barrier_all", "leave": "shmem_barrier_all", "missing": "wait for PE 3"}
        jobs = {end: self.start(4, [MISTAKES, end], {"SHEAF_RECORD": str(folder / end), "SHEAF_TIMEOUT": "1.5"})
                for end in ends}
        for end, job in jobs.items():
            out, _ = job.communicate(timeout=LIMIT)
            with self.subTest(end=end):
                self.assertNotEqual(job.returncode, 0, out)
                self.assertEqual(len(re.findall(r"(?m)^sheaf: what the PEs did is in ", out)), 1, out)
                records = sorted((folder / end).iterdir())
                self.assertEqual([re.sub("[0-9a-f]{16}", "X", file.name) for file in records],
                                 ["job-X-1.sheaf", "job-X.sheaf"] if end == "missing" else
                                 ["job-X-0.sheaf", "job-X-1.sheaf"])
                said = self.explain(folder / end)
                self.assertIn(": 4 PEs\n", said)
                self.assertIn(ends[end], said)
                self.assertIn("h1", said)
                self.assertIn("h2", said)
                self.assertIn(": 2 of 4 PEs; the other hosts' records are not here\n", self.explain(records[0]))

    def explain(self, path):
        done = subprocess.run([f"{common.BUILD}/bin/oshwhy", path], capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_calls_that_do_not_fit(self):
        jobs = [(2, "receive", RULE), (2, "teams", ORDER)]
        jobs += [(2 + seed % 3, f"other {seed}", RULE) for seed in SEEDS]
        for first in range(0, len(jobs), AT_ONCE):
            some = [(what, rule, self.start(npes, [MISTAKES, *what.split()], {}))
                    for npes, what, rule in jobs[first:first + AT_ONCE]]
            for what, rule, job in some:
                out, _ = job.communicate(timeout=LIMIT)
                with self.subTest(job=what):
                    self.assertEqual(job.returncode, 1, out)
                    self.assertRegex(out, rf"(?m)^sheaf: PE \d[^:]*: error: PE \d calls {CALL}, and PE \d calls {CALL}: "
                                     rf"{rule} \[SH120\]$")


if __name__ == "__main__":
    common.main()

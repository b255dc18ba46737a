# SPDX-License-Identifier: BSD-3-Clause
"""Processes in reserve (oshrun --spare) that are killed before a PE is: none of them is handed out. Arguments: oshrun,
the program of offsets.c."""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

OSHRUN, OFFSETS = sys.argv[1:3]
LIMIT = 30


def children(pid):
    """None of a process that has ended since it was listed."""
    try:
        return [int(word) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children") for word in task.read_text().split()]
    except OSError:
        return []


def program_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def in_reserve(oshrun):
    """Below the proxy, and not the program yet."""
    proxies = [pid for pid in children(oshrun) if children(pid)]
    return [pid for proxy in proxies for pid in children(proxy) if program_of(pid) != os.path.realpath(OFFSETS)]


class Reserve(unittest.TestCase):
    def job(self, spares, kills):
        """Its exit status and what it said; so many in reserve are killed before PE 1 is."""
        with tempfile.TemporaryDirectory() as folder:
            gate = f"{folder}/go"
            job = subprocess.Popen([OSHRUN, "--timeout", str(LIMIT), "--spare", str(spares), "-n", "2", OFFSETS, "8", gate],
                                   env={**os.environ, "SHEAF_FAILURES": "report"}, stderr=subprocess.PIPE, text=True)
            until = time.monotonic() + LIMIT
            while (len(in_reserve(job.pid)) < spares or sum(program_of(pid) == os.path.realpath(OFFSETS) for proxy in children(job.pid)
                   for pid in children(proxy)) < 2) and time.monotonic() < until:
                time.sleep(0.02)
            for pid in in_reserve(job.pid)[:kills]:
                os.kill(pid, signal.SIGKILL)
            while len(in_reserve(job.pid)) > spares - kills and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(0.1)
            pathlib.Path(gate).touch()
            said = job.communicate(timeout=LIMIT + 10)[1]
            return job.returncode, said

    def test_one_of_two(self):
        for kills in 0, 1:
            status, said = self.job(2, kills)
            self.assertEqual(status, 0, said)
            self.assertEqual(said.count("in reserve"), kills, said)

    def test_more_than_files(self):
        """A pipe each, which there are not."""
        job = subprocess.run([OSHRUN, "--spare", "40", "-n", "2", "sleep", "0.3"], stderr=subprocess.PIPE, text=True, timeout=LIMIT,
                             env={**os.environ, "SHEAF_FAILURES": "report"},
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertRegex(job.stderr, r"only \d+ processes in reserve \(--spare\) can be started")

    def test_the_only_one(self):
        status, said = self.job(1, 1)
        self.assertEqual(status, 3, said)
        self.assertIn("has ended; 0 left", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

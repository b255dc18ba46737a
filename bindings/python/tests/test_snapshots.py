#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots of arrays: a job that goes on has the result of one that was not disturbed; what does not fit is refused."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).parent / "steps.py"
FIXED = ["--no-aslr", "-n", "3"]


def job(folder, *words, how=()):
    command = [os.environ["OSHRUN"], "--timeout", "60", *words, sys.executable, PROGRAM, folder, *how]
    return subprocess.run(command, capture_output=True, text=True)


class Snapshots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def said(self, *words, how=()):
        done = job(self.folder, *words, how=how)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sorted(done.stdout.splitlines())

    def refused(self, text, *words, how=(), line=None):
        """Each PE raises with the text, of which one is shown; where the library says why it does so in one line."""
        done = job(self.folder, *words, how=how)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, text)
        if line:
            self.assertEqual(sum(line in each for each in done.stderr.splitlines()), 1, done.stderr)

    def test_goes_on(self):
        undisturbed = self.said(*FIXED)
        restarted = self.said("--restart", self.folder)
        self.assertEqual(restarted, undisturbed + ["goes on at step 5"])
        self.assertEqual(self.said(*FIXED, how=["restore"]), restarted)

    def test_folder_of_the_environment(self):
        undisturbed = self.said("-n", "3", "--snapshot-dir", self.folder, how=["named"])
        self.assertEqual(self.said("--restart", self.folder), undisturbed + ["goes on at step 5"])

    def test_at_barriers(self):
        undisturbed = self.said("-n", "3", "--snapshot-dir", self.folder, "--snapshot-every", "0.00001", how=["none"])
        restarted = self.said("--restart", f"{self.folder}/auto", how=["none"])
        self.assertEqual(restarted[:3], undisturbed)
        self.assertRegex(restarted[3], "^goes on at step")

    def test_refused(self):
        self.refused(r"sheafshmem\.Error: PE \d+: snapshot: there is none: ", *FIXED, how=["bad tag"], line='the tag is "a/b"')
        self.refused(r"sheafshmem\.ArgumentError: PE \d+: snapshot: argument dir: must be a text or a path", *FIXED,
                     how=["no text"])
        self.refused(r"sheafshmem\.Error: PE \d+: restore: nothing was restored: ", *FIXED, how=["restore"],
                     line="there is no snapshot half-way in")
        self.refused(r"sheafshmem\.Error: PE \d+: snapshot: this job's addresses are random", "-n", "1")
        self.said(*FIXED)
        self.refused(r"sheafshmem\.Error: PE \d+: restore: nothing was restored: ", "--restart", self.folder,
                     how=["other arrays"], line="is not restored: ")


unittest.main()

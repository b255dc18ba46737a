# SPDX-License-Identifier: BSD-3-Clause
"""Ends that the program decides on, across hosts: the launcher's status is that of the PE that called
shmem_global_exit(), whoever it is and whatever the others do, and nobody complains. And a PE that leaves
by _exit(0), which no launcher need take for a failure: it is named, or its host's PEs are.
"""
import itertools
import os
import random
import tempfile
import time
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

ENDER = os.environ["ENDER"]
JOBS = int(os.environ.get("JOBS", "12"))
SEED = 1
SOON = 4.0  # seconds from a PE's decision until the launcher is gone, however long the start took


class Ends(unittest.TestCase):
    def for_each(self, test):
        for name in common.launchers_here():
            with self.subTest(launcher=name), Site(2) as site, launcher_of(name, site) as launcher:
                test(launcher)

    def run_job(self, launcher, layout, how, status, who, what, delay=0, soon=SOON):
        with tempfile.TemporaryDirectory(dir=os.path.join(common.BUILD, "tests")) as folder:
            decided = os.path.join(folder, "decided")
            words = [ENDER, how, *map(str, (status, who)), what, str(delay), decided]
            got, out = launcher.run(Layout(layout), words, 30)
            took = time.time() - os.stat(decided).st_mtime if os.path.exists(decided) else None
        text = f"{' '.join(words)}: status {got}, {took} s after the decision\n{out}"
        self.assertIsNotNone(took, text)
        self.assertLess(took, soon, text)
        self.assertEqual(launcher.site.wait_until_clean(3), {}, text)
        return got, out, text

    def test_global_exit(self):
        cases = list(itertools.product((0, 1, 3, 99, 255), (0, 3, -1), ("barrier", "wait", "compute"),
                                       (0, 200)))
        random.Random(SEED).shuffle(cases)
        cases *= -(-JOBS // len(cases))

        def test(launcher):
            for status, who, what, delay in cases[:JOBS]:
                got, out, text = self.run_job(launcher, [2, 2], "global-exit", status, who, what, delay)
                self.assertEqual(got, status, text)
                self.assertNotIn("sheaf: ", out, text)
        self.for_each(test)

    def test_nobody_finalizes(self):
        def test(launcher):
            for layout, status in itertools.product(([2, 2], [1, 1]), (0, 256)):
                got, out, text = self.run_job(launcher, layout, "exit", status, -1, "barrier")
                self.assertEqual((got, out.count("sheaf: ")), (0, 0), text)
            got, out, text = self.run_job(launcher, [1, 1], "exit", 0, 1, "wait", soon=2 * SOON)
            self.assertEqual(got, 1, text)
            self.assertIn("sheaf: PE 1 exited without shmem_finalize, and all others wait: the job ends", text)
            got, out, text = self.run_job(launcher, [1, 1], "global-exit", 256, 1, "barrier")
            self.assertEqual(got, 1, text)
        self.for_each(test)

    def test_leaving_without_finalize(self):
        def test(launcher):
            for layout, who, what in itertools.product(([2, 2], [1, 1]), (0, 1), ("barrier", "compute")):
                got, out, text = self.run_job(launcher, layout, "_exit", 0, who, what)
                said = [line for line in out.splitlines() if "sheaf: " in line]
                host = 1 if who < layout[0] else 2
                pes = ", ".join(str(pe) for pe in range(4 if layout == [2, 2] else 2)
                                if (pe < layout[0]) == (host == 1))
                self.assertNotEqual(got, 0, text)
                for line in said:
                    self.assertRegex(line, rf"PE {who} on host h{host} .*left with status 0 without "
                                     rf"shmem_finalize|host h{host}, which has PE {pes}, has closed", text)
                if launcher.name.startswith("slurm"):  # which leaves the PE's neighbour the time to say it
                    self.assertEqual(len(said), 1, text)
                    if layout == [2, 2]:
                        self.assertIn(f"PE {who} on host h{host} ", said[0], text)
        self.for_each(test)


if __name__ == "__main__":
    common.main()

# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that die or stop while a job starts: the others have an exception that names them."""
import os
import re
import sys
import unittest

import run

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starts.py")
MOMENTS = ("joining", "joined", "told", "again")


def say(word, moment, seconds):
    """What ranks 0 and 2 print."""
    processes = run.start(3, [PROGRAM, word, moment, str(seconds)])
    said = run.finish([processes[0], processes[2]], 60)
    processes[1].kill()
    processes[1].communicate()
    return said


class Starts(unittest.TestCase):
    def check(self, said, expected, seconds):
        self.assertRegex(said, expected)
        self.assertLess(float(re.search("after ([0-9.]+) s", said)[1]), seconds + os.getloadavg()[0], said)

    def test_killed(self):
        for moment in MOMENTS:
            for said in say("SIGKILL", moment, 40):
                with self.subTest(moment):
                    self.check(said, r"Error: rank \d( of group \S+)?: rank 1 has died", 4)

    def test_exit(self):
        """A thread that waited with the dead rank is not in torch's store when that ends."""
        processes = run.start(3, [PROGRAM, "SIGKILL", "exit", "40"])
        said = run.finish(reversed(processes), 60)[0]
        self.assertRegex(said, r"Error: rank 2 of group \S+: rank 1 has died; rank 0 of 3 has not come, after")
        self.assertEqual(processes[2].returncode, 0, said)

    def test_stopped(self):
        for moment in MOMENTS[:3]:
            for said in say("SIGSTOP", moment, 4):
                with self.subTest(moment):
                    self.check(said, r"Error: rank \d of group \S+: (not all ranks have joined the job|rank 1 of 3 has not come) within "
                                     r"4 s; rank 1's process \d+ is stopped", 6)


if __name__ == "__main__":
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        sys.exit(77)
    unittest.main(argv=sys.argv)

# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --restart with --hosts: from one folder that the hosts share, and from each host's own (SHEAF_BUDDY=on), also
where a host has lost its folder or the one that oshrun runs on never had any. CTest gives STEPS (tests/survive/steps.c)."""
import os
import re
import unittest

import common
from hosts import Site
from launchers import oshrun_on_head

STEPS = os.environ["STEPS"]
LAST, EVERY = 24, 16
OWN = "/dev/shm/saved" # of each host, and of the head


class Restart(unittest.TestCase):
    def setUp(self):
        self.site = Site(3)
        self.site.__enter__()
        self.addCleanup(self.site.__exit__, None, None, None)
        self.undisturbed = self.checksum(self.job("h1:2,h2:2", STEPS, LAST)[1])

    def job(self, hosts, *words, **settings):
        """(status, what it said) of oshrun on the head."""
        return oshrun_on_head(self.site, ["-q", "--hosts", hosts, *words], settings)

    @staticmethod
    def checksum(said):
        found = re.search(r"steps \d+ checksum (\w+)", said)
        return found and found[1]

    def save(self, folder, *options, **settings):
        status, said = self.job("h1:2,h2:2", *options, STEPS, LAST, folder, EVERY, **settings)
        self.assertEqual((status, "sheaf: " in said), (0, False), said)

    def goes_on(self, hosts, *words, **settings):
        status, said = self.job(hosts, *words, STEPS, LAST, **settings)
        self.assertEqual((status, self.checksum(said)), (0, self.undisturbed), said)
        self.assertIn(f"goes on at step {EVERY}", said)
        self.assertNotIn("sheaf: ", said)

    def refused(self, words, hosts, *command, **settings):
        status, said = self.job(hosts, *command, STEPS, LAST, **settings)
        lines = [line for line in said.splitlines() if re.match("sheaf: |oshrun: --", line)]
        self.assertNotEqual(status, 0, said)
        self.assertEqual(len(lines), 1, said)
        self.assertIn(words, lines[0])
        self.assertNotIn("goes on", said)

    def test_one_folder(self):
        folder = os.path.join(self.site.shared, "saved")
        self.save("/run/site/saved", "--heap", "32M")
        self.assertTrue(os.path.exists(f"{folder}/steps/manifest"))
        self.goes_on("h1,h2", "--restart", "/run/site/saved")          # as many PEs and as large a heap
        self.goes_on("h1:1,h2:1,h3:2", "--restart", "/run/site/saved/steps")
        self.refused("it is of a job of 4 PEs, and this one has 3", "h1:2,h2:1", "-n", 3, "--restart", "/run/site/saved")
        self.refused("there is no snapshot in it", "h1,h2", "--restart", "/run/site")
        # A host's own folder, and nobody has said so: only the head's is looked at.
        self.save(OWN, "--heap", "32M", SHEAF_BUDDY="1")
        self.refused("No such file", "h1,h2", "--restart", OWN)

    def test_own_folders(self):
        buddy = {"SHEAF_BUDDY": "1"}
        self.save(OWN, "--heap", "32M", **buddy)
        # oshrun runs where no snapshot is: slots and heap are told as they were.
        there = "--heap", "32M", "--restart", f"{OWN}/steps"
        self.goes_on("h1:2,h2:2", *there, **buddy)
        self.goes_on("h1:2,h3:2", *there, **buddy)                      # h2 is lost
        self.goes_on("h3:1,h2:3", *there, **buddy)                      # h1 is
        self.refused("it is of a job of 4 PEs", "h1:1,h2:2", *there, **buddy)
        self.refused("the same --heap", "h1:2,h2:2", "--heap", "16M", "--restart", f"{OWN}/steps", **buddy)
        # With the head's name for a host, as where oshrun runs on one of them.
        self.save("/run/site/%h", "--heap", "32M", **buddy)
        os.rename(f"{self.site.shared}/h2", f"{self.site.shared}/head")
        self.goes_on("h1,h3", "--restart", "/run/site/%h", **buddy)     # h2 is lost; the head knows PEs and heap
        self.goes_on("h1,h3", "--restart", "/run/site/%h/steps", **buddy)


if __name__ == "__main__":
    common.main()

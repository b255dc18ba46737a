# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use MPI and OpenSHMEM at once, across hosts, each MPI under its own launcher: teams and
communicators, MPI's messages from and to symmetric memory, and who serves a PE that is blocked in MPI."""
import os
import sys
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

MPIS = {"openmpi": "openmpi", "hydra": "mpich"}
# On two hosts a program of MPI alone waits for ever in MPI_Finalize in one run of 27 (MPICH 4.0.2: one PE
# closes connections of UCX to PEs that are in a fence already): a job that does not end is tried again.
ATTEMPTS = {"openmpi": 1, "hydra": 5}
# A job takes 0.5 to 2 s on a quiet machine; a hang of MPICH's takes all of it.
LIMIT = {"openmpi": 60, "hydra": 15}


class Use(unittest.TestCase):
    def run_job(self, launcher_name, layout, words, env=None):
        program, *arguments = words.split()
        path = os.environ.get(program.upper())
        if path is None:
            self.skipTest(f"no {MPIS[launcher_name]} was there at build time")
        with Site(len(layout)) as site, launcher_of(launcher_name, site) as launcher:
            for _ in range(ATTEMPTS[launcher_name]):
                got, out = launcher.run(Layout(layout), [path, *arguments], LIMIT[launcher_name],
                                        {**os.environ, **(env or {})})
                self.assertEqual(site.wait_until_clean(10), {}, out)
                if got != 124:
                    break
        self.assertEqual(got, 0, out)
        self.assertNotIn("sheaf:", out)
        return out

    def each(self, *job):
        for name in common.launchers_here():
            if name in MPIS:
                with self.subTest(launcher=name):
                    print(name, self.run_job(name, *job), flush=True)

    def test_teams(self):
        self.each([2, 2], "teams MSMS")
        self.each([1, 3], "teams SMMS")

    def test_buffers(self):
        self.each([2, 1], "buffers") # windows: on one host, see tests/mpi

    def test_a_pe_in_mpi_recv_is_served(self):
        self.each([1, 1], "progress 100")
        self.each([2, 2], "progress 100")

    def test_it_is_not_without_the_thread(self):
        self.each([1, 1], "progress starve", {"SHEAF_PROGRESS": "none"})


if __name__ == "__main__":
    if "TEAMS" not in os.environ:
        print("skipped: this MPI was not there at build time: Debian's libopenmpi-dev, libmpich-dev")
        sys.exit(common.SKIPPED)
    common.main()

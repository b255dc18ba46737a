# SPDX-License-Identifier: BSD-3-Clause
"""MPICH in the place of the launcher (SHEAF_BOOT=mpi), on two hosts. Its version 4.0.2 may stay in MPI_Finalize, which
is then the launcher's only word of the end (docs/measured/mpi.md): whoever does not end is there, past all of the program.

CTest gives PROGRAMS: each is run, by the first launcher that is here.
"""
import os
import re
import shutil
import subprocess
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

LAYOUT = Layout([2, 2])
LIMIT = 15  # seconds; a job takes one
RUNS = 3    # of each program


class Boot(unittest.TestCase):
    def setUp(self):
        self.site = self.enter(Site(len(LAYOUT.pes)))
        self.launcher = self.enter(launcher_of(common.launchers_here()[0], self.site))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def stacks(self, program):
        """Of each process of the program: the names of its first thread's functions, the innermost first."""
        found = []
        for host in self.site.hosts:
            for pid in [pid for pid, line in host.left().items() if line.startswith(program)]:
                out = host.do("gdb", "-p", str(pid), "-batch", "-ex", "thread 1", "-ex", "bt")
                found.append(re.findall(r"^#\d+ +(?:0x\w+ in )?(\w+) \(", out, re.MULTILINE))
        return found

    def check_end(self, job, program):
        """Whether it ended by itself, with success; else every PE waits in MPICH, and none for the program."""
        try:
            out, _ = job.communicate(timeout=LIMIT)
            self.assertEqual((job.returncode, "sheaf: " in out), (0, False), out)
            return True
        except subprocess.TimeoutExpired:
            pass
        if not shutil.which("gdb"):
            self.skipTest("it has not ended, and without gdb nobody knows where it is")
        stacks = self.stacks(program)
        self.assertNotEqual(stacks, [])
        for names in stacks:
            self.assertIn("PMPI_Finalize", names)
            self.assertIn("sheaf_boot_disconnect", names) # sheaf_mpi_end is no frame where it ends in that call
            self.assertNotIn("main", names[:names.index("sheaf_boot_disconnect")])
        return False

    def run_one(self, program):
        env = self.launcher.environment({**os.environ, "SHEAF_BOOT": "mpi"})
        job = self.site.popen(self.launcher.command(LAYOUT, [program], env), env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        try:
            return self.check_end(job, program)
        finally:
            self.site.kill_jobs()
            job.communicate(timeout=10)
            self.assertEqual(self.site.wait_until_clean(5), {})

    def test_programs(self):
        ended = [self.run_one(program) for program in os.environ["PROGRAMS"].split() for _ in range(RUNS)]
        print(f"{ended.count(True)} of {len(ended)} jobs ended by themselves; in the others all PEs are in MPI_Finalize")


if __name__ == "__main__":
    common.main()

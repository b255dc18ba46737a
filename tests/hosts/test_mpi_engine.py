# SPDX-License-Identifier: BSD-3-Clause
"""The engine over MPI, across hosts: starts that cannot succeed."""
import os
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

VICTIM = os.path.join(common.BUILD, "tests", "test-hosts-victim")
BARRIERS = ["barrier", "1"] # for a second


class MpiEngine(unittest.TestCase):
    def setUp(self):
        self.site = self.enter(Site(2))
        self.launcher = self.enter(launcher_of(common.launchers_here()[0], self.site))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def run_barriers(self, env, command=()):
        status, out = self.launcher.run(Layout([1, 1]), [*command, VICTIM, *BARRIERS], 30,
                                        {**os.environ, "SHEAF_ENGINE": "mpi", **env})
        self.assertEqual(self.site.wait_until_clean(3), {})
        return status, out

    def refuse(self, env, *named, command=()):
        """Nonzero, and a line that names all of these."""
        status, out = self.run_barriers(env, command)
        self.assertNotIn(status, (0, 124), out)
        lines = [line for line in out.splitlines() if "sheaf: " in line]
        self.assertTrue(any(all(part in line for part in named) for line in lines), out)

    def test_by_its_name(self):
        status, out = self.run_barriers({})
        self.assertEqual((status, "sheaf: " in out), (0, False), out)

    def test_unknown_mpi(self):
        self.refuse({"SHEAF_MPI": "nonsense"}, "SHEAF_MPI is \"nonsense\"", "openmpi, mpich")

    def test_other_engines_here_and_there(self):
        self.refuse({}, "another engine", "SHEAF_ENGINE", command=[
            "sh", "-c", 'SHEAF_ENGINE=$(test "$(hostname)" = h1 && echo mpi || echo ucx) exec "$@"', "sh"])


if __name__ == "__main__":
    common.main()

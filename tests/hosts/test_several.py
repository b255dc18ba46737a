# SPDX-License-Identifier: BSD-3-Clause
"""A job over several networks: each PE is reached by one that both hosts have."""
import os
import re
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of
from two_hosts import library

PROGRAMS = os.environ["PROGRAMS"].split()
BARRIERS = [os.environ["VICTIM"], "barrier", "1"] # for a second
REACHED = re.compile(r"PE (\d+): debug: PE (\d+) is reached by (\w+)")


def by_host(**networks):
    """The beginning of a command: SHEAF_ENGINE is another one on each host."""
    cases = " ".join(f"{host}) SHEAF_ENGINE={names} ;;" for host, names in networks.items())
    return ["sh", "-c", f'case $(hostname) in {cases} esac; export SHEAF_ENGINE; exec "$@"', "sh"]


class Several(unittest.TestCase):
    def run_on(self, hosts, program, networks=None, lacks=(), **env):
        """(status, what it said) of a job of one PE on each of so many hosts. lacks: (host's number, library) each."""
        with Site(hosts) as site, launcher_of("hydra", site) as launcher:
            for host, name in lacks:
                site.hosts[host - 1].do("mount", "--bind", "/dev/null", os.path.realpath(library(name)))
            command = [*by_host(**networks), *program] if networks else program
            environment = {**os.environ, "SHEAF_UCX": "host", **env} # what came with Sheaf cannot be hidden
            done = launcher.run(Layout([1] * hosts), command, 60, environment)
            self.assertEqual(site.wait_until_clean(5), {})
        return done

    def refuse(self, done, *named):
        """Nonzero, and a line that names all of these."""
        status, out = done
        self.assertNotIn(status, (0, 124), out)
        lines = [line for line in out.splitlines() if "sheaf: " in line]
        self.assertTrue(any(all(part in line for part in named) for line in lines), out)

    def test_four_hosts_over_three_networks(self):
        """Two share UCX, two libfabric, and the other pairs have MPI alone; all programs use all pairs."""
        networks = {"h1": "ucx,mpi", "h2": "mpi,ucx", "h3": "ofi,mpi", "h4": "mpi,ofi"}
        expected = {(0, 1): "UCX", (2, 3): "libfabric"}
        reached = {}
        for program in PROGRAMS:
            status, out = self.run_on(4, [program], networks, SHMEM_DEBUG="1", SHEAF_LEVELS="flat")
            self.assertEqual(status, 0, out)
            for mine, other, by in REACHED.findall(out):
                pair = int(mine), int(other)
                self.assertEqual(by, expected.get(tuple(sorted(pair)), "MPI"), pair)
                reached[pair] = by
        self.assertEqual(len(reached), 12, reached)

    def test_a_network_that_is_not_installed(self):
        """The others reach that host by what it has."""
        status, out = self.run_on(3, PROGRAMS[:1], lacks=[(2, "libfabric.so.1")],
                                  SHEAF_ENGINE="ofi,ucx", SHMEM_DEBUG="1")
        self.assertEqual(status, 0, out)
        self.assertIn("libfabric is not on host h2", out)

    def test_no_network_in_common(self):
        self.refuse(self.run_on(3, BARRIERS, lacks=[(2, "libfabric.so.1"), (3, "libucp.so.0")], SHEAF_ENGINE="ofi,ucx"),
                    "on host h", "have no network in common", "here are", "there")
        self.refuse(self.run_on(2, BARRIERS, lacks=[(2, "libfabric.so.1"), (2, "libucp.so.0")], SHEAF_ENGINE="ofi,ucx"),
                    "host h2 has none of the networks", "libucx0")

    def test_hosts_that_differ(self):
        self.refuse(self.run_on(2, BARRIERS, {"h1": "ucx,ofi", "h2": "ucx"}),
                    "on host h", "its engine is ", "several networks", "ucx", "SHEAF_ENGINE")
        self.refuse(self.run_on(2, BARRIERS, {"h1": "ucx,ofi", "h2": "ucx,mpi"}), "uses another engine", "SHEAF_ENGINE")


if __name__ == "__main__":
    common.main()

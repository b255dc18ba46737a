# SPDX-License-Identifier: BSD-3-Clause
"""Processes of several hosts that no launcher has started: where they meet, and what keeps them apart."""
import os
import re
import time
import unittest

import common
from hosts import SHARED, Site
from launchers import Hydra, Layout, OpenMpi, Rendezvous, Slurm
from two_hosts import VICTIM

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/launch")
HELLO = [VICTIM, "leave"]


class OnHosts(unittest.TestCase):
    hosts = 2

    def setUp(self):
        self.site = Site(self.hosts)
        self.addCleanup(self.site.__exit__, None, None, None)
        self.site.__enter__()

    def run_job(self, where=None, by_rank="", pes=(1, 1), **settings):
        """(status, output). by_rank: what a shell does on each host before the program, $SHEAF_RANK among it."""
        launcher = Rendezvous(self.site)
        env = dict(launcher.environment(), **settings)
        line = launcher.command(Layout(pes), ["sh", "-c", f'{by_rank or ":"}\nexec "$0" "$@"', *HELLO])
        if where:
            line[1] = f"SHEAF_RENDEZVOUS={where}"
        return self.site.run(line, 40, env)

    def met(self, *arguments, **settings):
        status, out = self.run_job(*arguments, **settings)
        self.assertEqual((status, "sheaf: " in out), (0, False), out)

    def refused(self, *lines, seconds=8, **settings):
        began = time.monotonic()
        status, out = self.run_job(**settings)
        self.assertEqual(status, 1, out)
        self.assertLess(time.monotonic() - began, seconds, out)
        for line in lines:
            self.assertRegex(out, line)
        self.assertEqual(self.site.wait_until_clean(3), {})
        return [line for line in out.splitlines() if "sheaf: " in line]


class Ways(OnHosts):
    def test_port(self):
        self.met()
        self.met(f"{self.site.hosts[0].address}:7000")
        self.met(by_rank="export SHEAF_RENDEZVOUS_PORT=7001 SHEAF_RENDEZVOUS=h1")

    def test_own_name_is_loopback(self):
        """As Debian has it in /etc/hosts: rank 0 listens where others reach it all the same."""
        own = f"cp /etc/hosts {SHARED}/own; echo 127.0.1.1 h1 >{SHARED}/mine; cat {SHARED}/own >>{SHARED}/mine; mount --bind {SHARED}/mine /etc/hosts"
        self.met(by_rank=f"[ $SHEAF_RANK != 0 ] || {{ {own}; }}")

    def test_file(self):
        """Which needs no secret, and is gone."""
        self.met(f"{SHARED}/meet", SHEAF_SECRET="")
        self.assertEqual([name for name in os.listdir(self.site.shared) if name.startswith("meet")], [])

    def test_compose(self):
        """examples/launch/compose.yaml: two containers with one volume."""
        with open(EXAMPLES + "/compose.yaml", encoding="utf-8") as file:
            where = set(re.findall(r"SHEAF_RENDEZVOUS: (/meet/\w+)", file.read()))
        self.assertEqual(len(where), 1)
        os.mkdir(self.site.shared + "/meet")
        self.met(SHARED + where.pop(), SHEAF_SECRET="")

    def test_many(self):
        began = time.monotonic()
        self.met(pes=(32, 32))
        print(f"    64 PEs on two hosts: {time.monotonic() - began:.1f} s", flush=True)


class Identifiers(OnHosts):
    """shmemx_init_uid on two hosts, which need no secret besides."""
    maxDiff = None
    ring = sorted(f"PE {rank} of 4: PE {(rank + 3) % 4} wrote here" for rank in range(4))

    def on_each(self, *words):
        """A process of each rank, two on each host; $R is the rank."""
        enter = "; ".join(f'/run/site/enter {host} sh -c \'R={rank}; exec "$0" "$@"\' {" ".join(words).replace("$R", str(rank))} & p{rank}=$!'
                          for rank, host in enumerate(("h1", "h1", "h2", "h2")))
        return self.site.run(["sh", "-c", f"{enter}; s=0; for p in $p0 $p1 $p2 $p3; do wait $p || s=$?; done; exit $s".replace("&;", "&")], 40)

    def test_file(self):
        for maker in ("0", "3"):
            status, out = self.on_each(os.environ["IDENTIFIER"], "$R", "4", f"{SHARED}/id{maker}", maker)
            self.assertEqual((status, sorted(out.splitlines())), (0, [f"identifier: {rank} of 4" for rank in range(4)]))

    def test_python(self):
        """examples/launch/identifier.py."""
        if not os.environ.get("NUMPY_PYTHON"):
            self.skipTest("this build has no Python module")
        status, out = self.on_each(os.environ["NUMPY_PYTHON"], EXAMPLES + "/identifier.py", "$R", "4", self.site.hosts[0].address, "7200")
        self.assertEqual((status, sorted(re.findall("PE.*?here", out))), (0, self.ring), out)

    def check_mpi(self, kind, program, statuses=(0,), **variables):
        if kind.missing() or not program:
            return
        with self.subTest(program=os.path.basename(program)), kind(self.site) as launcher:
            env = {**launcher.environment(), **variables}
            for seconds in (12, 60):  # the first ends an MPI_Finalize that hangs; a busy machine may need more
                status, out = launcher.run(Layout((2, 2)), [program], seconds, env)
                ring = sorted(re.findall("PE.*?here", out))
                if status != 124 or (ring and 124 in statuses):
                    break
            self.assertEqual((ring, status if ring != self.ring else None), (self.ring, None), out)
            self.assertIn(status, statuses, out)

    def test_mpi(self):
        """examples/launch/identifier.c, with Open MPI and an MPICH. MPI_Finalize of MPICH 4.0.2 may take for ever on two hosts, of
        MPICH 5 not (docs/measured/mpi.md): that one is taken where it was there at build time, with its own launcher."""
        self.check_mpi(OpenMpi, os.environ.get("IDENTIFIER_OPENMPI"))
        folder = os.path.dirname(os.environ.get("ABI_LIBRARY", ""))
        if os.environ.get("IDENTIFIER_ABI") and os.path.exists(folder):
            self.check_mpi(Hydra, os.environ["IDENTIFIER_ABI"], LD_LIBRARY_PATH=folder,
                           PATH=os.path.join(os.path.dirname(folder), "bin") + ":" + os.environ["PATH"])
        else:
            self.check_mpi(Hydra, os.environ.get("IDENTIFIER_MPICH"), (0, 124))


class UnderSlurm(unittest.TestCase):
    """srun without PMI: examples/launch/slurm.sh."""

    def test_example(self):
        why = Slurm.missing()
        if why:
            self.skipTest(why)
        with Site(2) as site, Slurm(site) as slurm:
            line = slurm.command(Layout([2, 2]), HELLO, slurm.environment())
            line = [os.path.join(EXAMPLES, "slurm.sh"), *(word for word in line[1:] if not word.startswith("--mpi"))]
            env = {**slurm.environment(), "SHEAF_SECRET": "one-secret-for-all-hosts"}
            status, out = site.run(line, 40, env)
            self.assertEqual((status, "sheaf: " in out), (0, False), out)
            del env["SHEAF_SECRET"]
            line[0:1] = ["srun", "--mpi=none"]
            status, out = site.run(line, 40, {**env, "SHEAF_RENDEZVOUS_TIMEOUT": "2"})
            self.assertNotEqual(status, 0, out)
            self.assertIn("processes of several hosts or users need a secret", out)


class Apart(OnHosts):
    def test_no_secret(self):
        said = self.refused("rank 1 of 2 on host h2 was refused by rank 0 at h1:7117: processes of several hosts or users need a secret",
                            r"rank 1 is missing \(1 without the right secret were refused, the last on 10.77.0.12\)",
                            SHEAF_SECRET="", SHEAF_RENDEZVOUS_TIMEOUT="2")
        self.assertEqual(len(said), 3, said)

    def test_wrong_secret(self):
        self.refused("rank 1 of 2 on host h2 was refused .* its secret is another one", "warning: a process on 10.77.0.12 was refused",
                     by_rank="[ $SHEAF_RANK = 0 ] || export SHEAF_SECRET=another-secret-of-this-host", SHEAF_RENDEZVOUS_TIMEOUT="2")

    def test_hosts_that_cannot_meet(self):
        for host in self.site.hosts:
            host.isolate()
        said = self.refused("2 of 4 processes have not come to h1:7117 on host h1 within 2 s: rank 2-3 is missing",
                            "rank [23] of 4 on host h2 has not found rank 0 at h1:7117", pes=(2, 2), SHEAF_RENDEZVOUS_TIMEOUT="2", seconds=12)
        self.assertEqual(len(said), 3, said)

    def test_each_host_says_it_once(self):
        said = self.refused(pes=(2, 2), by_rank="[ $SHEAF_RANK != 3 ] || { sleep 3; export SHEAF_SIZE=5; }", seconds=15)
        self.assertEqual(len(said), 3, said)  # also the process that is the reason
        for line in said:
            self.assertRegex(line, "rank 3 on host h2 .* is one of 5 processes, and rank 0 on host h1 waits for 4")

    def test_host_lost_while_others_are_missing(self):
        said = self.refused("host h2 .* has died before all 3 processes were connected", pes=(1, 1), SHEAF_SIZE="3", seconds=20,
                            by_rank="export SHEAF_SIZE=3; [ $SHEAF_RANK = 0 ] || { sleep 1; ip link set eth0 down; } &")
        self.assertTrue(said)


if __name__ == "__main__":
    common.main()

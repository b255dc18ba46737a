# SPDX-License-Identifier: BSD-3-Clause
"""Ends that nobody wanted: a PE killed, a launcher's daemon killed, a host's link down. The whole
job must end everywhere, say which PE or host, and leave no process on any host. And starts that
cannot succeed: one line, a nonzero exit status, no hang.
"""
import os
import re
import signal
import subprocess
import time
import unittest

import common
from hosts import Site
from jobs import LIMIT, START, Job
from launchers import Layout, OpenMpi, SlurmPmi2, launcher_of
from two_hosts import VICTIM

OSHRUN = os.path.join(common.BUILD, "bin", "oshrun")
LAUNCHER = 5.0 # seconds that the launcher may take on top until it is gone itself


class Failure(unittest.TestCase):
    """A site per test; `for_each` runs a test with every launcher here, or with those named."""

    def for_each(self, test, without=()):
        for name in common.launchers_here():
            if name in without:
                continue
            with self.subTest(launcher=name), Site(2) as site, launcher_of(name, site) as launcher:
                test(launcher)

    def check_end(self, job, named, left=None, launcher_limit=LAUNCHER):
        """named: what a line must say, the launcher's own words or Sheaf's."""
        clean, gone, remain = job.end(left or job.site.left, launcher_limit)
        text = f"{job.out}\n[clean {clean}, launcher gone {gone}]"
        self.assertIsNotNone(clean, f"processes left: {remain}\n{text}")
        self.assertLess(clean, LIMIT, text)
        if launcher_limit is not None:
            self.assertIsNotNone(gone, f"the launcher did not end\n{text}")
        self.assertNotEqual(job.process.returncode, 0, text)
        self.assertRegex("".join(job.said[job.started:]), named, text)
        after = f"launcher gone after {gone:.2f} s" if gone is not None else "launcher still there"
        print(f"    {self.id().split('.')[-1]}: hosts clean after {clean:.2f} s, {after}", flush=True)


class Killed(Failure):
    def kill_pe(self, victim, what):
        def test(launcher):
            job = Job(launcher, Layout([2, 2]), [VICTIM, what]).wait_until_ready()
            job.kill_pe(victim)
            self.check_end(job, rf"(PE|rank|task) {victim}\b|\b{job.pids[victim][0]}\b")
        self.for_each(test)

    def test_pe_while_computing(self):
        self.kill_pe(3, "compute")

    def test_pe_while_others_wait(self):
        self.kill_pe(1, "wait")

    def test_leader_during_barriers(self):
        self.kill_pe(2, "barrier")

    def test_first_pe_during_puts(self):
        self.kill_pe(0, "put")

    def test_daemon(self):
        def test(launcher):
            job = Job(launcher, Layout([2, 2]), [VICTIM, "mixed"]).wait_until_ready()
            host = job.site.hosts[1]
            pids = host.find(launcher.daemon)
            self.assertTrue(pids, f"no {launcher.daemon} in {host.processes()}")
            host.signal(signal.SIGKILL, pids)
            # Hydra ends with its daemon, and everybody with it, before anybody can say a word.
            self.check_end(job, r"\bh2\b|PE [23]\b|mpiexec@head")
        self.for_each(test, without=("rendezvous",))  # which has none

    def test_everything_on_a_host(self):
        def test(launcher):
            job = Job(launcher, Layout([2, 2]), [VICTIM, "compute"]).wait_until_ready()
            host = job.site.hosts[1]
            host.signal(signal.SIGKILL, list(host.left()))
            self.check_end(job, r"\bh2\b|PE [23]\b|mpiexec@head")
        self.for_each(test)


class OpenMpiGoesOn(OpenMpi):
    def command(self, layout, program, env=None):
        command, *words = super().command(layout, program, env)
        return [command, "--enable-recovery", *words]


class SlurmGoesOn(SlurmPmi2):
    def command(self, layout, program, env=None):
        command, *words = super().command(layout, program, env)
        words.remove("-K")
        return [command, "--no-kill", "--kill-on-bad-exit=0", *words]


class KilledWhereJobsGoOn(unittest.TestCase):
    """With SHEAF_FAILURES=report a launcher's daemon that is killed takes the job with it. The launcher itself stays."""

    def kill_daemon(self, kind):
        if kind.name not in common.launchers_here():
            self.skipTest(f"no {kind.name}")
        with Site(2) as site, kind(site) as launcher:
            job = Job(launcher, Layout([2, 2]), [VICTIM, "mixed"], {"SHEAF_FAILURES": "report"}).wait_until_ready()
            host = site.hosts[1]
            host.signal(signal.SIGKILL, host.find(launcher.daemon))

            def left():
                ours = {one.name: set(one.left()) - set(one.find(launcher.daemon)) for one in site.hosts}
                return {name: pids for name, pids in ours.items() if pids}
            clean, _, remain = job.end(left, None)
            self.assertIsNotNone(clean, f"processes left: {remain}\n{job.out}")
            print(f"    {self.id().split('.')[-1]}: no PE or agent after {clean:.2f} s", flush=True)

    def test_openmpi(self):
        self.kill_daemon(OpenMpiGoesOn)

    def test_slurm(self):
        self.kill_daemon(SlurmGoesOn)


class Unplugged(Failure):
    def unplug(self, what, how=lambda host: host.set_link(False)):
        def test(launcher):
            job = Job(launcher, Layout([2, 2]), [VICTIM, what]).wait_until_ready()
            how(job.site.hosts[1])
            # A launcher's daemon that is cut off waits for its network; it holds no PE any more.
            # Open MPI's mpirun waits for that daemon as long as TCP sends again, a quarter of an hour.
            limit = None if launcher.name == "openmpi" else 15.0
            # Its daemons notice too, on a busy machine first, and say "Remote daemon: ... on node h2".
            named = r"sheaf: .*\bh2\b" + (r"|Remote daemon: .* on node h2\b" if limit is None else "")
            self.check_end(job, named, job.pes_left, limit)
        self.for_each(test)

    def test_while_computing(self):
        self.unplug("compute")

    def test_during_barriers(self):
        self.unplug("barrier")

    @unittest.skipIf("SHEAF_FAILURE_DETECTOR" not in os.environ, "the ring has noticed: an engine has to by itself")
    def test_own_network_during_barriers(self):
        self.unplug("barrier", lambda host: host.disable_network())


class Alive(Failure):
    """What must not end a job."""

    def test_stopped_process(self):
        def test(launcher):
            job = Job(launcher, Layout([2, 2]), [VICTIM, "barrier"]).wait_until_ready()
            for pe in (0, 2, 3):
                job.kill_pe(pe, signal.SIGSTOP)
            time.sleep(6)
            self.assertEqual(len(job.site.left()), 2, job.out)
            self.assertIsNone(job.process.poll(), job.out)
            for pe in (0, 2, 3):
                job.kill_pe(pe, signal.SIGCONT)
            time.sleep(1)
            self.assertIsNone(job.process.poll(), job.out)
            job.stop()
        self.for_each(test)

    def test_leaving_one_by_one(self):
        def test(launcher):
            status, out = launcher.run(Layout([2, 2]), [VICTIM, "leave"], START)
            self.assertEqual(status, 0, out)
            self.assertNotIn("sheaf: ", out)
        self.for_each(test)


class Stuck(Failure):
    """A PE that waits for one that is stopped stands on the status board; the stopped one's host does not answer."""

    def why(self, host, *pid):
        return subprocess.run(host.inside(OSHRUN, "--why", *pid), stdout=subprocess.PIPE, timeout=20,
                              stderr=subprocess.STDOUT, text=True, check=False).stdout

    def check_board(self, what, call):
        def test(launcher):
            job = Job(launcher, Layout([1, 1]), [VICTIM, what]).wait_until_ready()
            job.kill_pe(1, signal.SIGSTOP)
            (name, pid), other = job.pids[0], job.pids[1][0]
            line = (rf"oshrun: job of 2 PEs on 2 hosts\n"
                    rf"oshrun: PE 0 (waits in {call} at \S*victim\S* \(PE 1 on host {other}\))\n"
                    rf"oshrun: +PE 0 +{name} +\d+\.\d s +\1\n"
                    rf"oshrun: +PE 1 +{other} +does nothing that is known: its host does not answer\n")
            shown, until = "", time.monotonic() + 15
            while not re.match(line, shown) and time.monotonic() < until:
                time.sleep(0.1)
                shown = self.why(job.host(name), str(pid))
            everything = self.why(job.host(name))
            job.kill_pe(1, signal.SIGCONT)
            job.stop()
            self.assertRegex(shown, line)
            self.assertRegex(everything, line)
        self.for_each(test)

    def test_get(self):
        self.check_board("get", "shmem_long_g")

    def test_fetch(self):
        self.check_board("fetch", "shmem_long_atomic_fetch_add")

    def test_quiet(self):
        self.check_board("store", "shmem_quiet")


class Refused(Failure):
    """Starts that cannot succeed."""

    def refuse(self, env, named, prepare=None, without=(), seconds=10.0):
        def test(launcher):
            if prepare:
                prepare(launcher.site)
            began = time.monotonic()
            status, out = launcher.run(Layout([2, 2]), [VICTIM, "barrier"], 30,
                                       {**os.environ, **env})
            spent = time.monotonic() - began
            self.assertNotIn(status, (0, 124), out)
            self.assertLess(spent, seconds, out)
            # Slurm's daemons may be the first that cannot meet, and say so.
            ours = [line for line in out.splitlines() if re.search(r"sheaf: |slurmstepd-h\d:", line)]
            self.assertTrue(any(all(re.search(part, line) for part in named) for line in ours),
                            f"no line names {named}:\n{out}")
            self.assertEqual(launcher.site.wait_until_clean(3), {})
        self.for_each(test, without)

    def test_unknown_engine(self):
        self.refuse({"SHEAF_ENGINE": "nonsense"}, ["SHEAF_ENGINE", "nonsense", "ucx"])

    def test_no_engine(self):
        self.refuse({"SHEAF_ENGINE": "none"}, ["SHEAF_ENGINE=off", r"\bh[12]\b"])

    def test_unknown_transport(self):
        self.refuse({"UCX_TLS": "nonsense"}, ["UCX_TLS", "nonsense"])

    def test_transport_of_one_host(self):
        self.refuse({"UCX_TLS": "posix,self"}, ["UCX_TLS", "posix,self"])

    def test_shared_memory_alone(self):
        self.refuse({"UCX_TLS": "sm"}, ["UCX_TLS=sm", "name a network"])

    def test_hosts_that_cannot_meet(self):
        def isolate(site):
            for host in site.hosts:
                host.isolate()
        # The daemons of srun --mpi=pmix speak with each other, and wait for ever when they cannot. A rendezvous:
        # test_rendezvous.py.
        self.refuse({}, [r"\bh[12]\b"], isolate, ["slurm", "rendezvous"], seconds=25)


if __name__ == "__main__":
    common.main()

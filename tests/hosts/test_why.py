# SPDX-License-Identifier: BSD-3-Clause
"""Why a job of two hosts does not go on: one report for both, by SIGQUIT, by oshrun --why, after SHEAF_STALL
seconds; of a host that does not answer, too; and none of a job that is well."""
import json
import os
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

import common
import two_hosts
from hosts import MESSAGE_ID
from launchers import Layout

MISTAKES = os.environ["MISTAKES"]
OSHRUN, OSHTOP = (os.path.join(common.BUILD, "bin", name) for name in ("oshrun", "oshtop"))
LIMIT = 90.0  # seconds until the test gives up


def place(mark, nth=0):
    """The line of mistakes.c that ends with this comment, the nth from the top."""
    with open(os.path.join(os.path.dirname(__file__), "..", "oshrun", "mistakes.c"), encoding="ascii") as source:
        lines = [number for number, text in enumerate(source, 1) if text.rstrip().endswith(f"/* {mark} */")]
    return rf"mistakes\.c:{lines[nth]}" if shutil.which("addr2line") else r"\S+\+0x[0-9a-f]+"


class Job:
    """A job whose output is read as it comes."""

    def __init__(self, test, mode, *arguments, layout=(2, 2), env=None):
        self.site = test.site
        self.out = ""
        self.process = test.launcher.popen(Layout(layout), [MISTAKES, mode, *arguments],
                                           {**os.environ, "SHEAF_STALL": "0", **(env or {})},
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.set_blocking(self.process.stdout.fileno(), False)
        test.addCleanup(self.end)

    def read(self, seconds=0.0):
        """What has been said, some time later."""
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            text = self.process.stdout.read() if ready else ""
            self.out += re.sub(MESSAGE_ID, "", text or "")
            if not text or time.monotonic() >= until:
                return self.out

    def wait_for(self, pattern, test):
        until = time.monotonic() + LIMIT
        while not re.search(pattern, self.out) and time.monotonic() < until:
            self.read(0.1)
        test.assertRegex(self.out, pattern)

    def pids(self, host, count=2):
        """Those of the PEs on the host, ascending: the first started is the lowest."""
        until = time.monotonic() + LIMIT
        while len(found := self.site.hosts[host].find("mistakes")) < count and time.monotonic() < until:
            time.sleep(0.02)
        return found

    def end(self):
        self.site.kill_jobs()
        self.process.wait()
        self.process.stdout.close()


class Why(two_hosts.TwoHosts):
    def ask(self, host, *options):
        done = subprocess.run(self.site.hosts[host].inside(OSHRUN, "--why", *options), text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def until(self, ask, host, pattern):
        """Two looks at a job are of two moments: asks until the answer is so."""
        until = time.monotonic() + LIMIT
        while not re.search(pattern, out := ask(host)) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertRegex(out, pattern)
        return out

    def ask_until(self, host, pattern):
        return self.until(self.ask, host, pattern)

    def test_asked(self):
        """The same on each host; a signal to all PEs gives one report; a host that is stopped is named."""
        job = Job(self, "missing")
        meets = place("meets")
        waits = rf"PEs 0-2 wait for PE 3 in shmem_barrier_all at {meets} \(call 2 of the world team\)\. PE 3: it runs"
        for host in (0, 1):
            out = self.ask_until(host, f"(?m)^oshrun: {waits} its own code")
            self.assertRegex(out, "(?m)^oshrun: job of 4 PEs on 2 hosts$")
            self.assertRegex(out, rf"(?m)^oshrun:   PEs 0,1 +h1 .* waits in shmem_barrier_all at {meets}")
            self.assertRegex(out, rf"(?m)^oshrun:   PE 2 +h2 .* waits in shmem_barrier_all at {meets}")
        found = json.loads(self.ask(1, "--json"))
        self.assertEqual([(pe["pe"], pe["host"], pe["awaits"]) for pe in found["pes"]],
                         [(0, "h1", [3]), (1, "h1", [3]), (2, "h2", [3]), (3, "h2", [])])
        near, far = job.pids(0), job.pids(1)
        self.site.hosts[0].signal(signal.SIGQUIT, near)
        self.site.hosts[1].signal(signal.SIGQUIT, far)
        job.wait_for(rf"sheaf: {waits}[^\n]*\n(.*\n)*sheaf:   PE 3 +h2 ", self)
        self.assertEqual(len(re.findall("sheaf: PEs 0-2 wait", job.read(1.5))), 1, job.out)
        self.site.hosts[1].signal(signal.SIGSTOP, far)
        self.ask_until(0, r"(?m)^oshrun: PEs 0,1 wait for PEs 2,3 in shmem_barrier_all at .*\. PEs 2,3: each does "
                              "nothing that is known: its host does not answer$")
        self.assertRegex(self.ask(1), r"(?m)^oshrun: job of 4 PEs on 2 hosts: the 2 of host h2, because PE 2 there")
        self.site.hosts[1].signal(signal.SIGCONT, far)
        self.ask_until(0, f"(?m)^oshrun: {waits}")
        self.assertIsNone(job.process.poll(), job.out)

    @unittest.skipUnless(shutil.which("gdb") or shutil.which("eu-stack"), "neither gdb nor eu-stack is here")
    def test_stacks(self):
        """Those of the other host's PEs, read there; alone, where that is asked for."""
        job = Job(self, "missing")
        self.ask_until(0, r"(?m)^oshrun:   PE 2 +h2 .* waits in shmem_barrier_all")
        out = self.ask(0, "--stacks")
        self.assertRegex(out, r"(?s)stacks of PE 0 .*stacks of PE 1 .*\noshrun: host h2:\noshrun: stacks of PE 2 \(pid \d+\):\n"
                         r".*main.*stacks of PE 3 ")
        pids = job.pids(1)
        out = self.ask(1, str(pids[0]), "--stacks=here")
        self.assertEqual(re.findall(r"stacks of PE (\d)", out), ["2", "3"], out)
        self.assertNotIn("h1", out)
        self.assertEqual(self.site.hosts[1].find("oshrun"), [])
        self.assertIsNone(job.process.poll(), job.out)

    def top(self, host, *options):
        done = subprocess.run(self.site.hosts[host].inside(OSHTOP, "--once", "-d", "0.2", *options), text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def top_until(self, host, states):
        """The PEs once they are so."""
        until = time.monotonic() + LIMIT
        while True:
            pes = json.loads(self.top(host, "--json"))["jobs"][0]["pes"]
            found = [(pe["pe"], pe["host"], pe["state"]) for pe in pes]
            if found == states or time.monotonic() > until:
                self.assertEqual(found, states)
                return pes

    def test_top(self):
        """The PEs of all hosts on each, with their processors' time; unknown, while their host does not answer."""
        job = Job(self, "missing")
        self.ask_until(0, r"(?m)^oshrun:   PE 2 +h2 .* waits in shmem_barrier_all")
        for host in (0, 1):
            pes = self.top_until(host, [(0, "h1", "waits"), (1, "h1", "waits"), (2, "h2", "waits"), (3, "h2", "computes")])
            self.assertTrue(all(pe["cpu_percent"] is not None and pe["heap_bytes"] is not None for pe in pes), pes)
        far = job.pids(1)
        self.site.hosts[1].signal(signal.SIGSTOP, far)
        self.until(self.top, 0, r"(?s)^job of 4 PEs on 2 hosts: waits 2, unknown 2\n.*\n +2 h2 +unknown +- +- +- ")
        self.site.hosts[1].signal(signal.SIGCONT, far)
        self.until(self.top, 0, r"(?m)^ +2 h2 +waits .* shmem_barrier_all")

    def test_stall(self):
        """Every PE waits, the last for something else: that is told without a question, once."""
        job = Job(self, "elsewhere", env={"SHEAF_STALL": "0.5"})
        waits = rf"waits in shmem_long_wait_until at {place('waits')} \(long flag at 0x[0-9a-f]+ is 0, wants == 1\)"
        job.wait_for(r"sheaf: every PE has waited for 0\.5 s, and the job goes on waiting \(SHEAF_STALL\)\n"
                     rf"sheaf: PE 3 {waits}: nobody is left who could write it, as every PE waits or has ended\n"
                     rf"sheaf: PEs 0-2 wait for PE 3 in shmem_barrier_all at {place('meets', 1)} \(call 1 of the world "
                     rf"team\)\. PE 3: it {waits}\n", self)
        self.assertEqual(len(re.findall("every PE has waited", job.read(2.5))), 1, job.out)

    def test_calls_that_do_not_fit(self):
        """The broadcast's messages go astray, since nobody takes itself for the root: the job ends all the same."""
        job = Job(self, "receive", layout=(1, 1))
        where = place("next root")
        job.wait_for(rf"sheaf: PE \d: error: PE 0 calls shmem_long_broadcast \(PE_root 1, 64 bytes\) at {where}, and PE 1 "
                     rf"calls shmem_long_broadcast \(PE_root 0, 64 bytes\) at {where}: all members ", self)
        self.assertEqual(job.process.wait(LIMIT), 1, job.read(0.2))
        self.assertEqual(self.site.wait_until_clean(3), {})

    def test_not_connected(self):
        """Without the hosts' connections that is said, and this host's part is shown."""
        job = Job(self, "missing", layout=(1, 2), env={"SHEAF_FAILURE_DETECTOR": "off"})
        self.ask_until(0, rf"(?m)^oshrun:   PE 0 +h1 .* waits in shmem_barrier_all at {place('meets')}")
        self.site.hosts[0].signal(signal.SIGQUIT, job.pids(0, 1))
        job.wait_for(r"sheaf: SHEAF_FAILURE_DETECTOR=off: hosts are not connected, [^\n]*\n(sheaf: .*\n)*sheaf:   PE 0 +h1 ", self)

    def test_timeout(self):
        """The job ends with a report and 124, although a PE computes."""
        job = Job(self, "missing", env={"SHEAF_TIMEOUT": "1.5"})
        self.assertEqual(job.process.wait(LIMIT), 124, job.read(0.2))
        self.assertRegex(job.read(0.2), r"sheaf: the time limit of 1\.5 s is over\nsheaf: PEs 0-2 wait for PE 3 in "
                         rf"shmem_barrier_all at {place('meets')} ")
        self.assertEqual(self.site.wait_until_clean(3), {})

    def test_healthy(self):
        """A PE that is stopped in a wait, while all others wait for it, is no stall, then or when it goes on."""
        job = Job(self, "early", env={"SHEAF_STALL": "0.5"})
        self.ask_until(1, r"(?m)^oshrun:   PE 3 +h2 .* waits in shmem_barrier_all")
        pids = {pe["pe"]: pe["pid"] for pe in json.loads(self.ask(1, "--json"))["pes"]}
        last = [pids[3]]
        self.site.hosts[1].signal(signal.SIGSTOP, last)
        self.ask_until(0, r"(?m)^oshrun:   PEs 0,1 +h1 .* waits in shmem_barrier_all")
        job.read(2)
        self.site.hosts[1].signal(signal.SIGCONT, last)
        self.assertEqual(job.process.wait(LIMIT), 0, job.read(0.5))
        self.assertNotIn("sheaf: ", job.read(0.1))


if __name__ == "__main__":
    common.main()

# SPDX-License-Identifier: BSD-3-Clause
"""Strangers on a job's hosts and on its network. What they find: memory that they could attach, files,
what a PE that was killed has left, sockets. What happens when they connect there and send
garbage, or nothing, or come a thousand times.
"""
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

import common
from jobs import Job
from launchers import Layout
from two_hosts import VICTIM, TwoHosts

# As another user of the PEs' group, on a PE's host: what of the job can be opened for writing.
INTRUDER = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
with open("/proc/sysvipc/shm") as file:
    for line in file.readlines()[1:]:
        if libc.shmat(int(line.split()[1]), None, 0) != ctypes.c_void_p(-1).value:
            print("segment", line.split()[1])
for name in os.listdir("/dev/shm"):
    try:
        open("/dev/shm/" + name, "r+b").close()
        print("file", name)
    except OSError:
        pass
"""

LOOPBACK = "0100007F" # as /proc/net/tcp has it

# By whoever keeps the connection out, with its address: what gets in is dropped without one.
REFUSED = r"messages from outside this job are dropped \([\d.]+:\d+\)"

# On the head, WHAT ADDRESS PORT...: WHAT is garbage, silent or thousand. Prints how many connected.
STRANGER = r"""
import os, random, socket, sys, time
what, address, ports = sys.argv[1], sys.argv[2], list(map(int, sys.argv[3:]))
count = {"garbage": 20, "silent": 60, "thousand": 1000}[what]
kept, reached = [], 0
for i in range(count):
    for port in ports:
        try:
            one = socket.create_connection((address, port), 1)
            reached += 1
            if what != "silent":
                one.sendall(random.randbytes(random.choice([1, 23, 24, 25, 5000])))
        except OSError:
            continue
        if what == "silent" or i % 50 == 0:
            kept.append(one)
        else:
            one.close()
if what == "silent":
    time.sleep(3)
print(reached)
"""


def segments(host):
    return host.do("cat", "/proc/sysvipc/shm").splitlines()[1:]


def files(host):
    temporary = [name for name in host.do("ls", "-A", "/tmp").split() if name.startswith("ucx")]
    return host.do("ls", "-A", "/dev/shm").split() + temporary


def traces(site):
    """What is there of a job's memory outside its processes, per host."""
    found = {host.name: segments(host) + files(host) for host in site.hosts}
    return {name: what for name, what in found.items() if what}


def listeners(host):
    """(address, port) of each listening TCP socket there, the address as the kernel prints it."""
    found = set()
    for table in ("tcp", "tcp6"):
        try:
            lines = host.do("cat", f"/proc/net/{table}").splitlines()[1:]
        except Exception: # no such family there
            continue
        for words in map(str.split, lines):
            if words[3] == "0A":
                address, port = words[1].split(":")
                found.add((address, int(port, 16)))
    return found


class WithHydra(TwoHosts):
    def setUp(self):
        super().setUp()
        self.before = {host.name: listeners(host) for host in self.site.hosts}

    def start(self, what, *seconds, pes=(1, 1), env=None):
        return Job(self.launcher, Layout(list(pes)), [VICTIM, what, *seconds], env)


class Memory(WithHydra):
    def check_nothing_is_there(self, transports):
        job = self.start("contexts", env={"UCX_TLS": transports} if transports else None)
        try:
            job.wait_until_ready()
            for host in self.site.hosts:
                group = str(os.getegid())
                out = host.do("setpriv", "--reuid", "65534", "--regid", group, "--clear-groups",
                              sys.executable, "-c", INTRUDER)
                self.assertEqual(out, "", f"{host.name}, UCX_TLS={transports}")
            self.assertEqual(traces(self.site), {}, f"UCX_TLS={transports}")
        finally:
            job.stop()

    def test_by_default(self):
        self.check_nothing_is_there(None)

    def test_whatever_ucx_tls_says(self):
        for transports in ("all", "^cma", "tcp,self,sysv,posix", "sm,tcp", "\\posix,mm,tcp,self"):
            with self.subTest(transports=transports):
                self.check_nothing_is_there(transports)

    def test_after_kills(self):
        seed = random.randrange(10000)
        chance = random.Random(seed)
        for i in range(10):
            job = self.start("contexts", pes=(2, 2))
            until = time.monotonic() + 20
            while len(job.pes_left()) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            self.assertEqual(len(job.pes_left()), 2, job.out)
            time.sleep(chance.uniform(0, 1.0))
            host = chance.choice(self.site.hosts)
            host.signal(signal.SIGKILL, host.find(os.path.basename(VICTIM)))
            self.assertEqual(self.site.wait_until_clean(10), {})
            job.stop()
            self.assertEqual(traces(self.site), {}, f"round {i}, seed {seed}")


class Signals(WithHydra):
    def test_hangup_is_not_caught(self):
        job = self.start("wait").wait_until_ready()
        for host, pid in job.pids.values():
            status = job.host(host).do("cat", f"/proc/{pid}/status")
            caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)
            self.assertFalse(caught >> (signal.SIGHUP - 1) & 1, "SIGHUP is caught")
        job.stop()


class Sockets(WithHydra):
    def ours(self, host):
        return listeners(host) - self.before[host.name]

    def test_no_socket_listens_on_all_interfaces(self):
        job = self.start("barrier", "20")
        seen, until = set(), time.monotonic() + 6
        while time.monotonic() < until:
            for host in self.site.hosts:
                seen |= {address for address, _ in self.ours(host)}
        job.stop()
        self.assertTrue(seen, "no socket of the job was seen")
        everywhere = {address for address in seen if not address.strip("0")}
        self.assertEqual(everywhere, set())

    def check_stranger(self, what):
        """From the start on, at every port that is found, on both hosts."""
        job = self.start("barrier", "6")
        strangers, visited, until = [], set(), time.monotonic() + 8
        while time.monotonic() < until and job.process.poll() is None:
            for host in self.site.hosts:
                ports = {port for address, port in self.ours(host)
                         if address != LOOPBACK and (host.name, port) not in visited}
                visited |= {(host.name, port) for port in ports}
                if ports:
                    strangers.append(self.site.popen(
                        [sys.executable, "-c", STRANGER, what, host.address,
                         *map(str, sorted(ports))], stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
            time.sleep(0.01)
        reached = [stranger.communicate(timeout=60)[0] for stranger in strangers]
        status = job.process.wait(60)
        job.stop()
        self.assertEqual(status, 0, job.out)
        said = [line for line in job.out.splitlines() if "sheaf: " in line]
        self.assertEqual([line for line in said if "from outside this job" not in line], [])
        self.assertGreater(sum(map(int, reached)), 0, reached)
        if what != "silent": # those are let go when the job's end or the kernel's patience comes
            self.assertRegex("\n".join(said), REFUSED)
        self.assertEqual(self.site.wait_until_clean(5), {})

    def test_garbage(self):
        self.check_stranger("garbage")

    def test_silence(self):
        self.check_stranger("silent")

    def test_a_thousand(self):
        self.check_stranger("thousand")


if __name__ == "__main__":
    common.main()

# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that go on when PEs, hosts or their network are lost (SHEAF_FAILURES=report): the program of tests/survive/deaths.c
does one kind of call in a loop while one of the hosts is killed, unplugged, or the network split. Those who may go on
are told in time, make a team of themselves, work, and end with status 0; the others end with one line for each
host; nothing is left on any host, and none of its sockets.

SEEDS=n tries so many harms, layouts and kinds of calls, by seed; FIRST is the first one.
"""
import os
import random
import re
import signal
import tempfile
import time
import unittest

import common
from hosts import Site
from jobs import Job
from launchers import Layout, OneByOne, Rendezvous
from two_hosts import VICTIM

PROGRAM = os.environ["DEATHS"]
LAUNCHER = Rendezvous if os.environ.get("LAUNCHERS") == "rendezvous" else OneByOne
KINDS = ("barrier broadcast broadcast-long sum sum-long fcollect collect alltoall scan malloc agree lock wait sync alltoalls "
         "exscan split context space snapshot puts").split()
KILLED, SILENT = 1.0, 4.0  # seconds until all that go on have been told, at most
END = 10.0  # and until nothing of the job is left
TOLD = re.compile(r"^PE (\d+) of (\d+) was told at ([\d.]+), went on at ([\d.]+)$", re.MULTILINE)
LAST_LINE = re.compile(r"^sheaf: .*host (h\d): it cannot reach the greater part of the job any more.*$", re.MULTILINE)


def of_host(layout, *names):
    """The PEs that are there."""
    return {pe for pe, name in enumerate(layout.host_of_each()) if name in names}


class Harm:
    """What is done to a job, and who is gone then. ends: hosts whose PEs end themselves."""

    def __init__(self, lost, do, limit, ends=()):
        self.lost, self.do, self.limit, self.ends = lost, do, limit, ends


def kill_pe(layout, pe):
    return Harm({pe}, lambda job: job.kill_pe(pe), KILLED)


def kill_host(layout, name):
    return Harm(of_host(layout, name), lambda job: job.host(name).kill_all(), KILLED)


def kill_agent(layout, name):
    def do(job):
        host = job.host(name)
        host.signal(signal.SIGKILL, agents(host))
    return Harm(of_host(layout, name), do, KILLED)


def agents(host):
    """A site's processes share the machine's table: by the name of the program."""
    found = []
    root = f"/proc/{host.pid}/root/proc"
    for pid in host.left():
        try:
            with open(f"{root}/{pid}/comm", encoding="ascii") as file:
                if file.read() == "sheaf-agent\n":
                    found.append(pid)
        except OSError:
            pass
    return found


def cut(layout, *names):
    """These hosts' cables: the hosts are alive."""
    def do(job):
        for name in names:
            job.host(name).set_link(False)
    return Harm(of_host(layout, *names), do, SILENT, names)


NOBODY = "02:00:00:00:00:01"  # an address that no host has


def misdirect(host, other):
    """What the host sends to the other is lost from now on."""
    host.do("ip", "neigh", "replace", other.address, "lladdr", NOBODY, "nud", "permanent", "dev", "eth0")


def deafen(layout, name, way):
    """One direction alone: what the host sends, or what the others send to it."""
    def do(job):
        host = job.host(name)
        for other in job.site.hosts:
            if other is not host:
                misdirect(*((host, other) if way == "sends" else (other, host)))
    return Harm(of_host(layout, name), do, SILENT, (name,))


def part(layout, one, other):
    """These two, which reach all others: the sequencer, which is the lowest, has its way."""
    def do(job):
        misdirect(job.host(one), job.host(other))
        misdirect(job.host(other), job.host(one))
    return Harm(of_host(layout, other), do, SILENT, (other,))


def power_off(layout, name):
    """Its kernel says nothing of the end."""
    def do(job):
        job.host(name).set_link(False)
        job.host(name).kill_all()
    return Harm(of_host(layout, name), do, SILENT)


def leftovers(site):
    """What could be left where other jobs would find it."""
    return {host.name: host.do("ls", "-A", "/dev/shm", "/tmp") for host in site.hosts}


class OnHosts(unittest.TestCase):
    def harm(self, pes, kind, make, *arguments, cyclic=False):
        layout = Layout(pes, cyclic)
        harm = make(layout, *arguments)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, Site(len(pes), keep=[PROGRAM, folder]) as site:
            os.chdir(folder)
            try:
                self.run_job(site, layout, kind, harm)
            finally:
                os.chdir(before)

    def run_job(self, site, layout, kind, harm):
        before = leftovers(site)
        deaths = min(len(harm.lost), layout.total - 1)
        program = [PROGRAM, "1", str(deaths), kind, "harmed"]
        job = Job(LAUNCHER(site), layout, program, {"SHEAF_FAILURES": "report"}).wait_until_ready()
        time.sleep(0.05)
        began = time.monotonic()
        harm.do(job)
        clean, gone, remain = job.end(site.left, END)
        text = f"{job.out}\n[clean {clean}, launcher gone {gone}]"
        self.assertIsNotNone(clean, f"processes left: {remain}\n{text}")
        self.assertIsNotNone(gone, f"the launcher did not end\n{text}")
        self.assertEqual(leftovers(site), before, text)
        self.assertEqual(job.process.returncode, 0, text)
        self.check_said(job.out, text, layout, harm, began)

    def check_said(self, out, text, layout, harm, began):
        living = set(range(layout.total)) - harm.lost
        said = TOLD.findall(out)
        self.assertEqual({int(pe) for pe, *_ in said}, living, text)
        self.assertTrue(all(int(count) == len(living) for _, count, *_ in said), text)
        self.assertEqual(sorted(LAST_LINE.findall(out)), sorted(harm.ends), text)
        others = [line for line in out.splitlines() if "error:" in line and not LAST_LINE.match(line)]
        self.assertEqual(others, [], text)
        if living:
            told, went_on = (max(float(row[at]) for row in said) - began for at in (2, 3))
            self.assertLess(told, harm.limit, text)
            print(f"    {layout}: told after {told:.3f} s, a team after {went_on:.3f} s", flush=True)


class Lost(OnHosts):
    """A few, for every day: those that are told at once, and one that takes the network's 4 s."""

    def test_killed_pe(self):
        self.harm([2, 2], "sum", kill_pe, 3)

    def test_killed_host(self):
        self.harm([2, 1, 1], "alltoall", kill_host, "h1")

    def test_unplugged(self):
        self.harm([1, 2, 1], "sum-long", cut, "h1")


class More(OnHosts):
    def test_killed_other_host(self):
        self.harm([2, 2], "barrier", kill_host, "h2")

    def test_killed_agent(self):
        self.harm([2, 2], "lock", kill_agent, "h2")

    def test_unplugged_of_two(self):
        self.harm([2, 2], "fcollect", cut, "h2")

    def test_all_apart(self):
        self.harm([1, 1, 1], "agree", cut, "h1", "h2", "h3")

    def test_powered_off(self):
        self.harm([1, 1], "malloc", power_off, "h2")

    def test_powered_off_during_puts(self):
        """What is under way to the silent host is more than libfabric has room for."""
        self.harm([1, 1, 1], "puts", power_off, "h2")

    def test_powered_off_first_of_three(self):
        self.harm([2, 1, 1], "lock", power_off, "h1")

    def test_cannot_send(self):
        self.harm([2, 1, 1], "barrier", deafen, "h2", "sends")

    def test_cannot_hear(self):
        self.harm([1, 2], "sum", deafen, "h2", "hears")

    def test_first_cannot_hear(self):
        """It loses the others one after the other, and must not put them out meanwhile."""
        self.harm([1, 1, 1], "lock", deafen, "h1", "hears")

    def test_two_that_part(self):
        self.harm([1, 1, 1], "sum", part, "h1", "h3")

    def test_short_silence(self):
        """A network that comes back after a second has killed nobody."""
        with Site(2, keep=[VICTIM]) as site:
            job = Job(LAUNCHER(site), Layout([1, 1]), [VICTIM, "barrier", "6"], {"SHEAF_FAILURES": "report"})
            job.wait_until_ready()
            site.hosts[1].set_link(False)
            time.sleep(1)
            site.hosts[1].set_link(True)
            clean, gone, _ = job.end(site.left, END)
            self.assertNotIn(None, (clean, gone), job.out)
            self.assertNotIn("sheaf: ", job.out)
            self.assertEqual(job.process.returncode, 0, job.out)


class Random(OnHosts):
    """By seed; of one kind of call after the other."""

    def test_seeds(self):
        first = int(os.environ.get("FIRST", "0"))
        for seed in range(first, first + int(os.environ.get("SEEDS", "0"))):
            with self.subTest(seed=seed):
                self.one(seed, random.Random(seed))

    def one(self, seed, chance):
        pes = chance.choice([[1, 1], [2, 1], [2, 2], [1, 1, 1], [2, 1, 1], [1, 2, 1]])
        layout = Layout(pes, chance.random() < 0.3)
        name = chance.choice(layout.names)
        make = chance.choice([kill_host, kill_host, kill_host, kill_agent, cut, deafen, power_off])
        if len(pes) == 2 and make in (cut, deafen, power_off):
            name = "h2" # of two the one with PE 0 goes on
        arguments = [name, chance.choice(["sends", "hears"])] if make is deafen else [name]
        kind = KINDS[seed % len(KINDS)]
        print(f"seed {seed}: {kind}, {layout}, {make.__name__} {' '.join(arguments)}", flush=True)
        self.harm(pes, kind, make, *arguments, cyclic=layout.cyclic)


if __name__ == "__main__":
    common.main()

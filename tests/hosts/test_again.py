# SPDX-License-Identifier: BSD-3-Clause
"""Hosts are killed, switched off, unplugged or half deaf while tests/survive/rehome.c runs on them: their PEs live again on
another host, all go back to the last snapshot, whose copies lie in the memory of that one alone, and the end is that of an
undisturbed job. What is left of a host that was merely silent ends itself, whenever it hears again.

SEEDS=n tries so many layouts and harms, by seed; FIRST is the first one.
"""
import os
import random
import re
import signal
import subprocess
import threading
import time
import unittest

import common
from hosts import MESSAGE_ID, Site
from launchers import Layout, OneByOne, SlurmPmi2, launcher_of
from test_lost import LAST_LINE, cut, deafen, kill_host, kill_agent, power_off

PROGRAM = os.environ["REHOME"]
OSHRUN = os.path.join(common.BUILD, "bin", "oshrun")
STEPS, EVERY, MICROSECONDS = 60, 6, 15000
FOLDER = "/dev/shm/saved"  # of each host
END = 40.0
CHECKSUM = re.compile(rf"^steps {STEPS} checksum (\w+)$", re.MULTILINE)
SETTINGS = {"SHEAF_FAILURES": "report", "SHEAF_BUDDY": "1", "SHMEM_SYMMETRIC_SIZE": "32M"}


class Job:
    """As the harms of test_lost want it."""

    def __init__(self, site, layout):
        self.site, self.said = site, []
        self.process = self.start(layout, [PROGRAM, str(STEPS), FOLDER, str(EVERY), str(MICROSECONDS)],
                                  {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "errors": "replace"})
        self.begun = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def start(self, layout, program, options):
        return OneByOne(self.site).popen(layout, ["setarch", "-R", OSHRUN, "--respawn-agent=16", *program],
                                         env={**os.environ, **SETTINGS}, **options)

    def read(self):
        for line in self.process.stdout:
            self.said.append(re.sub(MESSAGE_ID, "", line))
            if line == "begins\n":
                self.begun.set()

    def host(self, name):
        return next(host for host in self.site.hosts if host.name == name)

    def end(self, limit=END):
        """What it has said; whether it has ended."""
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.site.kill_jobs()
            self.process.wait(10)
            self.said.append("[no end]\n")
        self.reader.join(5)
        self.process.stdout.close()
        return "".join(self.said)


class SlurmJob(Job):
    """As a user starts it."""

    def start(self, layout, program, options):
        hosts = ",".join(f"{name}:{pes}" for name, pes in zip(layout.names, layout.pes))
        words = [OSHRUN, "-q", "--spare", "16", "--hosts", hosts, "--launcher", "srun", *program]
        return self.site.popen(words, env=SlurmPmi2(self.site).environment({**os.environ, **SETTINGS}), **options)

    def await_checksum(self):
        until = time.monotonic() + END
        while not CHECKSUM.search("".join(self.said)) and time.monotonic() < until:
            time.sleep(0.05)


class OnHosts(unittest.TestCase):
    sums = {}

    def undisturbed(self, pes):
        if sum(pes) not in self.sums:
            with Site(len(pes), keep=[PROGRAM]) as site:
                said = Job(site, Layout(pes)).end()
            self.assertRegex(said, CHECKSUM)
            self.sums[sum(pes)] = CHECKSUM.findall(said)
        return self.sums[sum(pes)]

    def harm(self, pes, make, *arguments, heals=False, later=()):
        wanted, layout = self.undisturbed(pes), Layout(pes)
        with Site(len(pes), keep=[PROGRAM]) as site:
            job = Job(site, layout)
            self.assertTrue(job.begun.wait(20), "".join(job.said))
            time.sleep(0.3)
            harms = [make(layout, *arguments)]
            harms[0].do(job)
            for wait, other, *words in later:
                time.sleep(wait)
                harms.append(other(layout, *words))
                harms[-1].do(job)
            if heals:
                self.heal(job, arguments[0])
            said = job.end()
            self.check(site, job, said, wanted, [name for harm in harms for name in harm.ends])
            if not later:  # of neighbours no copies may be left: then all begin again
                self.assertIn("goes on at step", said)

    @staticmethod
    def heal(job, name):
        """As soon as it counts as lost the host is there again."""
        until = time.monotonic() + 10
        while f"host {name} is lost" not in "".join(job.said) and time.monotonic() < until:
            time.sleep(0.01)
        for host in job.site.hosts:
            host.do("ip", "neigh", "flush", "dev", "eth0")
        job.host(name).set_link(True)

    def check(self, site, job, said, wanted, ends):
        until = time.monotonic() + 10
        while site.left() and time.monotonic() < until:
            time.sleep(0.02)
        self.assertFalse(site.left(), said)
        self.assertEqual(CHECKSUM.findall(said), wanted, said)
        self.assertEqual(job.process.returncode, 0, said)
        errors = [line for line in said.splitlines() if "error:" in line and not LAST_LINE.match(line)]
        self.assertEqual(errors, [], said)
        self.assertEqual(sorted(LAST_LINE.findall(said)), sorted(ends), said)
        steps = re.findall(r"goes on at step (\d+)", said)
        print(f"    {self.id().split('.')[-1]}: goes on at step {', '.join(steps)}", flush=True)


class Again(OnHosts):
    """For every day."""

    def test_killed_host(self):
        self.harm([2, 2], kill_host, "h2")


class More(OnHosts):
    def test_killed_first(self):
        self.harm([2, 1, 1], kill_host, "h1")

    def test_killed_agent(self):
        self.harm([1, 2], kill_agent, "h1")

    def test_powered_off(self):
        self.harm([2, 2], power_off, "h2")

    def test_unplugged(self):
        self.harm([1, 2, 1], cut, "h2")

    def test_unplugged_and_back(self):
        self.harm([1, 2, 1], cut, "h2", heals=True)

    def test_first_unplugged_and_back(self):
        self.harm([1, 1, 1], cut, "h1", heals=True)

    def test_cannot_send_and_back(self):
        self.harm([1, 2, 1], deafen, "h2", "sends", heals=True)

    def test_cannot_hear_and_back(self):
        self.harm([1, 2, 1], deafen, "h2", "hears", heals=True)

    def test_new_home_killed(self):
        self.harm([1, 1, 1], kill_host, "h1", later=[(0.4, kill_host, "h2")])

    def test_new_home_killed_at_once(self):
        self.harm([1, 1, 1], kill_host, "h2", later=[(0.02, kill_host, "h3")])


class UnderSlurm(OnHosts):
    def run_job(self, harm_it):
        why = SlurmPmi2.missing()
        if why:
            self.skipTest(why)
        wanted, layout = self.undisturbed([2, 2]), Layout([2, 2])
        with Site(2, keep=[PROGRAM]) as site, launcher_of("slurm-pmi2", site):
            job = SlurmJob(site, layout)
            self.assertTrue(job.begun.wait(20), "".join(job.said))
            time.sleep(0.3)
            harm_it(job, layout)
            job.await_checksum()
            self.assertEqual(CHECKSUM.findall("".join(job.said)), wanted, job.said)
            self.assertIn("goes on at step", "".join(job.said))
            return job.end(5)

    def test_killed_pe(self):
        def kill_first(job, _):
            host = job.host("h2")
            host.signal(signal.SIGKILL, sorted(host.find(os.path.basename(PROGRAM)))[:1])
        self.assertNotIn("[no end]", self.run_job(kill_first))

    def test_lost_host(self):
        """Then srun waits for the host."""
        self.assertIn("host h2 is lost", self.run_job(lambda job, layout: power_off(layout, "h2").do(job)))


class Random(OnHosts):
    def test_seeds(self):
        first = int(os.environ.get("FIRST", "0"))
        for seed in range(first, first + int(os.environ.get("SEEDS", "0"))):
            with self.subTest(seed=seed):
                self.one(random.Random(seed))

    def one(self, chance):
        pes = chance.choice([[2, 1], [2, 2], [1, 1, 1], [2, 1, 1], [1, 2, 1], [2, 2, 1]])
        make = chance.choice([kill_host, kill_host, kill_agent, cut, deafen, power_off])
        name = chance.choice([f"h{number + 1}" for number in range(len(pes))])
        if len(pes) == 2 and make in (cut, deafen, power_off):
            name = "h2"  # of two the one with PE 0 goes on
        arguments = [name, chance.choice(["sends", "hears"])] if make is deafen else [name]
        heals = make in (cut, deafen) and chance.random() < 0.7
        later = []
        if len(pes) == 3 and make in (kill_host, kill_agent):
            other = chance.choice([f"h{number}" for number in (1, 2, 3) if f"h{number}" != name])
            later = [(chance.uniform(0, 0.6), chance.choice([kill_host, kill_agent]), other)]
        self.harm(pes, make, *arguments, heals=heals, later=later)


if __name__ == "__main__":
    common.main()

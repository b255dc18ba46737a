# SPDX-License-Identifier: BSD-3-Clause
"""Hosts are apart from each other and from this machine, and nothing of them is left."""
import os
import signal
import subprocess
import sys
import time
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

HERE = os.path.dirname(os.path.abspath(__file__))

# Sends to an address what it is told to, and prints how long that took; or listens.
TALK = """
import socket, sys, time
address, size = sys.argv[1], int(sys.argv[2])
def receive(connection):
    got = 0
    while got < size:
        data = connection.recv(65536)
        if not data: break
        got += len(data)
    connection.sendall(b"!")
if address == "-":
    listener = socket.create_server(("", 7777))
    print("listening", flush=True)
    receive(listener.accept()[0])
else:
    began = time.monotonic()
    connection = socket.create_connection((address, 7777), timeout=20)
    connection.sendall(bytes(size))
    connection.recv(1)
    print(time.monotonic() - began)
"""


def seconds_to_send(sender, receiver, size):
    """Over a connection between two hosts; None when there is no such."""
    listening = subprocess.Popen(receiver.inside(sys.executable, "-c", TALK, "-", str(size)),
                                 stdout=subprocess.PIPE, text=True)
    try:
        listening.stdout.readline()
        sent = subprocess.run(sender.inside(sys.executable, "-c", TALK, receiver.name, str(size)),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              timeout=40, check=False)
        return float(sent.stdout) if sent.returncode == 0 else None
    finally:
        listening.kill()
        listening.wait()
        listening.stdout.close()


def links():
    return subprocess.run(["ip", "-o", "link"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.count("\n")


def marked(marker):
    """Pids of the processes that inherited this variable."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if marker.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


class Apart(unittest.TestCase):
    def test_names_and_addresses(self):
        with Site(3) as site:
            for host in site.hosts:
                self.assertEqual(host.do("hostname").strip(), host.name)
                for other in site.hosts:
                    self.assertIn(other.address, host.do("getent", "hosts", other.name))
            self.assertGreater(seconds_to_send(site.hosts[0], site.hosts[2], 10), 0)

    def test_no_way_out(self):
        with Site(1) as site:
            for machine in (site, site.hosts[0]):
                routes = machine.do("ip", "route").strip().splitlines()
                self.assertEqual(len(routes), 1, routes)
                self.assertTrue(routes[0].startswith("10.77.0.0/24"), routes)

    def test_nothing_shared(self):
        with Site(2) as site:
            one, two = site.hosts
            for place in ("/dev/shm", "/tmp"):
                one.do("touch", f"{place}/mark")
                self.assertNotIn("mark", two.do("ls", place).split())
                self.assertFalse(os.path.exists(f"{place}/mark"))
            self.assertEqual(one.do("ls", "/sys/class/net").split(), ["eth0", "lo"])
            for kind in ("net", "uts", "ipc", "pid", "mnt"):
                names = {machine.do("readlink", f"/proc/self/ns/{kind}")
                         for machine in (site, one, two)} | {os.readlink(f"/proc/self/ns/{kind}")}
                self.assertEqual(len({name.strip() for name in names}), 4, kind)
            self.assertEqual(set(two.processes()), {1})

    def test_paths_that_stay(self):
        path = f"/tmp/sheaf-hosts-{os.getpid()}"
        os.mkdir(path)
        try:
            with Site(1, keep=[path]) as site:
                site.hosts[0].do("touch", f"{path}/mark")
                self.assertEqual(os.listdir(path), ["mark"])
        finally:
            subprocess.run(["rm", "-r", path], check=True)

    def test_two_sites(self):
        with Site(2) as one, Site(2) as other:
            one.hosts[1].set_link(False)
            self.assertIsNotNone(seconds_to_send(*other.hosts, 10))


class Wire(unittest.TestCase):
    def test_rate(self):
        with Site(2, rate="100mbit") as site:
            self.assertGreater(seconds_to_send(*site.hosts, 4 << 20), 0.25)

    def test_cable(self):
        with Site(2) as site:
            site.hosts[1].set_link(False)
            code = "import socket; socket.create_connection(('h2', 7777), timeout=1)"
            with self.assertRaises(Exception):
                site.hosts[0].do(sys.executable, "-c", code)
            site.hosts[1].set_link(True)
            self.assertIsNotNone(seconds_to_send(*site.hosts, 10))


class NothingLeft(unittest.TestCase):
    def setUp(self):
        self.marker = f"HOSTS_TEST_MARKER=x{os.getpid()}x{time.monotonic_ns()}"
        self.links = links()

    def check(self, seconds=5):
        until = time.monotonic() + seconds
        while marked(self.marker) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(marked(self.marker), [])
        self.assertEqual(links(), self.links)

    def begin(self, launcher):
        """A job that sleeps on two hosts, in the background."""
        name, value = self.marker.split("=")
        process = subprocess.Popen(
            [f"{HERE}/run-on-hosts", "--launcher", launcher, "--", "sh", "-c",
             "echo began; exec sleep 60"], env={**os.environ, name: value},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(process.stdout.readline(), "began\n")
        return process

    def test_after_each_end(self):
        for name in common.launchers_here():
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
                with self.subTest(launcher=name, signal=number):
                    process = self.begin(name)
                    process.send_signal(number)
                    process.wait(20)
                    process.stdout.close()
                    self.check()

    def test_after_an_exception(self):
        name, value = self.marker.split("=")
        os.environ[name] = value
        try:
            with self.assertRaises(ZeroDivisionError), Site(2) as site:
                site.popen(["sleep", "60"])
                raise ZeroDivisionError
        finally:
            del os.environ[name]
        self.check()


class Launchers(unittest.TestCase):
    """Without Sheaf: which PE runs where."""

    def test_layouts(self):
        say = "echo $(hostname) ${PMIX_RANK:-${PMI_RANK:-$SHEAF_RANK}}"
        for name in common.launchers_here():
            with Site(3) as site, launcher_of(name, site) as launcher:
                for layout in (Layout([2, 2, 2]), Layout([2, 2, 2], cyclic=True),
                               Layout([1, 3], names=["h1", "h2"])):
                    with self.subTest(launcher=name, layout=str(layout)):
                        status, out = launcher.run(layout, ["sh", "-c", say], 30)
                        self.assertEqual(status, 0, out)
                        lines = sorted(out.splitlines(), key=lambda line: int(line.split()[-1]))
                        self.assertEqual(
                            lines, [f"{host} {pe}" for pe, host in enumerate(layout.host_of_each())])
                        self.assertEqual(site.wait_until_clean(5), {})

    def test_unknown_host(self):
        for name in common.launchers_here():
            if name.startswith("slurm") or name == "hydra":
                continue # srun knows its own nodes only; Hydra waits for a proxy for ever
            with Site(1) as site, launcher_of(name, site) as launcher:
                with self.subTest(launcher=name):
                    status, out = launcher.run(Layout([1, 1], names=["h1", "nowhere"]), ["true"], 20)
                    self.assertNotIn(status, (0, 124), out)
                    self.assertIn("nowhere", out)


if __name__ == "__main__":
    common.main()

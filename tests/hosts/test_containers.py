# SPDX-License-Identifier: BSD-3-Clause
"""PEs of one machine in several containers: those that can meet share memory, all others use the network.

A site's hosts are containers here: each has namespaces of its own for processes, mounts, IPC, names and network, and each process
one for users."""
import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
import time
import unittest

import common
from hosts import SHARED, Site
from launchers import USER_NAMESPACE, Containers, Hydra, Layout, OpenMpi, Rendezvous

NEAR = os.environ["NEAR"]
STATIC = os.environ.get("NEAR_STATIC")


class Case(unittest.TestCase):
    containers = 2

    def setUp(self):
        self.site = Site(self.containers)
        self.addCleanup(self.site.__exit__, None, None, None)
        self.site.__enter__()

    def run_job(self, *words, pes=(2, 2), before=":", launcher=Containers, program=NEAR, **settings):
        """(status, output). before: what a shell does in each container first."""
        with launcher(self.site) as started:
            env = {**started.environment(), **settings}
            done = started.run(Layout(pes), ["sh", "-c", f'{before}\nexec "$0" "$@"', program, *words], 40, env)
        self.assertEqual(self.site.wait_until_clean(5), {}, done[1])
        self.assertEqual(self.sockets(), [])
        return done

    def sockets(self):
        return [name for name in os.listdir(self.site.shared) if name.startswith("sheaf-")]

    def near(self, *arguments, said=(), **settings):
        """How many PEs each shares memory with, where all is right. said: lines of the library's that are to be there."""
        status, out = self.run_job(*arguments, **settings)
        self.assertEqual(status, 0, out)
        for line in said:
            self.assertRegex(out, line)
        if not said:
            self.assertNotIn("sheaf: ", out)
        found = {int(pe): int(near) for pe, near in re.findall(r"^PE (\d+): near (\d+), wrong 0,", out, re.MULTILINE)}
        self.assertEqual(len(found), sum(settings.get("pes", (2, 2))), out)
        return [found[pe] for pe in sorted(found)]


class Memory(Case):
    containers = 3

    def test_folder(self):
        self.assertEqual(self.near(), [4] * 4)
        self.assertEqual(self.near(pes=(1, 1, 1)), [3] * 3)
        self.assertEqual(self.near(pes=(5, 3, 24)), [32] * 32)

    def test_rendezvous_in_the_folder(self):
        """Which is the one, where no other is named."""
        self.assertEqual(self.near(before="unset SHEAF_NODE_DIR SHEAF_SECRET", SHEAF_RENDEZVOUS=f"{SHARED}/meet",
                                   launcher=WithFile), [4] * 4)

    def test_one_network(self):
        """As containers of one pod: no folder is needed. The process numbers are the same in both."""
        apart = [*USER_NAMESPACE, "--pid", "--fork", "--kill-child", "--mount-proc"]
        port = f"{self.site.hosts[0].address}:7117"
        command = " & ".join(f"SHEAF_RANK={rank} {' '.join(apart)} {NEAR}" for rank in (0, 1)) + " & wait"
        status, out = self.site.run([f"{SHARED}/enter", "h1", "env", "SHEAF_BOOT=rendezvous", "SHEAF_SIZE=2",
                                     f"SHEAF_RENDEZVOUS={port}", "SHEAF_SECRET=one-secret-for-both", "sh", "-c", command])
        self.assertEqual(sorted(re.sub(r"process \d+", "", out).splitlines()),
                         ["PE 0: near 2, wrong 0, ", "PE 1: near 2, wrong 0, "], (status, out))

    def test_launchers(self):
        """mpirun with a container for each process: the process numbers are shared, the user namespaces are not."""
        for launcher in (Hydra, OpenMpi):
            if launcher.missing():
                print(f"    {launcher.missing()}")
                continue
            with self.subTest(launcher=launcher.name):
                self.assertEqual(self.near(launcher=InUserNamespaces[launcher], SHEAF_NODE_DIR=SHARED), [4] * 4)

    def test_some(self):
        """The third container sees another folder."""
        before = f'[ "$(hostname)" != h3 ] || export SHEAF_NODE_DIR=/tmp'
        self.assertEqual(self.near(pes=(2, 1, 1), before=before), [3, 3, 3, 1])

    def time_of_p(self, pes):
        status, out = self.run_job("time", pes=pes)
        self.assertEqual(status, 0, out)
        return float(re.search(r"shmem_long_p: ([\d.]+) ns", out)[1])

    def test_time(self):
        """A p is the same store between containers as within one: over the network it is some 100 ns, and later at the target."""
        within, between = (min(self.time_of_p(pes) for _ in range(3)) for pes in ((2,), (1, 1)))
        self.assertLess(between, 2 * within)

    def test_static(self):
        """Which finds no address of a name."""
        if not STATIC:
            self.skipTest("no static program here")
        self.assertEqual(self.near(program=STATIC, before=f"export SHEAF_RENDEZVOUS={self.site.hosts[0].address}:7117"), [4] * 4)


class Apart(Case):
    """Where they cannot meet, the network carries the job, and a line for those who ask says why. Processes of one container have
    one network namespace, and meet by that."""

    def apart(self, *said, near=(2, 2, 2, 2), before=":", debug=True, **settings):
        if debug:
            settings["SHMEM_DEBUG"] = "1"
        self.assertEqual(self.near(before=before, said=said, **settings), list(near))

    def test_no_folder(self):
        self.apart("another container.* SHEAF_NODE_DIR", before="unset SHEAF_NODE_DIR")

    def test_played_hosts(self):
        self.apart(before='export SHEAF_HOST="$(hostname)"', debug=False)

    def test_folder_is_not_there(self):
        self.apart(r"SHEAF_NODE_DIR is \"/not/there\".*No such file", before="export SHEAF_NODE_DIR=/not/there", debug=False)

    def test_folder_is_read_only(self):
        """Where the others wanted to meet."""
        self.site.hosts[0].do("mount", "--bind", "-o", "ro", SHARED, SHARED)
        self.apart("no socket.*Read-only file system", near=(2, 2, 1, 1))

    def test_too_few_descriptors(self):
        """For those of 24 processes, three each, in the second container. A container joins whole or not at all."""
        self.apart(near=[12] * 24, pes=(12, 12), before='[ "$(hostname)" = h1 ] || ulimit -n 60', debug=False, launcher=OneUserNamespace)

    def test_deaths_are_reported(self):
        """By process numbers: the network is used."""
        self.apart(near=[1] * 4, debug=False, SHEAF_FAILURES="report", SHEAF_CHECK="args")


class Ends(Case):
    def test_kill(self):
        with Containers(self.site) as launcher:
            job = launcher.popen(Layout([2, 2]), [NEAR, "wait"], launcher.environment(), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
            heads = [job.stdout.readline() for _ in range(4)]
            process = re.search(r"PE 3: .*process (\d+)", "".join(heads))[1]
            began = time.monotonic()
            self.site.hosts[1].signal(signal.SIGKILL, [int(process)])
            out = "".join(heads) + job.communicate(timeout=20)[0]
        self.assertLess(time.monotonic() - began, 5, out)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(out, rf"PE 3 on host h2 \(process {process}\) has died")
        self.assertEqual(len(re.findall("has died", out)), 1, out)
        self.assertEqual(self.site.wait_until_clean(3), {})

    def test_exit(self):
        self.assertEqual(self.run_job("exit")[0], 7)

    def test_vanish(self):
        """With status 0, which the kernel tells within a container that shares its user namespace, and not always to others."""
        for pes, launcher, line in (((1, 2), OneUserNamespace, "has left with status 0 without shmem_finalize"),
                                    ((2, 1), Containers, "has (died, or has left|left with status 0) without shmem_finalize")):
            with self.subTest(pes=pes):
                status, out = self.run_job("vanish", pes=pes, launcher=launcher)
                self.assertNotEqual(status, 0, out)
                self.assertRegex(out, rf"PE 2 on host h2 \(process \d+\) {line}: the job ends")

    def test_socket_of_a_dead_job(self):
        """Is swept, another's file is not."""
        script = ("import os, socket, sys\n"
                  "for name in sys.argv[1:]:\n"
                  "    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.bind(name); s.listen(1)\n"
                  "    os.utime(name, (1e9, 1e9))\n")
        stale, other = f"{self.site.shared}/sheaf-{'ab' * 16}.socket", f"{self.site.shared}/mine-{'ab' * 16}.socket"
        os.chdir(self.site.shared)
        self.addCleanup(os.chdir, os.environ["BUILD"])
        subprocess.run([sys.executable, "-c", script, *map(os.path.basename, (stale, other))], check=True)
        self.assertEqual(self.near(), [4] * 4)
        self.assertFalse(os.path.exists(stale))
        self.assertTrue(stat.S_ISSOCK(os.stat(other).st_mode))


# In a third container: connects to every socket of the folder, and passes a descriptor of its own with a word that is none. Prints for
# each socket that it finds whether it got in, or why not.
STRANGER = r"""
import array, os, random, socket, sys, time
folder, seen = sys.argv[1], set()
print("looks", flush=True)
while True:
    for name in set(os.listdir(folder)) - seen:
        if not name.endswith(".socket"):
            continue
        seen.add(name)
        one = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            one.connect(folder + "/" + name)
            one.sendmsg([random.randbytes(48)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
            print("connected", flush=True)
        except OSError as error:
            print(error.strerror, flush=True)
"""


class Strangers(Case):
    """A container that sees the folder, and is not of the job."""
    containers = 3

    def beside(self, front, wanted):
        """Jobs beside a stranger, until it has found the meeting of one; all jobs are right. What it has printed."""
        stranger = subprocess.Popen(self.site.hosts[2].inside(*front, sys.executable, "-c", STRANGER, SHARED), stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self.assertEqual(stranger.stdout.readline(), "looks\n")
            found = []
            for _ in range(20):
                with Containers(self.site) as started:
                    status, out = started.run(Layout((5, 6)), [NEAR, "leave"], 40, started.environment())
                self.assertEqual((status, "sheaf: " in out), (0, False), out)
                self.assertEqual(re.findall(r"near (\d+), wrong (\d+),", out), [("11", "0")] * 11, out)
                while select.select([stranger.stdout], [], [], 0.1)[0]:
                    line = stranger.stdout.readline()
                    self.assertTrue(line, found)  # else it has ended
                    found.append(line.strip())
                if wanted in found:
                    break
        finally:
            self.site.hosts[2].kill_all()
            stranger.communicate()
        self.assertEqual(self.sockets(), [])
        return found

    def test_same_user(self):
        """The kernel lets it in; it has no proof."""
        found = self.beside([], "connected")
        self.assertIn("connected", found)

    def test_other_user(self):
        found = self.beside(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"], "Permission denied")
        self.assertIn("Permission denied", found)
        self.assertNotIn("connected", found)

    def test_other_job(self):
        """Two jobs with secrets of their own meet in one folder at the same time."""
        jobs = []
        for port, secret in ((7201, "the-secret-of-one-job"), (7202, "that-of-the-other-one")):
            launcher = Containers(self.site)
            line = launcher.command(Layout((3, 3)), [NEAR, "leave"])
            line[1] = f"SHEAF_RENDEZVOUS=h1:{port}"
            jobs.append(self.site.popen(line, env=dict(launcher.environment(), SHEAF_SECRET=secret), stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT))
        for job in jobs:
            out = job.communicate(timeout=40)[0]
            self.assertEqual((job.returncode, re.findall(r"near (\d+), wrong (\d+),", out)), (0, [("6", "0")] * 6), out)


class Looks(Case):
    """oshrun --why and oshtop, in each container and on the host."""

    containers = 3

    def start(self, pes, before=":"):
        launcher = Containers(self.site)
        program = ["sh", "-c", f'{before}; exec "$0" "$@"', NEAR, "wait"]
        self.job = launcher.popen(Layout(pes), program, launcher.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(self.end)
        self.heads = "".join(self.job.stdout.readline() for _ in range(4))

    def end(self):
        self.site.kill_jobs()
        self.job.communicate(timeout=20)

    def ask(self, where, command, *options):
        """where: a container's number, or None: the host."""
        line = [os.path.join(os.environ["BUILD"], "bin", command), *options]
        done = subprocess.run(line if where is None else self.site.hosts[where].inside(*line), text=True, timeout=30, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout

    def ask_until(self, where, pattern, *options):
        until = time.monotonic() + 20
        while not re.search(pattern, out := self.ask(where, *options)) and time.monotonic() < until:
            time.sleep(0.1)
        self.assertRegex(out, pattern)
        return out

    def jobs(self, where):
        """On the host those of this test's program: other tests have theirs beside it."""
        self.ask_until(where, '"state": "waits".*' * 4, "oshtop", "--once", "-d", "0.2", "--json")
        jobs = json.loads(self.ask(where, "oshtop", "--once", "-d", "0.2", "--json"))["jobs"]
        if where is None:
            jobs = [job for job in jobs if os.path.realpath(f"/proc/{job['pes'][0]['pid']}/exe") == os.path.realpath(NEAR)]
        self.assertEqual([[pe["host"] for pe in job["pes"]] for job in jobs], [["h1", "h1", "h2", "h2"]])
        return jobs

    def test_why(self):
        self.start([2, 2])
        waits = r"shmem_long_wait_until at (near\.c:\d+|\S+\+0x[0-9a-f]+)"
        for where, job in ((0, ()), (1, ()), (None, (str(self.jobs(None)[0]["pes"][2]["pid"]),))):
            for host, pes in (("h1", "0,1"), ("h2", "2,3")):
                out = self.ask_until(where, rf"(?m)^oshrun:   PEs {pes} +{host} .*waits in {waits}", "oshrun", "--why", *job)
            self.assertRegex(out, r"(?m)^oshrun: job of 4 PEs in several containers$")
            self.assertEqual(out.count("oshrun: job of"), 1, out)

    def test_why_beside_another_host(self):
        """Where the third container stands for one. The lowest PE of the two that share memory asks it."""
        self.start([2, 1, 1], '[ "$(hostname)" != h3 ] || export SHEAF_NODE_DIR=/tmp')
        for where in (0, 2):
            out = self.ask_until(where, "(?m)^oshrun:   PE 3 +h3 .*waits in", "oshrun", "--why")
            self.assertRegex(out, "(?m)^oshrun: job of 4 PEs on 2 hosts$")
            # Another host knows those two by the name of one.
            self.assertRegex(out, "(?m)^oshrun:   PE 2 +h2 .*waits in" if where == 0 else "(?m)^oshrun:   PEs 0-2 +h1 .*waits in")
        self.ask_until(1, "PE 0 there, which asks the other hosts, is in another container: ask there, or on the host", "oshrun", "--why")

    def seen(self, where):
        """The PEs of which oshtop says what /proc knows."""
        job, = self.jobs(where)
        own = dict(re.findall(r"PE (\d+): .*process (\d+)", self.heads))
        for pe in job["pes"]:
            if where is None:
                self.assertEqual(os.path.realpath(f"/proc/{pe['pid']}/exe"), os.path.realpath(NEAR))
            else:
                self.assertEqual(str(pe["pid"]), own[str(pe["pe"])])
        return [pe["pe"] for pe in job["pes"] if pe["cpu_percent"] is not None]

    def test_top(self):
        self.start([2, 2])
        self.assertEqual([self.seen(where) for where in (0, 1, None)], [[0, 1], [2, 3], [0, 1, 2, 3]])


class OneUserNamespace(Containers):
    """Containers whose processes have one in common."""

    def command(self, layout, program, env=None):
        return Rendezvous.command(self, layout, program, env)


class WithFile(Containers):
    """The file of the rendezvous is in the folder."""

    def command(self, layout, program, env=None):
        line = super().command(layout, program, env)
        line[1] = f"SHEAF_RENDEZVOUS={env['SHEAF_RENDEZVOUS']}"
        return line


def in_user_namespaces(launcher):
    class Launcher(launcher):
        def command(self, layout, program, env=None):
            return super().command(layout, [*USER_NAMESPACE, *program], env)
    return Launcher


InUserNamespaces = {launcher: in_user_namespaces(launcher) for launcher in (Hydra, OpenMpi)}

if __name__ == "__main__":
    common.main()

# SPDX-License-Identifier: BSD-3-Clause
"""oshtop: tables, JSON, the terminal, and that it bears whatever happens to the job."""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

from common import LIMIT, PATIENCE, PROBE, OshrunTest, not_sanitized, wait_for

OSHTOP = os.environ["OSHTOP"]
LEAVE = b"\x1b[?7h\x1b[?25h\x1b[?1049l"
ROW = re.compile(r"^ +(\d+) +(\S+) +(starts|computes|in call|waits|stopped|ends|ended|killed) +(.*)$", re.M)


class Terminal:
    """oshtop on a terminal of its own."""

    def __init__(self, *arguments, rows=24, columns=100):
        self.drawn = b""
        self.fd, terminal = pty.openpty()
        self.before = termios.tcgetattr(terminal) # oshtop changes it at its own time
        self.resize(rows, columns)
        self.pid = os.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.setsid()
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(terminal, fd)
            os.closerange(3, 64)
            os.execv(OSHTOP, [OSHTOP, "-d", "0.1", *map(str, arguments)])
        os.close(terminal)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        if select.select([self.fd], [], [], 0.05)[0]:
            try:
                self.drawn += os.read(self.fd, 65536)
            except OSError:
                return False
        return True

    def until(self, words):
        """Whether it has drawn them, from now on."""
        start = len(self.drawn)
        return wait_for(lambda: self.read() and words in self.drawn[start:])

    def type(self, keys):
        os.write(self.fd, keys)

    def finish(self):
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read()
                after = termios.tcgetattr(self.fd)
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status), after
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
        return None, None


class Top(OshrunTest):
    def oshtop(self, *arguments, **options):
        return subprocess.run([OSHTOP, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, **options)

    def pes(self, *arguments):
        result = self.oshtop("--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        (job,) = json.loads(result.stdout)["jobs"]
        return job["pes"]

    def hanging(self, *arguments, npes=3):
        """A job in which all PEs but the last wait for it."""
        job = self.start(*arguments, "-n", npes, PROBE, "hang")
        self.assertTrue(wait_for(lambda: self.oshtop("-n", 1, job.pid).stdout.count(" waits ") == npes))
        return job

    def end(self, job):
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_mistakes(self):
        for arguments, line in (
                (["--sort", "size"], "--sort size: expected pe, host, state, since, cpu, heap, near, far or call"),
                (["--interval=0"], "--interval 0: expected a number from 0.1 to 3600"),
                (["-d", "nan"], "--interval nan: expected a number from 0.1 to 3600"),
                (["-n"], "-n needs a value; oshtop --help says which"),
                (["--colour"], "unknown option --colour; oshtop --help lists them"),
                (["--once", "--count=2"], "--once and --count exclude each other"),
                (["1", "2"], "one JOB at most: 2"),
                (["heat"], "JOB heat: expected a number from 1 to 2147483647")):
            result = self.oshtop(*arguments)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", f"oshtop: {line} [SH951]\n"))
        result = self.oshtop(os.getpid())
        self.assertEqual((result.returncode, result.stderr),
                         (1, f"oshtop: {os.getpid()}: no oshrun or PE of yours with that process id [SH911]\n"))

    def test_table(self):
        job = self.hanging()
        shown = self.oshtop("--once", "-d", "0.2", job.pid).stdout
        self.assertRegex(shown, rf"^job of oshrun {job.pid}: 3 PEs: waits 2, computes 1\n +PE HOST +STATE ")
        rows = ROW.findall(shown)
        self.assertEqual([(row[0], row[2]) for row in rows], [("0", "waits"), ("1", "waits"), ("2", "computes")])
        self.assertRegex(rows[0][3], r"^\d+\.\d +\d+ +0  shmem_barrier_all at \S+$")
        shown = self.oshtop("-n", 1, "-s", "since", "-r", "-f", "BARRIER", job.pid).stdout
        self.assertEqual({row[0] for row in ROW.findall(shown)}, {"0", "1"})
        last = self.pes("-n", 1, "-s", "pe", "-r", job.pid)
        self.assertEqual([pe["pe"] for pe in last], [2, 1, 0])
        self.assertEqual((last[1]["state"], last[1]["call"], last[1]["near_operations_per_second"]),
                         ("waits", "shmem_barrier_all", None))
        os.kill(last[0]["pid"], signal.SIGSTOP)
        self.assertTrue(wait_for(lambda: self.pes("-n", 1, "-f", "stopped", job.pid)))
        os.kill(last[0]["pid"], signal.SIGCONT)
        self.end(job)

    @unittest.skipIf(os.geteuid() != 0, "only root can be somebody else")
    def test_another_user(self):
        job = self.hanging()
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        binary = shutil.copy(OSHTOP, self.folder)
        self.expected_files.add(os.path.basename(binary))
        os.chmod(self.folder, 0o755)
        for arguments in ([], [str(job.pid)]):
            result = subprocess.run([binary, "-n", "1", *arguments], capture_output=True, text=True, timeout=LIMIT,
                                    **nobody)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(" of yours ", result.stderr)
        self.end(job)

    def test_job_ends(self):
        """Into a pipe: a table now and then, and with the job it ends."""
        job = self.hanging()
        top = subprocess.Popen([OSHTOP, "-d", "0.1", str(job.pid)], stdout=subprocess.PIPE, text=True)
        self.assertIn(f"job of oshrun {job.pid}: ", top.stdout.readline())
        self.end(job)
        rest, _ = top.communicate(timeout=LIMIT)
        self.assertEqual(top.returncode, 0)
        self.assertIn("; it has ended\n", rest)
        self.assertRegex(rest.rpartition("job of oshrun")[2], r"\n +0 \S+ +ended ")

    @not_sanitized
    def test_traffic(self):
        """Heap always; what moves within the host with a profile."""
        folder = os.path.join(self.folder, "profile")
        self.expected_files.add("profile")
        job = self.start("-n", 2, "--profile", folder, PROBE, "move")
        self.assertTrue(wait_for(lambda: self.oshtop("-n", 1, job.pid).returncode == 0))

        def moving():
            found = self.oshtop("--json", "--once", "-d", "0.3", job.pid)
            if found.returncode: # oshrun has not begun the job yet
                return False
            pes = json.loads(found.stdout)["jobs"][0]["pes"]
            return all(pe["heap_bytes"] == 1 << 20 and pe["near_operations_per_second"] for pe in pes) and pes

        pes = wait_for(moving)
        self.assertTrue(pes)
        for pe in pes:
            # A look may come between the count of an operation and that of its bytes; tests/units/traffic.c counts how often.
            self.assertAlmostEqual(pe["near_bytes_per_second"] / pe["near_operations_per_second"], 1024, delta=100)
            self.assertEqual(pe["far_operations_per_second"], 0)
            self.assertEqual((pe["far_operations"], pe["far_bytes"]), (0, 0))
            self.assertGreaterEqual(pe["polls"], 0)
        self.assertRegex(self.oshtop("-1", "-d", "0.1", job.pid).stdout, r"NEAR/s +B/s  CALL\n")
        self.end(job)

    def test_control_characters(self):
        """A file's name is another's word, and no command for the terminal."""
        program = os.path.join(self.folder, "a\x1b[31mb")
        self.expected_files.add(os.path.basename(program))
        if subprocess.run(["strip", "-o", program, PROBE], check=False).returncode:
            self.skipTest("strip is not here")
        job = self.start("-n", 2, program, "hang")
        self.assertTrue(wait_for(lambda: " at a?[31mb+0x" in self.oshtop("-n", 1, job.pid).stdout))
        self.end(job)

    def test_terminal(self):
        job = self.hanging(npes=8)
        top = Terminal(job.pid)
        self.assertTrue(top.until(b"\x1b[?1049h"))
        self.assertTrue(top.until(b" shmem_barrier_all at "))
        top.type(b"s")
        self.assertTrue(top.until(b"  by host "))
        top.resize(6, 40)
        self.assertTrue(top.until(b"-- 0 lines above, 6 below: arrows, Page \x1b["))
        top.type(b"\x1b[6~")
        self.assertTrue(top.until(b"-- 4 lines above, 2 below: "))
        top.type(b"q")
        status, after = top.finish()
        self.assertEqual((status, after), (0, top.before))
        self.assertTrue(top.drawn.endswith(LEAVE))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            top = Terminal(job.pid)
            self.assertTrue(top.until(b" waits "))
            os.kill(top.pid, number)
            status, after = top.finish()
            self.assertEqual((status, after), (-number, top.before))
            self.assertIn(LEAVE, top.drawn)
        top = Terminal(job.pid)
        self.assertTrue(top.until(b" waits "))
        self.end(job)
        status, after = top.finish()
        self.assertEqual((status, after), (0, top.before))
        self.assertIn(b"; it has ended\r\n", top.drawn.partition(LEAVE)[2])


if __name__ == "__main__":
    unittest.main()

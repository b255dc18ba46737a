# SPDX-License-Identifier: BSD-3-Clause
"""Signals sent to oshrun, by kill and from a terminal."""
import fcntl
import os
import pty
import signal
import termios
import time
import unittest

from common import OshrunTest, wait_for


def state(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


class Ending(OshrunTest):
    def test_each_ends_the_job(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            job = self.start("-n", 3, "sh", "-c", "echo up; exec sleep 60")
            for _ in range(3):
                job.read_line()
            os.kill(job.pid, number)
            before = time.monotonic()
            result = job.finish()
            self.assertEqual((result.status, result.err), (status, ""))
            self.assertLess(time.monotonic() - before, 4.0)

    def test_the_end_of_the_caller(self):
        """Also where the signals that ask for an end are ignored."""
        script = 'trap "" TERM HUP; "$0" --end-with $$ -n 2 sh -c "echo up; while :; do sleep 0.05; done"; true'
        job = self.start(front=["sh", "-c", script])
        for _ in range(2):
            self.assertEqual(job.read_line(), "up\n")
        os.kill(job.pid, signal.SIGKILL)
        self.assertEqual(job.finish().err, f"oshrun: --end-with {job.pid}: this process has ended, or did not start oshrun\n")
        self.assertEqual(job.left(), [])
        self.expect("--end-with", 1, "-n", 1, "sleep", "60", status=129,
                    err="oshrun: --end-with 1: this process has ended, or did not start oshrun\n")

    def test_the_pes_get_the_signal(self):
        script = 'trap "echo got it; exit 0" INT; echo up; while :; do sleep 0.02; done'
        job = self.start("-n", 2, "sh", "-c", script)
        job.read_line(), job.read_line()
        os.kill(job.pid, signal.SIGINT)
        result = job.finish()
        self.assertEqual((result.status, result.out), (130, "got it\ngot it\n"))

    def test_the_second_kills_at_once(self):
        """One alone would leave the PEs two seconds. The best of three, for a busy machine."""
        script = 'trap "" INT TERM; echo up; while :; do sleep 0.02; done'
        times = []
        for _ in range(3):
            job = self.start("-n", 2, "sh", "-c", script)
            job.read_line(), job.read_line()
            os.kill(job.pid, signal.SIGINT)
            time.sleep(0.1)
            self.assertIsNone(job.process.poll())
            os.kill(job.pid, signal.SIGINT)
            before = time.monotonic()
            self.assertEqual(job.finish().status, 130)
            times.append(time.monotonic() - before)
        self.assertLess(min(times), 1.0)

    def test_ignored_ones_stay_ignored(self):
        job = self.start("-n", 1, "sh", "-c", "echo up; sleep 0.5; echo end",
                         preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        job.read_line()
        os.kill(job.pid, signal.SIGHUP)
        result = job.finish()
        self.assertEqual((result.status, result.out), (0, "end\n"))


class Forwarding(OshrunTest):
    def test_user_signals(self):
        script = 'trap "echo one" USR1; trap "echo two; exit 0" USR2; echo up; while :; do sleep 0.02; done'
        job = self.start("-n", 2, "sh", "-c", script)
        job.read_line(), job.read_line()
        os.kill(job.pid, signal.SIGUSR1)
        self.assertEqual([job.read_line(), job.read_line()], ["one\n", "one\n"])
        os.kill(job.pid, signal.SIGUSR2)
        result = job.finish()
        self.assertEqual((result.status, result.out), (0, "two\ntwo\n"))

    def test_stop_and_continue(self):
        job = self.start("-n", 2, "sh", "-c", "echo $$; sleep 0.5; echo end")
        pids = [int(job.read_line()), int(job.read_line())]
        os.kill(job.pid, signal.SIGTSTP)
        for pid in [*pids, job.pid]:
            # D: a shell stopped between its vfork and the child's exec.
            self.assertTrue(wait_for(lambda: state(pid) in "TD"), f"{pid} runs on")
        os.kill(job.pid, signal.SIGCONT)
        result = job.finish()
        self.assertEqual((result.status, result.out), (0, "end\nend\n"))

    def test_quit_shows_the_board_and_goes_on(self):
        job = self.start("-n", 3, "sh", "-c", "echo up; sleep 0.5")
        for _ in range(3):
            job.read_line()
        os.kill(job.pid, signal.SIGQUIT)
        result = job.finish()
        self.assertEqual(result.status, 0)
        self.assertRegex(result.err, r"^oshrun:   PEs 0-2 +\S+ +runs and has not loaded OpenSHMEM yet\n$")


class Terminal(OshrunTest):
    """oshrun in the foreground of a terminal of its own."""

    def open(self, *arguments):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had here: {error}")
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        job = self.start(*arguments, stdin=slave, stdout=slave, stderr=slave,
                         preexec_fn=own_terminal)
        os.close(slave)
        self.addCleanup(os.close, self.master)
        return job

    def read_until(self, text):
        seen = b""
        while text.encode() not in seen:
            try:
                piece = os.read(self.master, 4096)
            except OSError:
                break
            if not piece:
                break
            seen += piece
        self.assertIn(text, seen.decode())

    def test_ctrl_c(self):
        job = self.open("-n", 2, "sh", "-c", "echo up; exec sleep 60")
        self.read_until("up")
        os.write(self.master, b"\x03")
        self.assertEqual(job.finish().status, 130)

    def test_ctrl_backslash(self):
        job = self.open("-n", 2, "sh", "-c", "echo up; exec sleep 60")
        self.read_until("up")
        os.write(self.master, b"\x1c")
        self.read_until("runs and has not loaded OpenSHMEM yet")
        os.write(self.master, b"\x03")
        self.assertEqual(job.finish().status, 130)

    def test_a_prompt_and_its_answer(self):
        job = self.open("-n", 2, "sh", "-c", "printf 'name? '; read x && echo hello $x; exit 0")
        self.read_until("name? ")
        os.write(self.master, b"you\n")
        self.read_until("hello you")
        self.assertEqual(job.finish().status, 0)

    def test_end_of_input(self):
        job = self.open("-n", 1, "sh", "-c", "echo up; cat; echo end of input")
        self.read_until("up")
        os.write(self.master, b"line\n")
        self.read_until("line")
        os.write(self.master, b"\x04")
        self.read_until("end of input")
        self.assertEqual(job.finish().status, 0)

    def test_a_debugger_has_the_terminal(self):
        fake = self.file("gdb", "#!/bin/sh\nread x < /dev/tty && echo debugging $x\n", 0o755)
        env = {**os.environ, "PATH": f"{os.path.dirname(fake)}:{os.environ['PATH']}"}
        os.environ, before = env, os.environ
        try:
            job = self.open("-n", 2, "--gdb=1", "true")
        finally:
            os.environ = before
        os.write(self.master, b"it\n")
        self.read_until("debugging it")
        self.assertEqual(job.finish().status, 0)


if __name__ == "__main__":
    unittest.main()

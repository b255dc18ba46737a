# SPDX-License-Identifier: BSD-3-Clause
"""Every way in which a job ends by itself: who is named, which status, and nothing left (which
OshrunTest checks after each test)."""
import contextlib
import os
import signal
import time
import unittest

from common import CONTRACT, PROBE, OshrunTest, wait_for

SOON = 4.0  # seconds from a PE's death to the end of the job; 1 is promised on an idle machine


class Codes(OshrunTest):
    def test_success(self):
        self.expect("-n", 3, "true")

    def test_one_fails(self):
        result = self.run_oshrun("-n", 4, PROBE, "code", 9)
        self.assertEqual(result.status, 9)
        self.assertRegex(result.err, r"^oshrun: PE 3 \(\S+, pid \d+\) exited with status 9\n$")
        self.assertLess(result.seconds, 1 + SOON)

    def test_all_fail_alike(self):
        for _ in range(5):  # on a busy machine some PE may be late
            result = self.run_oshrun("-n", 4, PROBE, "all-fail")
            if "all 4 PEs" in result.err:
                break
        self.assertEqual((result.status, result.err), (3, "oshrun: all 4 PEs exited with status 3\n"))

    def test_one_pe_fails_alone(self):
        result = self.run_oshrun("-n", 1, "sh", "-c", "exit 5")
        self.assertEqual(result.status, 5)
        self.assertRegex(result.err, r"^oshrun: PE 0 \(sh, pid \d+\) exited with status 5\n$")

    def test_skipped(self):
        result = self.run_oshrun("-n", 3, "sh", "-c", "echo no such thing here; exit 77")
        self.assertEqual(result.status, 77)
        self.assertRegex(result.err, r"^oshrun: (all 3 PEs|PE . \(sh, pid \d+\)) exited with status 77\n$")
        self.assertIn("no such thing here\n", result.out)

    def test_first_to_fail_gives_the_status(self):
        script = 'case $SHEAF_JOB in *:1:*) exit 11;; *) trap "exit 12" TERM; sleep 60 & wait;; esac'
        result = self.run_oshrun("-n", 3, "sh", "-c", script)
        self.assertEqual(result.status, 11)
        self.assertRegex(result.err, r"^oshrun: PE 1 \(sh, pid \d+\) exited with status 11\n$")

    def test_quiet(self):
        self.expect("-q", "-n", 2, PROBE, "code", 6, status=6)
        self.expect("-q", "-n", 2, PROBE, "signal", int(signal.SIGABRT), status=134)
        self.expect("-q", "-n", 2, "--timeout", "0.2", "sleep", "60", status=124)
        self.expect("-q", "-n", 2, PROBE, "leave", "wait", status=1)


class Causes(OshrunTest):
    """What all PEs notice is said once."""

    def said(self, variables, *arguments):
        result = self.run_oshrun("-q", "-n", 5, PROBE, *arguments, env={**os.environ, **variables})
        self.assertNotEqual(result.status, 0, result.err)
        return result.err.splitlines()

    def test_one_cause_one_line(self):
        for variable, value in (("SHMEM_SYMMETRIC_SIZE", "much"), ("SHMEM_SYMMETRIC_SIZE", "900t"),
                                ("SHEAF_TUNE", "/nowhere"), ("SHMEM_BARRIER_ALGORITHM", "fastest"),
                                ("SHEAF_ENGINE", "nonsense")):
            with self.subTest(variable=variable, value=value):
                said = self.said({variable: value})
                self.assertEqual(len(said), 1, said)
                self.assertRegex(said[0], rf"^sheaf: PE \d \(and 4 others\): error: .*")

    def test_who_is_alone(self):
        said = self.said({}, "range")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"^sheaf: PE 4: error: .*out of range")


class Signals(OshrunTest):
    def test_each_deadly_signal(self):
        for number, name in ((signal.SIGSEGV, "Segmentation fault"), (signal.SIGABRT, "Aborted"),
                             (signal.SIGKILL, "Killed"), (signal.SIGTERM, "Terminated")):
            result = self.run_oshrun("-n", 3, PROBE, "signal", int(number))
            self.assertEqual(result.status, 128 + number)
            self.assertRegex(result.err, rf"^oshrun: PE 2 \(\S+, pid \d+\) was killed by signal "
                                         rf"{int(number)} \({name}\)\n$")
            self.assertLess(result.seconds, 1 + SOON)

    def test_sigterm_from_outside_ends_the_job(self):
        job = self.start("-n", 3, "sh", "-c", "echo $$; exec sleep 60")
        pid = int(job.read_line())
        os.kill(pid, signal.SIGTERM)
        before = time.monotonic()
        result = job.finish()
        self.assertLess(time.monotonic() - before, SOON)
        self.assertEqual(result.status, 143)
        self.assertRegex(result.err, rf"^oshrun: PE \d \(sh, pid {pid}\) was killed by signal 15 \(Terminated\)\n$")

    def test_the_stubborn_and_the_stopped_end_too(self):
        stubborn = 'trap "" TERM INT HUP; echo ready; while :; do sleep 0.05; done'
        stopped = "kill -STOP $$"
        job = self.start("-n", 1, "sh", "-c", stubborn, ":", "-n", 1, "sh", "-c", stopped, ":",
                         "-n", 1, "sh", "-c", "echo $$; exec sleep 60")
        lines = {job.read_line().strip(), job.read_line().strip()}
        (pid,) = (int(line) for line in lines - {"ready"})
        os.kill(pid, signal.SIGKILL)
        before = time.monotonic()
        result = job.finish()
        self.assertLess(time.monotonic() - before, SOON)
        self.assertEqual(result.status, 137)


class GlobalExit(OshrunTest):
    def test_library(self):
        for status in (0, 1, 42, 255):
            result = self.run_oshrun("-n", 4, PROBE, "global-exit", status)
            self.assertEqual((result.status, result.err, result.out), (status, "", "last words"))
            self.assertLess(result.seconds, 1 + SOON)

    def test_status_is_cut_to_eight_bits(self):
        self.expect("-n", 2, PROBE, "global-exit", 256 + 7, status=7)

    def test_a_failure_stays_one(self):
        for status in (256, 512, -256, -2 ** 31):
            self.expect("-n", 2, PROBE, "global-exit", status, status=1)

    def test_control_area(self):
        self.expect("-n", 3, CONTRACT, "global-exit", 13, status=13)


class Missed(OshrunTest):
    """A PE that exits with status 0 while the others wait for it."""

    def test_without_finalize(self):
        result = self.run_oshrun("-n", 4, PROBE, "leave")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"PE 0 calls shmem_barrier_all at \S+, and PE 3 calls exit without shmem_finalize: ")
        result = self.run_oshrun("-n", 4, PROBE, "leave", "wait")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: PE 3 \(\S+, pid \d+\) exited without shmem_finalize, "
                                     r"while PEs 0-2 wait in shmem_long_wait_until at \S+, PE 3 waits in exit without")

    def test_nobody_needs_finalize(self):
        for others in ("exit", "finalize"):
            self.expect("-n", 3, PROBE, "leave", others)
            result = self.run_oshrun("-n", 3, "-x", "SHMEM_DEBUG=1", PROBE, "leave", others)
            self.assertEqual(result.status, 0)
            self.assertIn("the program exits without shmem_finalize: the library finalizes now", result.err)

    def test_late_and_not_missed(self):
        """Whether a PE still waits is judged once it has had time to run since the last exit."""
        self.expect("-n", 2, PROBE, "late", status=0)

    def test_never_loaded(self):
        result = self.run_oshrun("-n", 2, PROBE, ":", "-n", 1, "true")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: PE 2 \(true, pid \d+\) exited without loading "
                                     r"OpenSHMEM, while others wait in shmem_init\n$")

    def test_never_initialized(self):
        result = self.run_oshrun("-n", 2, PROBE, ":", "-n", 1, "-x", "LAST=1", PROBE, "no-init")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: PE 2 \(\S+, pid \d+\) exited without calling "
                                     r"shmem_init, while others wait in shmem_init\n$")

    def test_programs_that_are_none_of_openshmem_are_fine(self):
        self.expect("-n", 2, "true", ":", "-n", 2, "sleep", "1.5")


def proxy_of(pid):
    """Beside it oshrun may have a child that serves PMIx."""
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                command, _, rest = file.read().partition("(")[2].rpartition(")")
                if command == "sheaf-proxy" and rest.split()[1] == str(pid):
                    return int(name)
        except (OSError, IndexError):
            pass
    raise AssertionError(f"{pid} has no proxy")


class Leftovers(OshrunTest):
    def test_a_child_that_holds_the_output_open(self):
        for front in ("", "setsid ", "setsid nohup "):
            result = self.run_oshrun("-n", 2, "sh", "-c", f"{front}sleep 60 & echo done")
            self.assertEqual((result.status, result.out), (0, "done\ndone\n"), result.err)
            self.assertLess(result.seconds, 2 + SOON)

    def test_a_child_that_finishes_soon_may(self):
        script = "(sleep 0.02; echo late) & echo early"
        self.assertEqual(self.expect("-n", 1, "sh", "-c", script).out, "early\nlate\n")

    def test_a_daemon_of_a_killed_pe(self):
        script = "setsid sh -c 'trap \"\" TERM; sleep 60; sleep 60' & sleep 0.1; kill -9 $$"
        result = self.run_oshrun("-n", 2, "sh", "-c", script)
        self.assertEqual(result.status, 137)
        self.assertLess(result.seconds, 2 + SOON)

    def test_kill_9_of_oshrun(self):
        for program in (["sleep", "60"], [PROBE, "hang"],
                        ["sh", "-c", "trap '' TERM; setsid sleep 60 & sleep 60"]):
            job = self.start("-n", 4, *program)
            wait_for(lambda: len(job.left()) >= 6)
            os.kill(job.pid, signal.SIGKILL)
            job.finish()
            self.assertTrue(wait_for(lambda: not job.left(), SOON), "PEs outlived oshrun")

    def test_kill_9_of_the_whole_process_group(self):
        job = self.start("-n", 3, "sh", "-c", "setsid sleep 60 & sleep 60", start_new_session=True)
        wait_for(lambda: len(job.left()) >= 5)
        os.killpg(job.pid, signal.SIGKILL)
        job.finish()
        self.assertTrue(wait_for(lambda: not job.left(), SOON))

    def test_kill_9_of_the_proxy(self):
        job = self.start("-n", 3, "sh", "-c", "setsid sleep 60 & sleep 60")
        wait_for(lambda: len(job.left()) >= 5)
        os.kill(proxy_of(job.pid), signal.SIGKILL)
        result = job.finish()
        self.assertEqual((result.status, result.err), (137, "oshrun: the process that supervises the PEs was killed\n"))

    def kill_spinning(self, *program):
        """A job whose PEs all compute, and its proxy."""
        job = self.start("-n", 3, *program)
        for _ in range(3):
            self.assertEqual(job.read_line(), "spinning\n")
        return job, proxy_of(job.pid)

    def test_kill_9_of_oshrun_and_the_proxy(self):
        for program in ([PROBE, "spin"], ["sh", "-c", f"{PROBE} spin; :"]):
            for first in ("proxy", "oshrun"):
                with self.subTest(program=program, first=first):
                    job, proxy = self.kill_spinning(*program)
                    pids = [proxy, job.pid] if first == "proxy" else [job.pid, proxy]
                    for pid in pids:
                        with contextlib.suppress(ProcessLookupError): # the other one's end may have ended it
                            os.kill(pid, signal.SIGKILL)
                    self.assertTrue(wait_for(lambda: not job.left(), SOON), "PEs outlived oshrun")

    def test_kill_9_of_oshrun_while_the_proxy_is_stopped(self):
        for program in ([PROBE, "spin"], ["sh", "-c", f"{PROBE} spin; :"]):
            with self.subTest(program=program):
                job, proxy = self.kill_spinning(*program)
                os.kill(proxy, signal.SIGSTOP)
                os.kill(job.pid, signal.SIGKILL)
                alone = wait_for(lambda: set(job.left()) <= {proxy}, SOON)
                # The kernel continues a group that is orphaned by oshrun's end, where it has stopped before: then it ends.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(proxy, signal.SIGKILL)
                self.assertTrue(alone, "PEs outlived oshrun")


class Time(OshrunTest):
    def test_launch_to_exit(self):
        """The promise is 20 ms and 1 s on 2 idle CPUs; the best of several runs, with room for a
        busy machine."""
        for npes, limit in ((2, 1.0), (64, 8.0)):
            best = min(self.expect("-n", npes, PROBE).seconds for _ in range(5))
            self.assertLess(best, limit)

    def test_timeout(self):
        result = self.run_oshrun("-n", 2, "--timeout", "0.3", "sleep", "60")
        self.assertEqual(result.status, 124)
        self.assertRegex(result.err, r"^oshrun: the time limit of 0\.3 s is over\n"
                                     r"oshrun:   PEs 0,1 +\S+ +runs and has not loaded OpenSHMEM yet\n$")
        self.assertLess(result.seconds, 0.3 + 2 * SOON)

    def test_in_time(self):
        self.expect("-n", 2, "--timeout", "20", "true")


if __name__ == "__main__":
    unittest.main()

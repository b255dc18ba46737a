# SPDX-License-Identifier: BSD-3-Clause
"""The status board in words: at a time limit, on Ctrl-backslash, by oshrun --why."""
import os
import re
import shutil
import signal
import unittest

from common import CONTRACT, PATIENCE, PROBE, OshrunTest, program_of, wait_for

WAITS = (r"^oshrun: PEs 0-2 wait for PE 3 in shmem_barrier_all at (\S+) \(call 1 of the world team\)\. "
         r"PE 3: it runs its own code since shmem_init\n"
         r"oshrun:   PEs 0-2 +\S+ +\d+\.\d s  waits in shmem_barrier_all at \1 \(the world team\)\n"
         r"oshrun:   PE 3 +\S+ +runs its own code since shmem_init\n$")

# A PE without the library shows its wait, and no call.
CONTRACT_WAITS = (r"^oshrun: PEs 0-2 wait in shmem_barrier_all at (\S+) \(the world team, as the test says\)\n"
                  r"oshrun:   PEs 0-2 +\S+ +\d+\.\d s  waits in shmem_barrier_all at \1 .*\n"
                  r"oshrun:   PE 3 +\S+ +runs .*\n$")


class Board(OshrunTest):
    def at_limit(self, seconds, pattern, *program, **options):
        """What is said when the time is over: a PE is on the board once its wait is slow, which a busy machine may see later."""
        for limit in seconds * PATIENCE, 10 * seconds * PATIENCE:
            result = self.run_oshrun("-n", 4, "--timeout", limit, *program, **options)
            self.assertEqual(result.status, 124)
            first, _, rest = result.err.partition("\n")
            self.assertEqual(first, f"oshrun: the time limit of {limit:g} s is over")
            if re.search(pattern, rest):
                break
        self.assertRegex(rest, pattern)
        return rest

    def test_time_limit(self):
        rest = self.at_limit(1, WAITS, PROBE, "hang")
        if shutil.which("addr2line"):
            with open(os.path.join(os.path.dirname(__file__), "probe.c")) as source:
                (line,) = (number for number, text in enumerate(source, 1)
                           if text.strip() == "shmem_barrier_all();")
            self.assertIn(f" at probe.c:{line} ", rest)

    def test_time_limit_with_checks(self):
        """The PEs compare their calls before they begin one: who has not come is named all the same."""
        self.at_limit(1, WAITS, PROBE, "hang", env={**os.environ, "SHEAF_CHECK": "args"})

    def test_polls(self):
        """A loop of tests waits in no call, and computes nothing."""
        self.at_limit(1, r"^oshrun: PEs 0-2 wait for PE 3 in shmem_barrier_all at .* PE 3: it polls and finds nothing new "
                         r"since shmem_init\n", PROBE, "poll")

    def test_without_line_numbers(self):
        self.assertIn(" at file+0x235 ", self.at_limit(0.5, CONTRACT_WAITS, CONTRACT, "wait"))

    def test_why(self):
        job = self.start("-n", 4, CONTRACT, "wait")
        for _ in range(4):
            job.read_line()

        def shown():
            result = self.run_oshrun("--why", job.pid)
            self.assertEqual((result.status, result.err), (0, ""))
            return "PEs 0-2 wait in" in result.out and result.out

        first, _, rest = (wait_for(shown) or "").partition("\n")
        self.assertEqual(first, f"oshrun: job of oshrun {job.pid}: 4 PEs")
        self.assertRegex(rest, CONTRACT_WAITS)
        every = self.run_oshrun("--why")
        self.assertEqual(every.status, 0)
        self.assertIn(first, every.out)
        os.kill(job.pid, signal.SIGQUIT)
        os.kill(job.pid, signal.SIGTERM)
        self.assertRegex(job.finish().err, CONTRACT_WAITS)

    def test_why_of_a_pe(self):
        job = self.start("-n", 2, PROBE, "hang")

        def shown():
            for pid in job.left():
                if "probe" in program_of(pid):
                    result = self.run_oshrun("--why", pid)
                    if "PE 0 waits for PE 1 in" in result.out:
                        return result
            return None

        result = wait_for(shown)
        self.assertTrue(result)
        self.assertIn(f"job of oshrun {job.pid}: 2 PEs", result.out)
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_stall(self):
        """Told once, with the place of every PE; the job goes on to its time limit."""
        result = self.run_oshrun("-n", 3, "--timeout", 1.5 * PATIENCE, PROBE, "deadlock",
                                 env={**os.environ, "SHEAF_STALL": str(0.4 * PATIENCE)})
        self.assertEqual(result.status, 124)
        self.assertEqual(result.err.count("every PE has waited"), 1, result.err)
        self.assertRegex(result.err, rf"^oshrun: every PE has waited for {0.4 * PATIENCE:g} s, and the job goes on "
                                     r"waiting \(SHEAF_STALL\)\n"
                                     r"oshrun: PEs 1,2 wait in shmem_long_wait_until at \S+ \(long sum at .* is 0, wants == -1\): "
                                     r"nobody is left who could write it, as every PE waits or has ended\n"
                                     r"oshrun: PE 0 waits for PEs 1,2 in shmem_barrier_all at .*\n")

    def test_no_stall(self):
        """One PE does not wait; it is off; it is quiet; a PE has been stopped."""
        limit = {**os.environ, "SHEAF_STALL": str(0.2 * PATIENCE)}
        for arguments, env in (([PROBE, "hang"], limit), ([PROBE, "deadlock"], {**limit, "SHEAF_STALL": "0"}),
                               (["-q", PROBE, "deadlock"], limit)):
            result = self.run_oshrun("-n", 3, "--timeout", PATIENCE, *arguments, env=env)
            self.assertEqual(result.status, 124)
            self.assertNotIn("every PE has", result.err)
        job = self.start("-n", 2, "--timeout", 2 * PATIENCE, PROBE, "deadlock",
                         env={**limit, "SHEAF_STALL": str(PATIENCE)})
        stopped = wait_for(lambda: next((pid for pid in job.left() if "probe" in program_of(pid)), None))
        os.kill(stopped, signal.SIGSTOP)
        self.assertNotIn("every PE has", job.finish().err)

    def test_stall_of_no_time(self):
        result = self.run_oshrun("-n", 2, PROBE, env={**os.environ, "SHEAF_STALL": "soon"})
        self.assertEqual(result.status, 1)
        self.assertIn('SHEAF_STALL is "soon", and must be a number of seconds', result.err)


if __name__ == "__main__":
    unittest.main()

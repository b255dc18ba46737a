# SPDX-License-Identifier: BSD-3-Clause
"""Jobs whose PEs are apart (SHEAF_ONNODE=off): how they are refused, watched, and end."""
import os
import signal
import unittest

from common import PATIENCE, PROBE, OshrunTest, program_of, wait_for

APART = {**os.environ, "SHEAF_ONNODE": "off", "ASAN_OPTIONS": "detect_leaks=0"}
STATIC = os.environ.get("STATIC", "")


def has_engine():
    return os.environ.get("ENGINES", "") != ""


@unittest.skipUnless(has_engine(), "no network engine is built")
class Apart(OshrunTest):
    def refused(self, *arguments, words, status=1, env=None):
        """One line, of one PE for all that say the same."""
        result = self.run_oshrun(*arguments, env=env or APART)
        said = [line for line in result.err.splitlines() if "exited with status" not in line]
        self.assertEqual((result.status, len(said)), (status, 1), result.err)
        for word in words:
            self.assertIn(word, said[0])

    def test_values(self):
        for value in ("", "Off", "of", "2"):
            self.refused("-n", 3, PROBE, env={**APART, "SHEAF_ONNODE": value},
                         words=[f'SHEAF_ONNODE is "{value}", and must be one of: on, off'])

    def test_other_spellings(self):
        self.refused("-n", 3, PROBE, env={**APART, "SHEAF_ONNODE": "0", "SHEAF_ENGINE": "no"},
                     words=["SHEAF_ONNODE=off", "SHEAF_ENGINE=off"])

    def test_programs_that_differ(self):
        self.refused("-n", 1, "-x", "SHEAF_ONNODE=on", PROBE, ":", "-n", 1, PROBE, status=2,
                     words=["SHEAF_ONNODE=off is for all PEs of a job", "has not"])

    def test_wrappers_that_differ(self):
        self.refused("-n", 2, "sh", "-c", f"SHEAF_ONNODE=on; exec {PROBE}",
                     words=["this PE has SHEAF_ONNODE=on, and oshrun has started the job with off", "-x"])
        self.refused("-n", 2, "sh", "-c", f"SHEAF_ONNODE=off; export SHEAF_ONNODE; exec {PROBE}",
                     env={**APART, "SHEAF_ONNODE": "on"},
                     words=["this PE has SHEAF_ONNODE=off, and oshrun has started the job with on"])

    def test_no_network(self):
        self.refused("-n", 3, PROBE, env={**APART, "SHEAF_ENGINE": "none"},
                     words=["SHEAF_ONNODE=off", "SHEAF_ENGINE=off", "ucx, ofi or mpi", "leave SHEAF_ONNODE out"])

    @unittest.skipUnless(STATIC, "no statically linked program is built")
    def test_static(self):
        self.refused("-n", 3, STATIC, words=["SHEAF_ONNODE=off", "linked statically", "link it dynamically"])
        self.expect("-n", 1, STATIC, env=APART)

    def test_one_pe(self):
        result = self.expect("-n", 1, PROBE, env={**APART, "SHEAF_ENGINE": "none"})
        self.assertEqual(result.out, "PE 0 of 1, sum 0\n")

    def test_setting_of_oshrun(self):
        result = self.expect("-n", 2, "-x", "SHEAF_ONNODE=off", PROBE)
        self.assertEqual(result.lines(), ["PE 0 of 2, sum 1", "PE 1 of 2, sum 1"])

    def test_one_program_after_another(self):
        result = self.expect("-n", 2, "sh", "-c", f"{PROBE} && exec {PROBE}", env=APART)
        self.assertEqual(result.lines(), 2 * ["PE 0 of 2, sum 1"] + 2 * ["PE 1 of 2, sum 1"])

    def test_board(self):
        result = self.run_oshrun("-n", 3, "--timeout", PATIENCE, PROBE, "hang", env=APART)
        self.assertEqual(result.status, 124)
        self.assertRegex(result.err, r"PEs 0,1 wait for PE 2 in shmem_barrier_all at \S+ \(call 1 of the world team\)")
        self.assertRegex(result.err, r"PEs 0,1 .* waits in shmem_barrier_all at \S+ \(the world team, PE 2 on another "
                                     r"node is awaited\)")

    def test_why_of_a_pe(self):
        job = self.start("-n", 2, PROBE, "hang", env=APART)

        def shown():
            for pid in job.left():
                if "probe" in program_of(pid):
                    result = self.run_oshrun("--why", pid)
                    if "PE 0 waits for PE 1 in" in result.out:
                        return result.out
            return ""

        self.assertIn(f"job of oshrun {job.pid}: 2 PEs", wait_for(shown))
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_global_exit(self):
        for status in (0, 42):
            result = self.run_oshrun("-n", 3, PROBE, "global-exit", status, env=APART)
            self.assertEqual((result.status, result.err, result.out), (status, "", "last words"))
        self.expect("-n", 3, PROBE, "global-exit", 256, env=APART, status=1)

    def test_exit_without_finalize(self):
        self.refused("-n", 3, PROBE, "leave", words=["and PE 2 calls exit without shmem_finalize: all members"])
        self.refused("-n", 3, PROBE, "leave", "wait", words=["exited without shmem_finalize, while PEs 0,1 wait in"])
        for others in ("exit", "finalize"):
            self.expect("-n", 3, PROBE, "leave", others, env=APART)

    def test_gone_without_a_word(self):
        self.refused("-n", 3, PROBE, "quit", words=["oshrun: PE 2 (", "exited without shmem_finalize, and answers "
                                                    "the others no more (SHEAF_ONNODE=off)"])

    def test_killed(self):
        result = self.run_oshrun("-n", 3, PROBE, "signal", int(signal.SIGKILL), env=APART)
        self.assertEqual(result.status, 137)
        self.assertRegex(result.err, r"^oshrun: PE 2 \(\S+, pid \d+\) (was )?killed by signal 9.*\n$")

    def test_oshrun_is_killed(self):
        job = self.start("-n", 2, PROBE, "spin", env=APART)
        job.read_line()
        job.process.kill()
        job.finish()
        self.assertTrue(wait_for(lambda: not job.left()))


if __name__ == "__main__":
    unittest.main()

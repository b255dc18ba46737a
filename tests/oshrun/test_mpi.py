# SPDX-License-Identifier: BSD-3-Clause
"""oshrun serves the PEs' MPI by PMI-1: with MPICH, and with clients that are no MPI and keep to no rule.

CTest gives BOTH, a program of MPICH; "" where its headers are not installed. LIBRARY is libsheaf.so.
"""
import os
import resource
import sys
import unittest

from common import PROBE, OshrunTest, not_sanitized

BOTH = os.environ.get("BOTH", "")
LIBRARY = os.environ.get("LIBRARY", "")
CLIENT = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pmi_client.py")]
ORDERS = ("MM", "MSMS", "MSSM", "SMMS", "SMSM", "SSMSMS", "MSSSSM", "SMSSMS", "MMSS", "SSMM", "SMMSSS")
SOME = ("MSMS", "SMSSMS", "SMMSSS", "MSSSSM")
ALL = os.environ.get("ALL", "") # every order and level; CTest's soak asks for it
FUZZ = int(os.environ.get("FUZZ", "10"))


class Protocol(OshrunTest):
    def client(self, npes, *words, **options):
        return self.run_oshrun("-n", npes, *CLIENT, *words, **options)

    def ends(self, result, status, message):
        self.assertEqual((result.status, result.out), (status, ""), result.err)
        self.assertRegex(result.err, rf"^oshrun: PE [01] \([^\n]*, pid \d+\) {message}\n$")

    def test_a_boot_that_has_no_effect_is_told(self):
        for setting in ("SHEAF_BOOT=mpi", "SHEAF_RANK=1", "SHEAF_SIZE=2"):
            result = self.run_oshrun("-n", 2, "-x", setting, PROBE)
            self.assertRegex(result.err, rf"^oshrun: {setting} has no effect here: oshrun itself numbers the PEs[^\n]*\n$")
            self.assertEqual(result.status, 0)
        self.assertEqual(self.run_oshrun("-n", 2, "-x", "SHEAF_BOOT=auto", PROBE).err, "")

    def test_mpi_that_is_asked_for_and_is_not_there(self):
        result = self.run_oshrun("-n", 1, "-x", "SHEAF_MPI_INIT=on", PROBE)
        self.assertNotEqual(result.status, 0)
        self.assertIn("SHEAF_MPI_INIT=on, and shmem_init cannot initialize MPI: this process has loaded none", result.err)

    def test_what_an_mpi_asks(self):
        for npes in (2, 5):
            out = self.expect("-n", npes, *CLIENT, "exchange").lines()
            self.assertEqual(out, [f"{rank} of {npes} cmd=appnum appnum=0" for rank in range(npes)])

    def test_several_programs_have_a_number_each(self):
        out = self.expect("-n", 1, *CLIENT, "exchange", ":", "-n", 2, *CLIENT, "exchange").lines()
        self.assertEqual(out, [f"{rank} of 3 cmd=appnum appnum={number}" for rank, number in ((0, 0), (1, 1), (2, 1))])

    def test_a_wrong_request_is_refused(self):
        self.assertEqual(self.expect("-n", 3, *CLIENT, "refused").out, "refused\n" * 3)

    def test_what_a_pe_keeps_is_bounded(self):
        out = self.expect("-n", 2, *CLIENT, "full").lines()
        self.assertEqual(out[1], "others put")
        kept = int(out[0].split()[1])
        self.assertTrue(1000 < kept < 1365, kept)

    def test_spawn_is_refused_by_name(self):
        result = self.client(1 + 1, "spawn")
        self.assertEqual((result.status, result.out), (0, ""))
        self.assertRegex(result.err, r"^(oshrun: PE [01] \([^\n]*\) called MPI_Comm_spawn, for which oshrun starts no "
                                     r"processes: the call fails; mpiexec.hydra does\n){1,2}$")

    def test_what_is_no_request_ends_the_job(self):
        wrong = r"has sent through PMI_FD what is no request of PMI-1 at that point"
        long = r"has sent through PMI_FD a line longer than PMI-1 has them"
        for line, message in (("cmd=frobnicate", wrong), ("early", wrong), ("hello", wrong), ("", wrong),
                              (r"b'cmd=get\0_maxes\n'", wrong), (r"b'\xff\xfe\n'", wrong), ("cmd=" + "x" * 40, wrong),
                              ("cmd=barrier_in\ncmd=barrier_in", wrong), ("cmd=barrier_in\ncmd=get_maxes", wrong),
                              ("cmd=finalize\ncmd=get_maxes", wrong), ("cmd=init pmi_version=1", wrong),
                              ("b'x' * 1024", long), ("b'cmd=put value=' + b'x' * 70000", long)):
            with self.subTest(line=line):
                self.ends(self.client(2, "misbehave", line), 1, message)

    def test_answers_must_be_read(self):
        result = self.client(2, "flood")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err.splitlines()[-1] if result.err else "",
                         r"^oshrun: PE 0 \(.*\) does not read the answers to its MPI's requests$")

    def test_a_pe_that_leaves_is_not_waited_for(self):
        self.ends(self.client(2, "leave", "never"), 1,
                  r"has exited, while others wait for it in MPI_Init or MPI_Finalize")
        self.ends(self.client(2, "leave", "began"), 1, r"exited with status 0 between MPI_Init and MPI_Finalize")
        self.ends(self.client(2, "leave", "killed"), 137, r"was killed by signal 9 \(Killed\)")
        self.ends(self.client(2, "leave", "failed"), 5, r"exited with status 5")

    def test_abort(self):
        for code, status in (("7", 7), ("0", 0), ("256", 1), ("-1", 255), ("7b", 7), ("x", 1)):
            with self.subTest(code=code):
                self.ends(self.client(2, "abort", code), status, f"called MPI_Abort with {code.rstrip('bx') or 1}")

    def test_quiet(self):
        result = self.run_oshrun("-q", "-n", 2, *CLIENT, "abort", "7")
        self.assertEqual((result.status, result.err), (7, ""))

    def test_babble(self):
        """Whatever is said: the job ends, in an orderly way, and nothing is left."""
        for seed in range(FUZZ):
            with self.subTest(seed=seed):
                result = self.client(3, "babble", seed)
                self.assertIn(result.status, range(0, 128), result.err)
                self.assertNotIn("Sanitizer", result.err)


class Environment(OshrunTest):
    def test_an_outer_launcher_is_not_inherited(self):
        outer = dict(os.environ, PMI_FD="77", PMI_RANK="9", PMI_SIZE="10")
        self.assertEqual(len(self.expect("-n", 2, *CLIENT, "exchange", env=outer).lines()), 2)
        self.assertEqual(self.expect("-n", 1, "sh", "-c", "echo ${PMI_FD-none} ${PMI_RANK-none}", env=outer).out,
                         "none none\n")
        out = self.expect("-n", 2, "-x", "PMI_RANK=7", "sh", "-c", "echo $PMI_RANK").lines()
        self.assertEqual(out, ["0", "1"])

    def test_what_a_pe_starts_is_a_job_of_its_own(self):
        alone = ["PE 0 of 1, sum 0"] * 2
        self.assertEqual(self.expect("-n", 2, "sh", "-c", f"unset SHEAF_JOB; exec {PROBE}").lines(), alone)
        closing = f"import os, subprocess; del os.environ['SHEAF_JOB']; subprocess.run(['{PROBE}'], check=True)"
        self.assertEqual(self.expect("-n", 2, sys.executable, "-c", closing).lines(), alone)

    @not_sanitized
    def test_what_a_pe_starts_does_not_speak_for_it(self):
        """The shell is a PE by the library that it loads; what it starts has the variables, not the socket."""
        show = "unset LD_PRELOAD; sh -c 'echo $PMI_FD; ls /proc/self/fd'"
        out = self.expect("-n", 2, "-x", f"LD_PRELOAD={LIBRARY}", "sh", "-c", show).out.split()
        self.assertEqual((out.count(out[0]), int(out[0]) >= 600), (2, True), out)

    @not_sanitized
    def test_too_few_descriptors(self):
        """Enough for the PEs' output (4 each, while they are started), not for their MPIs' sockets too."""
        result = self.run_oshrun("-n", 10, "sh", "-c", "echo ${PMI_FD-none}", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (60, 60)))
        self.assertEqual((result.status, result.out), (0, "none\n" * 10))
        self.assertRegex(result.err, r"^oshrun: MPI in the PEs would find itself alone, there are no sockets for it: "
                                     r"[^\n]*; raise the limit on open files \(ulimit -n\)\n$")


@unittest.skipUnless(BOTH, "MPICH's headers are not installed: Debian's libmpich-dev")
@not_sanitized
class Mpich(OshrunTest):
    def test_every_order(self):
        for order in ORDERS if ALL else SOME:
            with self.subTest(order=order):
                self.expect("-n", 3, BOTH, order)
        self.expect("-n", 1, BOTH, "MSMS")

    def test_every_thread_level(self):
        for level in range(4) if ALL else (1, 3):
            with self.subTest(level=level):
                self.expect("-n", 2, BOTH, "SMMS", level)

    def test_beside_each_other(self):
        jobs = [self.start("-n", 3, BOTH, "MSMS") for _ in range(3)]
        for job in jobs:
            result = job.finish()
            self.assertEqual((result.status, result.err, result.out), (0, "", ""))

    def test_a_pe_killed_after_the_end_of_mpi(self):
        result = self.run_oshrun("-n", 4, BOTH, "SMMS", "kill")
        self.assertEqual((result.status, result.out), (137, "killing\n" * 4))
        self.assertRegex(result.err, r"^oshrun: PE 3 \(.*\) was killed by signal 9 \(Killed\)\n$")

    def test_abort_by_mpi(self):
        for order in ("MM", "SMMS"):
            result = self.run_oshrun("-n", 4, BOTH, order, "abort")
            self.assertEqual(result.status, 7, result.err)
            self.assertRegex(result.err, r"oshrun: PE 3 \(.*\) called MPI_Abort with 7\n")

    def test_a_pe_leaves_without_the_end_of_mpi(self):
        result = self.run_oshrun("-n", 4, BOTH, "MM", "leave")
        self.assertEqual(result.status, 1, result.err)
        self.assertRegex(result.err, r"oshrun: PE 3 \(.*\) exited with status 0 between MPI_Init and MPI_Finalize\n")

    def test_spawn(self):
        """MPICH may know by itself that it cannot, and not ask."""
        result = self.run_oshrun("-n", 2, BOTH, "MM", "spawn")
        self.assertEqual((result.status, result.out), (0, "spawn: refused\n"), result.err)


if __name__ == "__main__":
    unittest.main()

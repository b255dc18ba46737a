#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# Mistakes that the library names, most of them with SHEAF_CHECK=args: mistakes.py OSHRUN PROGRAM.
"""PEs that disagree, handles used after their end, negative sizes."""

import os
import signal
import subprocess
import sys
import unittest

OSHRUN, PROGRAM = sys.argv[1:3]
TIMEOUT_S = 60 * int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated


def run(pes, *arguments, debug=(), by="SHEAF_CHECK=args"):
    """Runs the program on pes PEs; debug tells on how many of the first, or on all, by True."""
    variables = {k: v for k, v in os.environ.items() if k not in ("SHMEM_DEBUG", "SMA_DEBUG", "SHEAF_CHECK")}
    if debug is True:
        variables.update([by.split("=")])
    command = [OSHRUN, "--timeout", str(TIMEOUT_S - 20), "-n", str(pes), PROGRAM, *arguments]
    if debug is not True and debug:
        command = [OSHRUN, "--timeout", str(TIMEOUT_S - 20), "-n", str(debug), "-x",
                   by, PROGRAM, *arguments, ":", "-n", str(pes - debug), PROGRAM,
                   *arguments]
    return subprocess.run(command, env=variables, capture_output=True, text=True,
                          timeout=TIMEOUT_S, check=False)


def reports(result):
    """What the library complains of; at debug level it also tells what it has chosen."""
    return [line for line in result.stderr.splitlines()
            if line.startswith("sheaf:") and ": debug: " not in line]


class Mistakes(unittest.TestCase):
    """Each ends the job with a line that names the call and the difference."""

    def check(self, result, *words):
        self.assertNotIn(result.returncode, (0, 124), result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def check_once(self, result, pes, *words):
        """All PEs notice, and one says it."""
        self.check(result, *words)
        said = reports(result)
        self.assertEqual(len(said), 1, result.stderr)
        self.assertRegex(said[0], rf"^sheaf: PE \d \(and {pes - 1} others?\): error: ")

    def test_different_calls(self):
        for mode, one, other in (
                ("barrier-reduce", "shmem_barrier_all", "shmem_long_sum_reduce"),
                ("sum-max", "shmem_long_max_reduce", "shmem_long_sum_reduce"),
                ("free-barrier", "shmem_free", "shmem_barrier_all"),
                ("finalize-barrier", "shmem_finalize", "shmem_barrier_all")):
            for pes in (2, 3):
                with self.subTest(mode=mode, pes=pes):
                    self.check_once(run(pes, "calls", mode, debug=True), pes, one, other, "is in ")

    def test_different_arguments(self):
        for mode, call, what in (
                ("root", "shmem_long_broadcast", "PE_root"),
                ("reduce-size", "shmem_long_sum_reduce", "size"),
                ("fcollect-size", "shmem_long_fcollect", "size"),
                ("alltoall-size", "shmem_long_alltoall", "size"),
                ("stride", "shmem_long_alltoalls", "sst"),
                ("scan-dest", "shmem_long_sum_inscan", "dest"),
                ("collect-dest", "shmem_long_collect", "dest"),
                ("split", "shmem_team_split_strided", "size"),
                ("split-2d", "shmem_team_split_2d", "xrange"),
                ("malloc", "shmem_malloc", "size")):
            with self.subTest(mode=mode):
                self.check_once(run(3, "arguments", mode, debug=True), 3, call, what)

    def test_destroyed_handles(self):
        for mode, call in (("team-sync", "shmem_team_sync"), ("team-destroy", "shmem_team_destroy"),
                           ("ctx-put", "shmem_ctx_long_p"), ("ctx-destroy", "shmem_ctx_destroy")):
            for debug in ((), True):
                with self.subTest(mode=mode, debug=debug):
                    self.check(run(2, "destroyed", mode, debug=debug), call, "destroyed")

    def test_negative_and_huge_sizes(self):
        too_many = "more bytes than an address space holds"
        for mode, call, what in (("put", "shmem_long_put", too_many), ("getmem", "shmem_getmem", too_many),
                                 ("static-put", "shmem_int_put", too_many), ("static-end", "shmem_putmem", "bytes at")):
            with self.subTest(mode=mode):
                self.check(run(2, "negative", mode, debug=True), call, what)

        self.check(run(2, "negative", "static-iput", debug=True), "shmem_long_iput", "dst is -8 bytes")

    def test_forbidden_arguments(self):
        for mode, call, what in (("overlap-put", "shmem_long_put", "overlap"),
                                 ("overlap-get", "shmem_getmem", "overlap"),
                                 ("overlap-reduce", "shmem_long_sum_reduce", "overlap"),
                                 ("overlap-fcollect", "shmem_long_fcollect", "overlap"),
                                 ("overlap-alltoall", "shmem_long_alltoall", "overlap"),
                                 ("stride", "shmem_long_iput", "dst is 0 bytes"),
                                 ("block-stride", "shmem_long_ibget", "sst is 24 bytes"),
                                 ("unaligned", "shmem_long_atomic_add", "multiple of its 8 bytes")):
            with self.subTest(mode=mode):
                self.check(run(2, "forbidden", mode, debug=True), call, what)

    def test_calls_from_outside_an_active_set(self):
        for call in ("shmem_barrier", "shmem_sync", "shmem_broadcast64", "shmem_collect64",
                     "shmem_fcollect64", "shmem_alltoall64", "shmem_alltoalls64",
                     "shmem_long_sum_to_all"):
            with self.subTest(call=call):
                result = run(4, "outside", call)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertEqual(result.stdout.count("went on"), 4)
                self.assertEqual(result.stderr, "")
                self.check(run(2, "outside", call, debug=True), call,
                           "PE 1 is not in the active set (start 0, stride 2^0, size 1)")

    def test_private_buffers(self):
        """At debug level at any length; otherwise where members reach into one another's memory."""
        for family in ("reduce", "broadcast", "fcollect", "collect", "alltoall", "alltoalls", "scan"):
            for buffer in ("dest", "source"):
                for count in (1, 5000):
                    mode = "%s-%s:%d" % (family, buffer, count)
                    with self.subTest(mode=mode, debug=True):
                        self.check(run(3, "private", mode, debug=True), family.split("-")[0],
                                   "is not symmetric", "private memory")

    def test_private_buffers_unasked(self):
        """Never a wrong result with status 0, whatever the length."""
        for mode in ("reduce-source:5000", "reduce-dest:5000", "scan-source:5000",
                     "broadcast-source:5000", "fcollect-source:5000", "collect-source:5000",
                     "alltoall-source:5000", "alltoalls-source:5000", "alltoalls-source:1"):
            with self.subTest(mode=mode):
                self.check(run(3, "private", mode), "is not symmetric", "PE 1")
        for count in (1, 2, 8, 16, 32, 64, 100, 200, 1000):
            for buffer in ("dest", "source"):
                with self.subTest(count=count, buffer=buffer):
                    result = run(3, "private", "reduce-%s:%d" % (buffer, count))
                    if result.returncode == 0:
                        self.assertEqual(result.stdout.count("right"), 3, result.stderr)
                    else:
                        self.check(result, "is not symmetric")

    def test_threads(self):
        for mode, call in (("put", "shmem_long_p"), ("test", "shmem_long_test"),
                           ("barrier", "shmem_barrier_all"), ("lock", "shmem_set_lock")):
            for level in ("single", "funneled"):
                with self.subTest(mode=mode, level=level):
                    self.check(run(2, level, mode, debug=True), call, "another thread",
                               "SHMEM_THREAD_" + level.upper())
        for level, mode in (("serialized", "put"), ("serialized", "barrier"),
                            ("single", "initialized"), ("funneled", "initialized")):
            with self.subTest(mode=mode, level=level):
                result = run(2, level, mode, debug=True)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_strides_of_alltoalls_at_every_level(self):
        for mode, what in (("alltoalls-dst", "dst is -1; expected"), ("alltoalls-sst", "sst is 0; expected")):
            for pes in (1, 2):
                with self.subTest(mode=mode, pes=pes):
                    self.check(run(pes, "forbidden", mode), "shmem_long_alltoalls", what)

    def test_noticed_where_checked(self):
        for mode, words in (("wait-stack", ("shmem_long_wait_until", "on the stack")),
                            ("test-stack", ("shmem_long_test", "on the stack")),
                            ("wait-all-stack", ("shmem_long_wait_until_all", "on the stack")),
                            ("signal-stack", ("shmem_signal_wait_until", "on the stack")),
                            ("signal-in-dest", ("shmem_long_put_signal", "sig_addr", "dest")),
                            ("lock-twice", ("shmem_set_lock", "holds the lock", "PE 0")),
                            ("negative-count", ("shmem_long_sum_to_all", "nreduce is -3"))):
            with self.subTest(mode=mode):
                self.check(run(2, "unnoticed", mode, debug=True), *words)

    def test_lock_twice_ends_at_every_level(self):
        self.check(run(2, "unnoticed", "lock-twice"), "shmem_set_lock", "holds the lock")

    def test_addresses_that_differ_are_one_cause(self):
        self.check_once(run(3, "unnoticed", "private-free"), 3, "shmem_free: 0x", "private memory")

    def test_unknown_context_options(self):
        result = run(2, "unnoticed", "context-option", debug=True, by="SHMEM_DEBUG=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("shmem_ctx_create: options has unknown bits", result.stderr)
        self.assertIn("0x100000", result.stderr)

    def test_before_init_and_after_finalize(self):
        for when, words in (("early", "before shmem_init"), ("late", "after shmem_finalize")):
            for mode in ("quiet", "fence", "test", "test-any"):
                call = {"test": "shmem_long_test", "test-any": "shmem_long_test_any"}.get(
                    mode, "shmem_" + mode)
                for debug in ((), True):
                    with self.subTest(when=when, mode=mode, debug=debug):
                        self.check(run(2, when, mode, debug=debug), call + " was called " + words)

    def test_what_is_allowed_is_not_reported(self):
        for pes in (1, 2, 3):
            with self.subTest(pes=pes):
                result = run(pes, "allowed", debug=True)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(reports(result), [])

    def test_checks_on_some_pes_only(self):
        result = run(3, "allowed", debug=1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("allowed"), 3)

    def test_debug_level_checks_too(self):
        self.check_once(run(3, "arguments", "malloc", debug=True, by="SHMEM_DEBUG=1"), 3, "shmem_malloc", "size")
        self.check(run(2, "unnoticed", "wait-stack", debug=True, by="SHMEM_DEBUG=1"), "on the stack")

    def test_unknown_checks(self):
        for value in ("arg", "args,x"):
            with self.subTest(value=value):
                self.check_once(run(2, "allowed", debug=True, by=f"SHEAF_CHECK={value}"), 2,
                                f'SHEAF_CHECK is "{value}", and must be off or a list, without spaces, of: args, memory')


class Signals(unittest.TestCase):
    """A fault's signal that somebody sends ends the PE, as any other does."""

    def test_sent_fault(self):
        for number in (signal.SIGSEGV, signal.SIGBUS):
            with self.subTest(signal=number):
                result = run(2, "signal", str(int(number)))
                self.assertEqual(result.returncode, 128 + number, result.stderr)
                self.assertNotIn("sheaf:", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

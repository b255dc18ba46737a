#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs whose right behaviour is an exit status or a line of output: shmem_global_exit, the
# environment variables, and the errors that must be named. Compiles nothing:
# exits.py OSHRUN PROGRAM START_PES.
"""Exit status, environment and named errors."""

import os
import subprocess
import sys
import unittest

OSHRUN, PROGRAM, START_PES = sys.argv[1:4]
TIMEOUT_S = 60
VARIABLES = [prefix + name for prefix in ("SHMEM_", "SMA_")
             for name in ("VERSION", "INFO", "SYMMETRIC_SIZE", "DEBUG")]


def run(pes, *arguments, program=PROGRAM, **environment):
    """Runs the program on pes PEs with these environment variables and no other of ours."""
    variables = {k: v for k, v in os.environ.items() if k not in VARIABLES}
    variables.update(environment)
    command = [OSHRUN, "-n", str(pes), "--timeout", str(TIMEOUT_S - 20), program]
    return subprocess.run(command + list(arguments), env=variables, capture_output=True,
                          text=True, timeout=TIMEOUT_S, check=False)


class Exits(unittest.TestCase):
    """What ends a job, and with which status."""

    def test_global_exit_from_one_pe_ends_blocked_peers(self):
        for where in ("barrier", "wait", "sleep", "compute"):
            for pes, status in ((1, 7), (2, 0), (4, 42), (3, 255)):
                with self.subTest(where=where, pes=pes, status=status):
                    result = run(pes, "global-exit", where, str(status))
                    self.assertEqual(result.returncode, status, result.stderr)
                    self.assertNotIn("went on", result.stdout)

    def test_global_exit_flushes_stdio_and_runs_exit_handlers(self):
        result = run(3, "global-exit", "barrier", "5")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("last words", result.stdout)
        self.assertIn("exit handler ran", result.stdout)

    def test_global_exit_status_is_one_of_those_passed(self):
        result = run(4, "global-exit-all")
        self.assertIn(result.returncode, range(40, 44), result.stderr)

    def test_start_pes_finalizes_once_whatever_it_is_mixed_with(self):
        for mix in ("", "init-first", "init-after", "finalize"):
            for pes in (1, 2, 4):
                with self.subTest(mix=mix, pes=pes):
                    result = run(pes, mix, program=START_PES)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                    self.assertNotIn("sheaf:", result.stderr)


class Errors(unittest.TestCase):
    """A mistake ends the job with a line that names the PE, the call and the value."""

    def check_named(self, result, *words):
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertNotIn("went on", result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_pe_out_of_range_is_named(self):
        for call in ("shmem_long_p", "shmem_long_g", "shmem_putmem", "shmem_long_get_nbi",
                     "shmem_long_iput", "shmem_long_atomic_add", "shmem_long_atomic_fetch",
                     "shmem_signal_set"):
            for pe in (2, -1, 1000000):
                with self.subTest(call=call, pe=pe):
                    self.check_named(run(2, "pe", call, str(pe)), call, str(pe))

    def test_calls_before_init_are_named(self):
        for call in ("shmem_my_pe", "shmem_query_thread", "shmem_barrier_all", "shmem_malloc",
                     "shmem_finalize", "shmem_barrier"):
            with self.subTest(call=call):
                self.check_named(run(2, "before-init", call), call)

    def test_calls_after_finalize_are_named(self):
        for call in ("shmem_my_pe", "shmem_query_thread", "shmem_barrier_all", "shmem_malloc"):
            with self.subTest(call=call):
                self.check_named(run(2, "after-finalize", call), call)

    def test_one_more_finalize_does_nothing(self):
        for debug in ({}, {"SHMEM_DEBUG": "1"}):
            with self.subTest(debug=debug):
                result = run(2, "after-finalize", "shmem_finalize", **debug)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout.count("went on"), 2)
                self.assertEqual(result.stderr.count("shmem_finalize: called once more"),
                                 2 if debug else 0)

    def test_unknown_signal_operations_are_named(self):
        for call in ("shmem_long_put_signal", "shmem_putmem_signal_nbi", "shmem_ctx_put32_signal"):
            for operation in (0, 3, -1, 2 ** 31 - 1):
                with self.subTest(call=call, operation=operation):
                    self.check_named(run(1, "sig-op", call, str(operation)), call,
                                     f"sig_op is {operation};")

    def test_collectives_on_team_invalid_are_named(self):
        for call in ("shmem_team_sync", "shmem_long_sum_reduce", "shmem_broadcastmem"):
            with self.subTest(call=call):
                self.check_named(run(2, "team-invalid", call), call)


class Environment(unittest.TestCase):
    """The variables of the specification and their old spelling."""

    def check_holds(self, value, size, name="SHMEM_SYMMETRIC_SIZE", **more):
        result = run(2, "heap", str(size), **{name: value}, **more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count(f"{size}: allocated"), 2, value)

    def test_symmetric_size_is_at_least_the_ceiling(self):
        for value, size in (("3.1M", 3250586), (".5m", 524288), ("0.5m", 524288), ("20k", 20480),
                            ("20K", 20480), ("20kk", 20480), ("1.5k", 1536), ("2m", 2 << 20),
                            ("2Mx", 2 << 20), (".01g", 10737419), ("0.001G", 1073742),
                            (".000002t", 2199024), ("0.0001T", 109951163), ("65536", 65536),
                            ("65536.0", 65536), ("1000.5", 1001)):
            with self.subTest(value=value):
                self.check_holds(value, size)

    def test_symmetric_size_is_the_limit(self):
        for value, size in (("1m", 64 << 20), ("20kk", 20 << 20), ("3.1M", 64 << 20)):
            with self.subTest(value=value):
                result = run(2, "heap", str(size), SHMEM_SYMMETRIC_SIZE=value)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout.count(f"{size}: null"), 2)

    def test_symmetric_size_zero_is_valid(self):
        for value in ("0", "0.0", "0g", ".0k"):
            with self.subTest(value=value):
                result = run(2, "heap", "0", SHMEM_SYMMETRIC_SIZE=value)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_bad_symmetric_size_fails(self):
        for value in ("", "20x", "1e3", "inf", "nan", "-1", "-5m", "abc", "m", ".", "0x10",
                      "1..5m", "1,5m", "+", "99999999999999999999999t", "12 m"):
            for name in ("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"):
                with self.subTest(value=value, name=name):
                    result = run(2, "heap", "8", **{name: value})
                    self.assertNotEqual(result.returncode, 0, result.stdout)
                    self.assertNotIn("allocated", result.stdout)
                    self.assertIn(name, result.stderr)

    def test_sma_spelling_works_and_shmem_wins(self):
        self.check_holds("3m", 3 << 20, name="SMA_SYMMETRIC_SIZE")
        result = run(2, "heap", str(64 << 20), SMA_SYMMETRIC_SIZE="1m")
        self.assertEqual(result.stdout.count("null"), 2, result.stderr)
        self.check_holds("80m", 64 << 20, SMA_SYMMETRIC_SIZE="1m")
        result = run(2, "heap", str(64 << 20), SMA_SYMMETRIC_SIZE="80m",
                     SHMEM_SYMMETRIC_SIZE="1m")
        self.assertEqual(result.stdout.count("null"), 2, result.stderr)
        self.check_holds("80m", 64 << 20, SMA_SYMMETRIC_SIZE="nonsense")

    def check_prints(self, name, *words):
        for value in ("1", "0", "yes", ""):
            with self.subTest(name=name, value=value):
                result = run(2, "heap", "8", **{name: value})
                self.assertEqual(result.returncode, 0, result.stderr)
                for word in words:
                    self.assertIn(word, result.stdout + result.stderr)

    def test_version_prints_whatever_the_value(self):
        self.check_prints("SHMEM_VERSION", "Sheaf")
        self.check_prints("SMA_VERSION", "Sheaf")

    def test_info_describes_all_variables_whatever_the_value(self):
        names = ("SHMEM_VERSION", "SHMEM_INFO", "SHMEM_SYMMETRIC_SIZE", "SHMEM_DEBUG")
        self.check_prints("SHMEM_INFO", *names)
        self.check_prints("SMA_INFO", *names)

    def test_debug_is_accepted_whatever_the_value(self):
        self.check_prints("SHMEM_DEBUG", "8: allocated")
        self.check_prints("SMA_DEBUG", "8: allocated")

    def test_nothing_is_printed_unasked(self):
        result = run(2, "heap", "8")
        self.assertEqual(result.stderr, "")
        self.assertNotIn("Sheaf", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Before initialization, after finalization, in a forked child, at debug level, for a PE that is
none and with another version of the library the inline forms are the library's functions: each
case of states.c ends with their line. Arguments: oshrun, the program."""
import os
import subprocess
import sys
import unittest

OSHRUN, PROGRAM = sys.argv[1:3]

# case: (SHMEM_DEBUG, what the line says)
ENDS = {
    "early-p": (False, "shmem_long_p was called before shmem_init"),
    "early-my_pe": (False, "shmem_my_pe was called before shmem_init"),
    "early-ptr": (False, "shmem_ptr was called before shmem_init"),
    "late-g": (False, "shmem_long_g was called after shmem_finalize"),
    "late-add": (False, "shmem_long_atomic_add was called after shmem_finalize"),
    "late-n_pes": (False, "shmem_n_pes was called after shmem_finalize"),
    "high": (False, "shmem_long_p: PE 2 is out of range"),
    "negative": (False, "shmem_long_atomic_fetch_add: PE -1 is out of range"),
    "stack": (True, "shmem_long_put: 0x[0-9a-f]+ is not symmetric"),
    "version": (False, "was compiled with the shmemx_inline.h of another version .* compile it again"),
}


def run(case, debug):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SHMEM_")}
    if debug:
        environment["SHMEM_DEBUG"] = "1"
    return subprocess.run([OSHRUN, "-n", "2", "--timeout", "30", PROGRAM, case], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


class States(unittest.TestCase):
    def test_ends(self):
        for case, (debug, words) in ENDS.items():
            with self.subTest(case=case):
                done = run(case, debug)
                self.assertEqual(done.returncode, 1, done)
                self.assertRegex(done.stderr, r"sheaf: (PE [01]( \(and 1 other\))?: )?error: .*" + words)

    def test_no_mistake(self):
        for debug in (False, True):
            with self.subTest(debug=debug):
                done = run("none", debug)
                self.assertEqual(done.returncode, 0, done)
                self.assertNotIn("error", done.stderr)

    def test_child(self):
        done = run("child", False)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr.count("shmem_long_p was called in a child that a PE forked"), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

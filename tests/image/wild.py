# SPDX-License-Identifier: BSD-3-Clause
"""Wild pointers: PE 1 uses an address or a PE number that is none. The job ends with a line that
names PE, call and address or number, and says what it is. With SHMEM_DEBUG set the arguments are
checked beforehand; without it the fault is decoded."""
import os
import shutil
import subprocess
import unittest

import outside

# mistake: call, what the line must say
ADDRESSES = {
    "stack": ("shmem_long_put", "stack"),
    "stack-get": ("shmem_long_get", "stack"),
    "stack-atomic": ("shmem_long_atomic_add", "stack"),
    "reduce": ("shmem_long_sum_reduce", "stack"),
    "malloc": ("shmem_long_p", "malloc|private|not symmetric"),
    "map": ("shmem_long_p", "private|not symmetric"),
    "null": ("shmem_long_p", "null|not symmetric"),
    "past-end": ("shmem_long_p", "past|beyond|outside|no memory|not mapped|not symmetric"),
    "far-past-end": ("shmem_long_p", "past|beyond|outside|no memory|not mapped|not symmetric"),
    "number": ("shmem_long_p", "address 0x1234567890 |0x1234567890 is not symmetric"),
    "number-put": ("shmem_long_put", "address 0x1234567890 |0x1234567890 is not symmetric"),
    "constant": ("shmem_long_p", "cannot be written: it is constant.*, a constant of the program"),
    "constant-add": ("shmem_long_atomic_add", "cannot be written: it is constant.*, a constant of the program"),
    "constant-iput": ("shmem_long_iput", "cannot be written: it is constant.*, a constant of the program"),
}
NUMBERS = {
    "pe-high": ("shmem_long_p", r"\b2\b"),
    "pe-negative": ("shmem_long_atomic_add", "-1"),
    "pe-get": ("shmem_long_get", "123456"),
}


BOTTOM_UP = ("setarch", "-L") # mappings from the bottom up, as with `ulimit -s unlimited`


def can_be_bottom_up():
    return shutil.which(BOTTOM_UP[0]) and subprocess.run([*BOTTOM_UP, "true"], check=False).returncode == 0


class Wild(outside.Case):
    def mistake(self, name, call, words, debug, before=(), chances=1, **more):
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("SHMEM_DEBUG", "SMA_DEBUG")}
        if debug:
            environment["SHMEM_DEBUG"] = "1"
        environment.update(more)
        for _ in range(chances):
            result = outside.oshrun(2, *before, outside.program("wild"), name, env=environment)
            if result.status:
                break
        self.assertEqual(result.status, 1, result)
        self.assertNotIn("SIG", result.err)
        self.assertLess(result.seconds, 20 * outside.PATIENCE)
        told = [line for line in outside.lines(result.err) if call in line]
        self.assertTrue(told, result)
        self.assertRegex(told[0], "^sheaf: PE 1: ")
        self.assertRegex(told[0].lower(), words)
        if name in ADDRESSES and name != "null":
            self.assertRegex(told[0], "0x[0-9a-f]{6,}")

    def test_pe_numbers(self):
        for name, (call, words) in NUMBERS.items():
            for debug in (False, True):
                with self.subTest(name=name, debug=debug):
                    self.mistake(name, call, words, debug)

    def test_addresses_checked(self):
        for name, (call, words) in ADDRESSES.items():
            with self.subTest(name=name):
                self.mistake(name, call, words, True)

    @unittest.skipUnless(outside.ENGINES, "no network engine is built")
    def test_constants_of_far_pes(self):
        for name in ("constant", "constant-add", "constant-iput"):
            with self.subTest(name=name):
                self.mistake(name, *ADDRESSES[name], False, SHEAF_ONNODE="off")

    @unittest.skipIf(outside.SANITIZE, "the sanitizer reports faults itself")
    def test_addresses_decoded(self):
        for name, (call, words) in ADDRESSES.items():
            if outside.INLINE and call != "shmem_long_sum_reduce":
                call = "memory access"
            if outside.INLINE and name.endswith("past-end"):
                continue  # a fault in an inline form, at an address that could be the program's own
            with self.subTest(name=name):
                self.mistake(name, call, words, False)

    @unittest.skipIf(outside.SANITIZE, "the sanitizer reports faults itself")
    def test_own_faults(self):
        """A fault of the program's own code is not told as one of the call that the PE made last."""
        for name in ("own-store", "own-copy"):
            with self.subTest(name=name):
                result = outside.oshrun(2, outside.program("wild"), name)
                self.assertNotEqual(result.status, 0, result)
                self.assertNotIn("sheaf: PE 1: error: shmem", result.err)
                self.assertRegex(result.err, "killed by signal (11|7) ")

    @unittest.skipIf(outside.SANITIZE, "the sanitizer reports faults itself")
    @unittest.skipUnless(can_be_bottom_up(), "no setarch, or this system does not let it")
    def test_windows_below(self):
        """Then the windows lie below the program, and the copy of a stack at an address that the processor takes,
        as AArch64 takes all of them: the fault is not where the windows are. By the chance of randomization it is
        in 1 of 400, where the put lands in somebody's memory."""
        for name in ("stack", "stack-get", "stack-atomic", "map"):
            call, words = ADDRESSES[name]
            with self.subTest(name=name):
                call = "memory access" if outside.INLINE else call
                self.mistake(name, call, words, False, BOTTOM_UP, chances=3)

    @unittest.skipIf(outside.SANITIZE or outside.INLINE, "the fault itself is not named there")
    def test_small_heaps(self):
        """What malloc returned lies between the windows wherever randomization put it: with windows close
        together 4 of 10 such puts landed in somebody's memory."""
        for _ in range(8):
            self.mistake("malloc", *ADDRESSES["malloc"], False, SHMEM_SYMMETRIC_SIZE="110m")


if __name__ == "__main__":
    outside.main()

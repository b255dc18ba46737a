# SPDX-License-Identifier: BSD-3-Clause
"""Limits on the process: ulimit -v, -f, -s, -n, -d, -c, and the core file of a PE that crashed."""
import os
import resource
import tempfile
import unittest

import outside

MIB = 1 << 20
GIB = 1 << 30


class AddressSpace(outside.Case):
    """ulimit -v: the job runs, or one clear line says why not."""

    def limited(self, pes, size):
        return outside.oshrun(pes, outside.program("tiny"),
                              limits=[(resource.RLIMIT_AS, size)])

    def setUp(self):
        if outside.SANITIZE:
            self.skipTest("sanitizers need the whole address space")

    def test_large_limits_run(self):
        for size in (2 * GIB, 8 * GIB, 64 * GIB, 1024 * GIB):
            with self.subTest(size=size):
                self.assertRan(self.limited(2, size), "tiny: 2 PEs ok")

    def test_eight_pes(self):
        for size in (8 * GIB, 100 * GIB):
            with self.subTest(size=size):
                self.assertRan(self.limited(8, size), "tiny: 8 PEs ok")

    def test_small_limits_never_crash(self):
        for size in (512 * MIB, 256 * MIB, 128 * MIB, 64 * MIB, 32 * MIB, 16 * MIB, 12 * MIB):
            with self.subTest(size=size):
                result = self.limited(2, size)
                if result.status != 0:
                    self.assertTrue(0 < result.status < 128, result)
                    self.assertTrue(result.err.strip(), result)
                    self.assertNotIn("signal", result.err.lower())

    def test_bare_program(self):
        for size in (64 * MIB, GIB, 64 * GIB):
            with self.subTest(size=size):
                result = outside.run(outside.program("tiny"),
                                     limits=[(resource.RLIMIT_AS, size)])
                self.assertRan(result, "tiny: 1 PEs ok")

    def test_size_that_does_not_fit(self):
        environment = dict(os.environ, SHMEM_SYMMETRIC_SIZE="64g")
        result = outside.oshrun(2, outside.program("tiny"), env=environment,
                                limits=[(resource.RLIMIT_AS, 4 * GIB)])
        self.assertRefused(result, "SHMEM_SYMMETRIC_SIZE|address space")


class FileSize(outside.Case):
    """ulimit -f counts for the job's file, which is no file of the user's."""

    def setUp(self):
        if outside.SANITIZE:
            self.skipTest("sanitizers make files of their own")

    def test_file_size(self):
        for size in (64 * MIB, MIB, 4096, 0):
            with self.subTest(size=size):
                result = outside.oshrun(2, outside.program("tiny"),
                                        limits=[(resource.RLIMIT_FSIZE, size)])
                if result.status == 0:
                    self.assertRan(result, "tiny: 2 PEs ok")
                else:
                    self.assertRefused(result, "ulimit -f|file size")

    def test_heap_stays_in_its_slot(self):
        """A short file gives each PE a small slot; the heap must end with it."""
        for pes, size in ((2, GIB), (3, GIB), (2, 200 * MIB)):
            with self.subTest(pes=pes, size=size):
                result = outside.oshrun(pes, outside.program("heap_end"),
                                        limits=[(resource.RLIMIT_FSIZE, size)])
                if result.status == 0:
                    self.assertRan(result, "heap_end: ok")
                else:
                    self.assertRefused(result, "ulimit -f|file size")

    def test_wanted_heap_beyond_its_slot(self):
        environment = dict(os.environ, SHMEM_SYMMETRIC_SIZE="900m")
        result = outside.oshrun(2, outside.program("heap_end"), env=environment,
                                limits=[(resource.RLIMIT_FSIZE, GIB)])
        self.assertRefused(result, "ulimit -f")

    def test_soft_limit(self):
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        result = outside.oshrun(2, outside.program("tiny"),
                                limits=[(resource.RLIMIT_FSIZE, (MIB, hard))])
        self.assertTrue(result.status == 0 or outside.lines(result.err), result)
        self.assertTrue(result.status < 128, result)


class Others(outside.Case):
    def check(self, limit, names=("tiny", "fork")):
        for name in names:
            with self.subTest(name=name):
                result = outside.oshrun(3, outside.program(name), limits=[limit])
                self.assertRan(result)

    def test_unlimited_stack(self):
        """The kernel then lays out the address space from the bottom up."""
        if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit of the stack is not unlimited")
        if "thread" in outside.SANITIZE:
            self.skipTest("the thread sanitizer needs the usual layout")
        self.check((resource.RLIMIT_STACK, resource.RLIM_INFINITY))

    def test_few_descriptors(self):
        self.check((resource.RLIMIT_NOFILE, 48))

    def test_data_segment(self):
        if outside.SANITIZE:
            self.skipTest("sanitizers need more")
        self.check((resource.RLIMIT_DATA, 512 * MIB))


class Core(outside.Case):
    """The core file of a crashed PE holds that PE, not the whole job."""

    BOUND = 200 * MIB

    def setUp(self):
        with open("/proc/sys/kernel/core_pattern") as file:
            pattern = file.read().strip()
        if pattern.startswith("|"):
            self.skipTest("core files go to a program: core_pattern is " + pattern)
        if "/" in pattern:
            self.skipTest("core files go elsewhere: core_pattern is " + pattern)
        if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit of core files is not unlimited")
        if outside.SANITIZE:
            self.skipTest("sanitizers switch core files off")

    def test_size(self):
        for pes in (1, 2, 8):
            with self.subTest(pes=pes), tempfile.TemporaryDirectory() as folder:
                result = outside.oshrun(pes, outside.program("crash"), cwd=folder, timeout=120,
                                        limits=[(resource.RLIMIT_CORE, resource.RLIM_INFINITY)])
                self.assertNotEqual(result.status, 0, result)
                found = [os.path.join(folder, name) for name in os.listdir(folder)]
                self.assertTrue(found, "no core file was written")
                for path in found:
                    status = os.stat(path)
                    self.assertLess(status.st_size, self.BOUND)
                    self.assertLess(status.st_blocks * 512, self.BOUND)
                    self.assertGreater(status.st_size, 4 * MIB, "not even the PE's own data")


if __name__ == "__main__":
    outside.main()

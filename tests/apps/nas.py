# SPDX-License-Identifier: BSD-3-Clause
"""The NAS benchmarks, class S, each with OpenSHMEM, MPI and OpenMP: the published results on any number of
PEs, and what a wrong one makes of them. With --large, classes W and A."""
import sys
import unittest

import jobs
from studies import REDUCTION, Study

SKIPPED = "a library put before the sanitizer's, or a call that is not made"


class Mg(Study):
    def test_class_s(self):
        told = self.assertAllWork(jobs.PES, "mg", others=(3,), says="verified: the residual's norm is 5.30770700573")
        for pes, grid in ((3, "3 x 1 x 1"), (8, "4 x 2 x 1")):
            self.assertRegex(told[pes], "32 x 32 x 32, 4 iterations, %s blocks on" % grid)
            self.assertRegex(told[pes], r"mg: at least 0\.\d+ s of it in exchanges")

    def test_every_way_on_every_axis(self):
        for halo in ("auto", "put", "strided"):
            for pes, grid in ((8, "2x2x2"), (6, "1x2x3"), (4, "4x1x1"), (16, "16x1x1")):
                with self.subTest(halo=halo, grid=grid):
                    self.assertWorks(pes, "mg", "--halo", halo, "--grid", grid, "--rounds", 3,
                                     says="verified")
        for pes, grid in ((8, "2x2x2"), (4, "4x1x1")):
            self.assertWorksWith("mpi", pes, "mg", "--grid", grid, "--rounds", 3, says="verified")

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, SKIPPED)
    def test_a_wrong_norm_is_found(self):
        with self.preload("reduction", REDUCTION):
            self.assertNotices(2, "mg", says="the residual's norm is .*; published for class S: 5.307707")

    def test_mistakes(self):
        self.assertRefuses(3, "mg", "--grid", "2x1x1", says="'2x1x1' is not a grid of 3 PEs, such as 3x1x1")
        self.assertRefuses(2, "mg", "--grid", "1x1x2x", says="'1x1x2x' is not a grid of 2 PEs")
        self.assertRefuses(17, "mg", says="cannot be cut into blocks for 17 PEs: there are at most 16")


class Ep(Study):
    def test_class_s(self):
        self.assertAllWork((1, 3, 4), "ep", others=(3,),
                           says="verified: the sums are -3.2478.* and -6.9584.*; 13176389 pairs")

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, SKIPPED)
    def test_wrong_sums_are_found(self):
        with self.preload("reduction", REDUCTION):
            self.assertNotices(2, "ep", says="the sums are .*; published for class S")


# The address of another PE's memory, one key too far.
POINTER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
int shmem_my_pe(void);
void *shmem_ptr(const void *dest, int pe)
{
    void *(*real)(const void *, int) = (void *(*)(const void *, int))dlsym(RTLD_NEXT, "shmem_ptr");
    char *there = real(dest, pe);
    return there != NULL && pe != shmem_my_pe() ? there + 4 : there;
}
"""


class Is(Study):
    def test_class_s(self):
        self.assertAllWork(jobs.PES, "is", "--rounds", 2, others=(3,),
                           says="verified: 5 ranks in each iteration are as published, and sort the keys")

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, SKIPPED)
    def test_wrong_ranks_are_found(self):
        with self.preload("pointer", POINTER):
            self.assertNotices(2, "is", says="[0-9]+ ranks differ from those published for class S")


class Cg(Study):
    def test_class_s(self):
        self.assertAllWork(jobs.PES, "nas-cg", says="verified: zeta is 8.59717750786", others=(3,))

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, SKIPPED)
    def test_a_wrong_zeta_is_found(self):
        with self.preload("reduction", REDUCTION):
            self.assertNotices(2, "nas-cg", says="zeta is .*; published for class S: 8.59717750786")


class AcrossHosts(Study):
    def test_class_s(self):
        for hosts, app, *arguments in (("aab", "mg"), ("abab", "mg", "--grid", "1x2x2", "--halo", "strided"),
                                       ("aba", "is"), ("abb", "nas-cg")):
            with self.subTest(app=app):
                result = jobs.on_hosts(hosts, jobs.program(app), *arguments)
                self.assertEqual(result.status, 0, result)
                self.assertIn(app + ": verified", result.out)


class Large(Study):
    """Not among the tests of a run without --large."""

    def test_large(self):
        for size in "W", "A":
            for app in "mg", "ep", "is", "nas-cg":
                self.assertAllWork((2, 3), app, "--class", size, says="verified", others=(2,))


if __name__ == "__main__":
    if "--large" in sys.argv:
        sys.argv[1:] = ["Large"]
    else:
        del Large
    jobs.main()

# SPDX-License-Identifier: BSD-3-Clause
"""cannon: on grids of all shapes, for sizes that nothing divides, with blocks in place and fetched; what a wrong product
makes of it; and the version that uses MPI."""
import os
import unittest
import unittest.mock

import jobs

SHAPES = ((1, 1, 1), (37, 41, 43), (5, 200, 3))
GRIDS = {1: (1, 1, 1), 2: (1, 2, 2), 3: (1, 3, 3), 4: (2, 2, 2), 6: (2, 3, 6), 8: (2, 4, 4)}

# Every product is off by one in its first element. Declared as all of the BLASes have it in binary: enumerations and sizes
# are ints.
WRONG = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda, const double *b,
                 int ldb, double beta, double *c, int ldc)
{
    __typeof__(&cblas_dgemm) real = (__typeof__(real))dlsym(RTLD_NEXT, "cblas_dgemm");
    real(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    c[0] += 1;
}
"""

def sides(rows, inner, columns):
    return "--rows", rows, "--inner", inner, "--columns", columns


@unittest.skipUnless(jobs.is_built("cannon"), "cannon is not built: no BLAS here (Debian: libopenblas-dev)")
class Cannon(jobs.Case):
    def test_products(self):
        for pes, grid in GRIDS.items():
            for shape in SHAPES if pes == 6 else SHAPES[1:2]:
                with self.subTest(pes=pes, shape=shape):
                    says = ["cannon: %d x %d times" % shape[:2], "verified: every row .* every element"]
                    if shape == SHAPES[1]:
                        says.append("by a grid of %d x %d in %d steps on %d PEs: " % (*grid, pes))
                    self.assertWorks(pes, "cannon", *sides(*shape), says=says)

    def test_grid_follows_the_shape(self):
        self.assertWorks(6, "cannon", *sides(600, 7, 7), says="by a grid of 6 x 1 in")
        self.assertWorks(6, "cannon", *sides(7, 7, 600), says="by a grid of 1 x 6 in")

    def test_fetched(self):
        for pes in (4,):
            with self.subTest(pes=pes):
                self.assertWorks(pes, "cannon", "--size", 65, "--read", "fetch", "--rounds", 3, says="verified")

    def test_limit(self):
        self.assertWorks(2, "cannon", "--size", 64, "--limit", says=["local products alone: 0", "verified"])

    def test_beyond_what_the_blas_checks(self):
        out = self.assertWorks(2, "cannon", *sides(32, 40000, 900), says="verified: every row").out
        self.assertNotIn("every element", out)

    def test_mistakes(self):
        self.assertRefuses(3, "cannon", "--size", 0, says="is not a whole number from 1 to 100000")
        self.assertRefuses(2, "cannon", "--read", "put", says="'put' is not one of auto|fetch")

    @unittest.skipIf(jobs.SANITIZE, "a library put before the sanitizer's")
    def test_a_wrong_product_is_found(self):
        source, wrong = self.write("wrong.c", WRONG), os.path.join(self.folder, "wrong.so")
        built = jobs.run(["cc", "-shared", "-fPIC", source, "-o", wrong, "-ldl"])
        self.assertEqual(built.status, 0, built)
        with unittest.mock.patch.dict(os.environ, LD_PRELOAD=wrong):
            for pes, elements in ((1, 0), (4, 4)):
                result = jobs.oshrun(pes, jobs.program("cannon"), "--size", 20)
                self.assertEqual(result.status, 1, result)
                self.assertIn("the product is wrong: %d parts of rows (Freivalds), %d elements (BLAS)" %
                              (pes, elements), result.err)

    def test_with_mpi(self):
        self.assertWorksWith("mpi", 6, "cannon", *sides(37, 41, 43), "--rounds", 2,
                             says="by a grid of 2 x 3 in 6 steps on 6 ranks: .*\n.*verified.* every element")


if __name__ == "__main__":
    jobs.main()

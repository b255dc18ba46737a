# SPDX-License-Identifier: BSD-3-Clause
"""The applications of the studies, each with OpenSHMEM and MPI, and OpenMP, ARMCI or coarrays: right on any number of PEs, the same lines, and what
a wrong result makes of them."""
import os
import re
import unittest
import unittest.mock

import jobs

VERSIONS = {"mpi": "ranks", "openmp": "threads", "coarray": "images"}
TOLD = " on %d %s: [0-9.]+ s"


class Study(jobs.Case):
    def assertAllWork(self, pes, app, *arguments, says, others=(3,), versions=VERSIONS):
        """The OpenSHMEM version on these numbers of PEs, the others with theirs; each tells its time and is verified.
        The lines of the OpenSHMEM version, per number of PEs."""
        told = {}
        for count in pes:
            with self.subTest(pes=count, arguments=arguments):
                told[count] = self.assertWorks(count, app, *arguments, says=[TOLD % (count, "PEs"), says]).out
        for version, unit in versions.items():
            for count in others if jobs.has_version(app, version) else ():
                with self.subTest(version=version, workers=count, arguments=arguments):
                    self.assertWorksWith(version, count, app, *arguments, says=[TOLD % (count, unit), says])
        return told

    def preload(self, name, source):
        """The environment in which programs get this library first."""
        source, library = self.write(name + ".c", source), os.path.join(self.folder, name + ".so")
        built = jobs.run(["cc", "-shared", "-fPIC", source, "-o", library, "-ldl"])
        self.assertEqual(built.status, 0, built)
        return unittest.mock.patch.dict(os.environ, LD_PRELOAD=library)

    def assertNotices(self, pes, app, *arguments, says):
        result = jobs.oshrun(pes, jobs.program(app), *arguments)
        self.assertEqual(result.status, 1, result)
        self.assertRegex(result.err, "^%s: .*%s" % (app, says))
        self.assertNotIn("verified", result.out)


# A logarithm that is a little off; a sum over all PEs that is one PE's.
LOGARITHM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
double log(double x)
{
    double (*real)(double) = (double (*)(double))dlsym(RTLD_NEXT, "log");
    return real(x) * 1.01;
}
"""
REDUCTION = r"""
#include <stddef.h>
int shmem_double_sum_reduce(void *team, double *dest, const double *source, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dest[i] = source[i];
    return 0;
}
"""


class Fit(Study):
    def test_curves(self):
        self.assertAllWork(jobs.PES, "fit", "--points", 100003, says="verified: all points counted once; 1.[45]")
        self.assertAllWork((3,), "fit", "--points", 2, "--rounds", 3, says="verified", others=(3,))

    @unittest.skipIf(jobs.SANITIZE, "a library put before the sanitizer's")
    def test_a_wrong_curve_is_found(self):
        with self.preload("logarithm", LOGARITHM):
            self.assertNotices(2, "fit", "--points", 100000, says="the curve is .* its points are of 1.5 e")

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, "a library put before the sanitizer's, or a call that is not made")
    def test_missing_points_are_found(self):
        with self.preload("reduction", REDUCTION):
            self.assertNotices(2, "fit", "--points", 100001, says="the sums are not those of 100001 points: count 50001")

    def test_mistakes(self):
        self.assertRefuses(2, "fit", "--points", 1, says="is not a whole number from 2 to 100000000000")
        with open("/proc/sys/vm/overcommit_memory", encoding="ascii") as file:
            if file.read().strip() == "1":
                self.skipTest("this system promises any memory")
        self.assertRefuses(2, "fit", "--points", 99999999999, says="not enough memory for 99999999999 points")


# Puts that carry their signal alone.
SIGNAL = r"""
#include <stddef.h>
#include <stdint.h>
void shmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe);
void shmem_double_put_signal(double *dest, const double *source, size_t count, uint64_t *signal, uint64_t value, int how,
                             int pe)
{
    (void)dest, (void)source, (void)count, (void)how;
    shmem_uint64_atomic_set(signal, value, pe);
}
"""


class Heat(Study):
    def test_plates(self):
        """The same cells by every version on any number of PEs, in the second round, too."""
        for method in ("jacobi", "gauss-seidel", "sor"):
            arguments = ("--method", method, "--size", 23, "--iterations", 30, "--tolerance", 0, "--rounds", 2)
            told = self.assertAllWork((1, 3), "heat", *arguments, says="verified: every cell as one process computes it; ")
            self.assertRegex(told[3], "heat: %s, 23 x 23, stopped after 30 iterations on" % method)
            self.assertEqual(*(re.search("fingerprint [0-9a-f]{16}", text)[0] for text in told.values()))
        self.assertAllWork((8,), "heat", "--plate", "saddle", "--size", 5, "--tolerance", 1e-9, others=(4,),
                           says="off by at most [0-9.e-]* from the exact solution.*\n.*verified")

    def test_pictures(self):
        """The input is handed out, and the picture collected."""
        picture = os.path.join(self.folder, "given")
        self.assertWorks(1, "heat", "--size", 9, "--output", picture, says="wrote")
        drawn = set()
        for version, workers in (("", 1), ("", 3), ("mpi", 3), ("openmp", 3), ("coarray", 3)):
            path = os.path.join(self.folder, "drawn")
            arguments = ("--input", picture, "--iterations", 3, "--output", path)
            if version:
                self.assertWorksWith(version, workers, "heat", *arguments, says="verified")
            else:
                self.assertWorks(workers, "heat", *arguments, says="verified")
            with open(path, "rb") as file:
                drawn.add(file.read())
        self.assertEqual(len(drawn), 1)

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, "a library put before the sanitizer's, or a call that is not made")
    def test_edges_that_do_not_arrive_are_found(self):
        with self.preload("signal", SIGNAL):
            self.assertNotices(2, "heat", "--size", 20, "--iterations", 20,
                               says="the plate is not what one process computes: fingerprint [0-9a-f]{16}, should be ")


# Nothing arrives.
GET = r"""
#include <stddef.h>
void shmem_double_get_nbi(double *dest, const double *source, size_t count, int pe)
{
    (void)dest, (void)source, (void)count, (void)pe;
}
"""


class Matmul(Study):
    def test_products(self):
        for method in ("rows", "columns"):
            for shape in ((37, 41, 43), (2, 70, 2)):
                arguments = ["--method", method, "--rounds", 2]
                for name, count in zip(("--rows", "--inner", "--columns"), shape):
                    arguments += [name, count]
                self.assertAllWork((1, 3), "matmul", *arguments,
                                   says="by %s, %d x %d times .*\n.*verified: every row" % (method, *shape[:2]))
                self.assertWorks(8, "matmul", *arguments, "--read", "copy", says="verified")

    def test_limit(self):
        out = jobs.oshrun(2, jobs.program("matmul"), "--size", 65, "--limit")
        if out.status == 0:
            self.assertRegex(out.out, "limit, a BLAS of one core each: [0-9.]* s\n.*\n.*verified")
        else:
            self.assertRefuses(2, "matmul", "--size", 65, "--limit", says="--limit: no BLAS was found")
        self.assertRefuses(2, "no-blas/matmul", "--size", 65, "--limit", says="--limit: no BLAS was found")

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, "a library put before the sanitizer's, or a call that is not made")
    def test_a_block_that_does_not_arrive_is_found(self):
        with self.preload("get", GET):
            self.assertNotices(2, "matmul", "--method", "columns", "--size", 64, "--read", "copy",
                               says="the product is wrong: 64 rows of 64")

    def test_mistakes(self):
        self.assertRefuses(2, "matmul", "--method", "cannon", says="'cannon' is not one of rows|columns")


# Counts a number of its own in each PE; adds nothing to others' memory.
DRAW = r"""
long shmem_long_atomic_fetch_inc(long *dest, int pe)
{
    static long own;
    (void)dest, (void)pe;
    return own++;
}
"""
ACCUMULATE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
int shmem_my_pe(void);
void shmemx_double_accumulate(double *dest, const double *source, double alpha, size_t count, int pe)
{
    void (*real)(double *, const double *, double, size_t, int) =
        (void (*)(double *, const double *, double, size_t, int))dlsym(RTLD_NEXT, "shmemx_double_accumulate");
    if (pe == shmem_my_pe())
        real(dest, source, alpha, count, pe);
}
"""


class Fock(Study):
    VERSIONS = {"mpi": "ranks", "armci": "processes"}

    def test_matrices(self):
        """Every element, also where there are fewer blocks than PEs and in the second round."""
        for atoms, functions, checked in ((7, 3, 7 * 8 // 2 * 9), (1, 2, 4), (2, 1, 3)):
            self.assertAllWork((1, 3, 8), "fock", "--atoms", atoms, "--functions", functions, "--rounds", 2, "--checked", 1000,
                               versions=self.VERSIONS, says="verified: %d elements are off by at most ([0-9.]+e-1[2-9]|0.0e\\+00) " % checked)

    def test_across_hosts(self):
        for app in "fock", "fock-armci":
            with self.subTest(app=app):
                if not jobs.is_built(app):
                    self.skipTest(app + " is not built")
                result = jobs.on_hosts("aab", jobs.program(app), "--atoms", 8, "--functions", 2)
                self.assertEqual(result.status, 0, result)
                self.assertIn(app + ": verified", result.out)

    @unittest.skipIf(jobs.SANITIZE or jobs.INLINE, "a library put before the sanitizer's, or a call that is not made")
    def test_wrong_matrices_are_found(self):
        for name, source in (("draw", DRAW), ("accumulate", ACCUMULATE)):
            with self.preload(name, source):
                self.assertNotices(2, "fock", "--atoms", 5, says="an element is off by [0-9.]+ from the sum of all its integrals")

    def test_mistakes(self):
        self.assertRefuses(2, "fock", "--atoms", 0, says="'0' is not a whole number from 1 to 1000")
        self.assertRefuses(2, "fock", "--functions", 17, says="is not a whole number from 1 to 16")


if __name__ == "__main__":
    jobs.main()

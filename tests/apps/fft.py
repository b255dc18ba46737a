# SPDX-License-Identifier: BSD-3-Clause
"""fft: sizes of every kind on any number of PEs, in place and by puts, with MPI and OpenMP; many transforms; and a transform
that is a little off."""
import os
import pathlib
import shutil
import tempfile
import unittest

import jobs
from studies import Study

# A transform of a row is off by 10^-9 in its first number; that of everything by one process is another function.
WRONG = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
void fftw_execute_dft(const void *plan, double *in, double *out)
{
    void (*real)(const void *, double *, double *) = (void (*)(const void *, double *, double *))
        dlsym(RTLD_NEXT, "fftw_execute_dft");
    real(plan, in, out);
    out[0] += 1e-9;
}
"""


@unittest.skipUnless(jobs.is_built("fft"), "fft is not built: no FFTW here (Debian: libfftw3-dev)")
class Fft(Study):
    def test_sizes(self):
        self.assertAllWork(jobs.PES, "fft", "--size", 4096, says="verified: .* of one process")
        for size, sides in ((1, "1 x 1"), (7, "1 x 7"), (6300, "75 x 84")):
            self.assertAllWork((3, 8), "fft", "--size", size, "--rounds", 1, says="fft.*: %d = %s numbers" % (size, sides),
                               others=(3,) if size == 6300 else ())

    def test_by_fftw_itself(self):
        compiler = shutil.which("mpicc.openmpi")
        kinds = [("fftw", "CC=cc", "fftw3.h", ["env", "OMP_NUM_THREADS=3"])] if jobs.has_openmp() else []
        if compiler:
            kinds.append(("fftw_mpi", "MPICC=" + compiler, "fftw3-mpi.h", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe",
                                                                          "--bind-to", "none", "-n", "3"]))
        for kind, setting, header, start in kinds:
            if os.path.exists("/usr/include/" + header):
                done = jobs.run(["make", "--no-print-directory", "-C", os.path.join(jobs.APPS, "fft"), kind, setting,
                                 "OUT=" + jobs.PROGRAMS, "CFLAGS=-O2 -Werror"], timeout=100)
                self.assertEqual((done.status, done.err), (0, ""), done)
                done = jobs.run([*start, jobs.program("fft-" + kind), "--size", "6300"], timeout=60)
                self.assertEqual(done.status, 0, done)
                self.assertRegex(done.out, "verified: .* of one process")

    def test_by_puts(self):
        for pes, size in ((1, 210), (2, 4096), (3, 6300), (8, 30)):
            self.assertWorks(pes, "fft", "--exchange", "put", "--size", size, says="verified: .* of one process")

    def test_across_hosts(self):
        result = jobs.on_hosts("aab", jobs.program("fft"), "--size", 6300)
        self.assertEqual(result.status, 0, result)
        self.assertRegex(result.out, "verified: .* of one process")

    def test_many(self):
        self.assertAllWork((1, 3, 8), "fft", "--many", 5, "--size", 700, says="verified: transformed back")

    def test_plans_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            wisdom = os.path.join(folder, "wisdom")
            self.assertWorks(2, "fft", "--many", 5, "--size", 64, "--wisdom", wisdom, says="verified")
            first = pathlib.Path(wisdom).read_text()
            self.assertAllWork((1, 3), "fft", "--many", 5, "--size", 64, "--wisdom", wisdom, says="verified")
            self.assertEqual(first, pathlib.Path(wisdom).read_text())
            self.assertAllWork((2,), "fft", "--size", 4096, "--wisdom", wisdom, says="verified")
            pathlib.Path(wisdom).write_text("plans\n")
            self.assertRefuses(2, "fft", "--wisdom", wisdom, says="is no file of FFTW's wisdom")
            self.assertEqual("plans\n", pathlib.Path(wisdom).read_text())
            self.assertRefuses(2, "fft", "--wisdom", os.path.join(folder, "none/wisdom"), says="cannot be written")

    @unittest.skipIf(jobs.SANITIZE, "a library put before the sanitizer's")
    def test_a_wrong_transform_is_found(self):
        with self.preload("wrong", WRONG):
            self.assertNotices(2, "fft", "--size", 1024, says="the result is off by .*e-1[01] of that of one process")
            self.assertNotices(2, "fft", "--size", 1024, "--many", 3, says="transformed back, a transform is off by")

    def test_mistakes(self):
        self.assertRefuses(2, "fft", "--size", 0, says="is not a whole number from 1 to 1073741824")
        self.assertRefuses(2, "fft", "--exchange", "get", says="'get' is not one of auto|put")


if __name__ == "__main__":
    jobs.main()

# SPDX-License-Identifier: BSD-3-Clause
"""All applications compile without a word by `make -C apps`, one by `make -C apps/NAME`, heat also without
libpng; cannon says what it lacks."""
import ctypes
import os
import re
import unittest

import jobs


OLD_OSHCC = "/usr/bin/oshcc"


def make(folder, out, *settings):
    flags = "-O2 -Werror"
    if jobs.SANITIZE:
        flags += " -g -fsanitize=" + jobs.SANITIZE
    if jobs.INLINE:
        flags += " --inline"
    return jobs.run(["make", "-B", "--no-print-directory", "-C", folder, "OSHCC=" + jobs.OSHCC,
                     "OUT=" + out, "CFLAGS=" + flags, *settings], timeout=200)


def versions():
    """Those that can be built here: the Makefiles' target, and its setting."""
    compiler, _ = jobs.mpi()
    found = [("mpi", "MPICC=" + compiler)] if compiler else []
    found += [("openmp", "CC=cc")] if jobs.has_openmp() else []
    found += [("armci", "OSHCC=" + jobs.OSHCC)] if jobs.has_armci() else []
    return found + ([("coarray", "OSHFORT=" + jobs.OSHFORT)] if jobs.has_coarrays() else [])


def ucx_version():
    """Of UCX as it is loaded; (0, 0) without it."""
    numbers = [ctypes.c_uint() for _ in range(3)]
    try:
        ctypes.CDLL("libucp.so.0").ucp_get_version(*map(ctypes.byref, numbers))
    except OSError:
        pass
    return numbers[0].value, numbers[1].value


class Build(unittest.TestCase):
    def check(self, result, out, names):
        self.assertEqual((result.status, result.err), (0, ""), result)
        for name in names:
            self.assertTrue(os.access(os.path.join(out, name), os.X_OK), name)

    def test_all(self):
        result = make(jobs.APPS, jobs.PROGRAMS)
        lacking = re.findall("^([a-z]+): not built: ", result.out, re.M)
        self.assertLessEqual(set(lacking), {"cannon", "fft"}, result)
        self.check(result, jobs.PROGRAMS, [name for name in jobs.NAMES if name not in lacking])

    @unittest.skipIf(jobs.SANITIZE, "an MPI leaks, and is not what is tested")
    def test_versions(self):
        """Those of MPI, by the MPI whose launcher the tests use, of OpenMP, of ARMCI, and of coarrays."""
        if not versions():
            self.skipTest("no MPI here (Debian: libmpich-dev, libopenmpi-dev), no OpenMP, no gfortran, and no ARMCI in this build")
        for kind, setting in versions():
            self.check_versions(kind, setting)

    def check_versions(self, kind, setting):
        names = [name for name in jobs.NAMES if jobs.has_version(name, kind)]
        result = jobs.run(["make", "-B", "--no-print-directory", "-C", jobs.APPS, kind, setting, "OUT=" + jobs.PROGRAMS,
                           "CFLAGS=-O2 -Werror"], timeout=200)
        lacking = re.findall("^([a-z]+): not built: ", result.out, re.M)
        self.check(result, jobs.PROGRAMS, [name + "-" + kind for name in names if name not in lacking])

    @unittest.skipIf(jobs.SANITIZE or not os.path.exists(OLD_OSHCC), "no Open MPI's OpenSHMEM (Debian: libopenmpi-dev)")
    def test_openshmem_of_version_1_4(self):
        """What the applications use of newer versions, in its words."""
        out = os.path.join(jobs.PROGRAMS, "old")
        for name in ("mg", "matmul", "permutation", "bfs"):
            result = jobs.run(["make", "-B", "--no-print-directory", "-C", os.path.join(jobs.APPS, name), "OSHCC=" + OLD_OSHCC,
                               "OUT=" + out, "CFLAGS=-O1 -Werror"], timeout=200)
            self.check(result, out, [name])
        if ucx_version() >= (1, 16):
            self.skipTest("compiled, not run: Open MPI 4.1's OpenSHMEM over UCX 1.16 dies in one of four runs of puts and barriers")
        environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "SHMEM_SYMMETRIC_SIZE": "64M"}
        result = jobs.run(["env", *("%s=%s" % pair for pair in environment.items()), os.path.join(os.path.dirname(OLD_OSHCC), "oshrun"),
                           "-n", "2", "--oversubscribe", "--mca", "memory", "^patcher", os.path.join(out, "mg"), "--class", "S",
                           "--halo", "put"], timeout=100)
        self.assertEqual(result.status, 0, result)
        self.assertIn("mg: verified", result.out)

    def test_heat_without_libpng(self):
        out = os.path.join(jobs.PROGRAMS, "netpbm")
        self.check(make(os.path.join(jobs.APPS, "heat"), out, "PKG_CONFIG=false"), out, ["heat"])

    def test_fft_without_fftw(self):
        out = os.path.join(jobs.PROGRAMS, "no-fftw")
        result = make(os.path.join(jobs.APPS, "fft"), out, "PKG_CONFIG=false")
        self.check(result, out, [])
        self.assertIn("fft: not built: pkg-config knows no fftw3", result.out)
        self.assertFalse(os.path.exists(os.path.join(out, "fft")))

    def test_cannon_without_a_blas(self):
        out = os.path.join(jobs.PROGRAMS, "no-blas")
        result = make(os.path.join(jobs.APPS, "cannon"), out, "PKG_CONFIG=false")
        self.check(result, out, [])
        self.assertIn("cannon: not built: pkg-config knows no BLAS of openblas", result.out)
        self.assertFalse(os.path.exists(os.path.join(out, "cannon")))
        self.check(make(os.path.join(jobs.APPS, "matmul"), out, "PKG_CONFIG=false"), out, ["matmul"])

    def test_every_application_has_a_page(self):
        for name in jobs.NAMES:
            with open(os.path.join(jobs.APPS, name, "README.md"), encoding="utf-8") as file:
                page = file.read()
            for part in ("Definition", "Discussion", "Parallel considerations", "Why it is here"):
                self.assertIn("\n## %s\n" % part, page, name)


if __name__ == "__main__":
    jobs.main()

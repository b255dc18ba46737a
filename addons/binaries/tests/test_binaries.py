# SPDX-License-Identifier: BSD-3-Clause
"""Programs that were linked with another OpenSHMEM library, by oshrun --as: Open MPI's own where it is installed, and files that
have the names and numbers of Open MPI's and Sandia's. Arguments: the source tree, the build, a folder, the C compiler."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
CC = sys.argv[4]
HERE = SOURCE / "addons/binaries/tests"
OSHRUN = BUILD / "bin/oshrun"
SONAMES = {"ompi": "liboshmem.so.40", "sos": "libsma.so.0"}


def open_mpi_compiler():
    for oshcc in filter(None, (shutil.which("oshcc.openmpi"), shutil.which("oshcc"))):
        said = subprocess.run([oshcc, "--showme:version"], capture_output=True, text=True)
        if "Open" in said.stdout + said.stderr:
            return oshcc
    return None


def link_with_stub(program, source, soname, *options):
    """A program that needs a library of this name, which has its names and is not there when it runs."""
    unit, stub = WORK / f"{program.name}.o", WORK / f"lib{program.name}-stub.so"
    subprocess.run([CC, "-w", f"-I{SOURCE / 'include'}", *options, "-c", source, "-o", unit], check=True)
    listed = subprocess.run(["nm", "-u", unit], capture_output=True, text=True, check=True).stdout
    names = [name for name in (line.split()[-1] for line in listed.splitlines()) if "shmem" in name.lower()]
    text = "".join(f"void *{name};\n" if name.isupper() else f"void {name}(void) {{}}\n" for name in names)
    subprocess.run([CC, "-shared", "-fPIC", "-x", "c", "-", f"-Wl,-soname,{soname}", "-o", stub], input=text, text=True, check=True)
    subprocess.run([CC, unit, "-Wl,--no-as-needed", stub, "-o", program], check=True)
    return program


class Binaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)

    def run_as(self, library, program, *arguments, pes=4, **settings):
        return subprocess.run([OSHRUN, "--as", library, "-n", str(pes), program, *arguments], capture_output=True, text=True,
                              timeout=60, env={**os.environ, **settings})

    def check_all(self, library, program):
        for pes in 1, 2, 3, 8:
            result = self.run_as(library, program, pes=pes)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertEqual(sorted(result.stdout.splitlines()),
                             [f"PE {pe} of {pes}: all of it holds with Sheaf 0.1.0" for pe in range(pes)])

    def refused(self, words, *command):
        result = subprocess.run([OSHRUN, *command], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(words, result.stderr)

    def test_open_mpi(self):
        oshcc = open_mpi_compiler()
        if not oshcc:
            self.skipTest("Open MPI's oshcc is not installed: Debian's libopenmpi-dev")
        program = WORK / "ompi"
        subprocess.run([oshcc, "-w", "-DOMPI", HERE / "program.c", "-o", program], check=True)
        self.check_all("ompi", program)

    def test_sandia(self):
        self.check_all("sos", link_with_stub(WORK / "sos", HERE / "program.c", SONAMES["sos"], "-DSOS", f"-I{HERE}"))

    def test_without(self):
        """Started without --as: a line says what to do, and with the library loaded by hand none does."""
        program = link_with_stub(WORK / "sos-alone", HERE / "program.c", SONAMES["sos"], "-DSOS", f"-I{HERE}")
        result = subprocess.run([OSHRUN, "-n", "1", program], capture_output=True, text=True, timeout=60)
        self.assertIn("oshrun: warning: sos-alone is linked with another OpenSHMEM (libsma.so.0), not with Sheaf: oshrun --as sos",
                      result.stderr)
        self.assertIn("[SH912]", result.stderr)

    def test_death(self):
        """The program's own place in its own words: the library between does not hide it."""
        program = link_with_stub(WORK / "sos-dies", HERE / "program.c", SONAMES["sos"], "-DSOS", "-g", f"-I{HERE}")
        result = self.run_as("sos", program, "dies", pes=2)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("program.c", result.stderr)

    def test_preload_by_hand(self):
        """As another launcher has it; what was there before stays."""
        program = link_with_stub(WORK / "sos-hand", HERE / "program.c", SONAMES["sos"], "-DSOS", f"-I{HERE}")
        file = BUILD / "lib/sheaf/sos/libsma.so.0"
        result = subprocess.run([OSHRUN, "-n", "2", "-x", f"LD_PRELOAD={file}", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout.count("all of it holds"), result.stderr), (0, 2, ""))
        result = self.run_as("sos", program, pes=2, LD_PRELOAD="libm.so.6")
        self.assertEqual((result.returncode, result.stdout.count("all of it holds")), (0, 2), result.stderr)

    def test_refused(self):
        empty = WORK / "empty.c"
        empty.write_text("int main(void) { return 0; }\n")
        calls = WORK / "calls.c"
        calls.write_text("void shmemx_ct_wait(void *, long);\nint main(void) { shmemx_ct_wait(0, 0); return 0; }\n")
        sos = link_with_stub(WORK / "empty-sos", empty, SONAMES["sos"])
        self.refused("did you mean --as sos?", "--as", "ompi", sos)
        self.refused("calls shmemx_ct_wait, which Sheaf does not have", "--as", "sos",
                     link_with_stub(WORK / "calls", calls, SONAMES["sos"]))
        self.refused("needs liboshmem.so.8", "--as", "ompi", link_with_stub(WORK / "old", empty, "liboshmem.so.8"))
        self.refused("run it without --as", "--as", "sos", link_with_stub(WORK / "ours", empty, "libsheaf.so.0"))
        self.refused("expected ompi", "--as", "cray", sos)
        static = WORK / "static"
        if subprocess.run([CC, "-static", empty, "-o", static], stderr=subprocess.DEVNULL).returncode == 0:
            self.refused("is statically linked", "--as", "sos", static)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

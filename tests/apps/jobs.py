# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the applications share: running one on several PEs, and what it means that it
worked or that it refused. ctest sets the variables read here."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "common"))
import mpich # noqa: E402

OSHCC = os.environ["OSHCC"]
OSHRUN = os.environ["OSHRUN"]
OSHFORT = os.path.join(os.path.dirname(OSHCC), "oshfort")
APPS = os.environ["APPS"]
PROGRAMS = os.environ["APPS_PROGRAMS"]
DATA = os.environ["APPS_DATA"]
SANITIZE = os.environ.get("SANITIZE", "")
INLINE = os.environ.get("INLINE") == "ON"

# How each MPI compiles and starts; the programs are built with the first that is there and that its launcher starts.
MPIS = {"mpicc.mpich": ["mpiexec.hydra"],
        "mpicc.openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]}
if mpich.speaks_pmix():
    del MPIS["mpicc.mpich"]

PES = (1, 2, 3, 4, 8)
SECONDS = 60  # for one job

with open(os.path.join(APPS, "Makefile"), encoding="utf-8") as _file:
    NAMES = re.search(r"^APPS := ((?:.*\\\n)*.*)$", _file.read(), re.M).group(1).replace("\\", "").split()

Result = collections.namedtuple("Result", "status out err")

# Runs the program, then says with which status it ended, and ends well itself, so that oshrun lets
# every PE come to its end.
TELL_STATUS = '"$@"; echo "ended with $?"'


def run(command, timeout=SECONDS + 10, cwd=None):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, cwd=cwd)
    return Result(done.returncode, done.stdout.decode(errors="replace"),
                  done.stderr.decode(errors="replace"))


def oshrun(pes, *command, cwd=None):
    return run([OSHRUN, "-n", pes, "--timeout", SECONDS, *command], cwd=cwd)


def mpi():
    """The compiler and the launcher of an MPI; None twice without one."""
    for compiler, launcher in MPIS.items():
        if shutil.which(compiler) and shutil.which(launcher[0]):
            return compiler, launcher
    return None, None


def has_openmp():
    """Whether cc knows OpenMP and has its library."""
    done = subprocess.run(["cc", "-fopenmp", "-x", "c", "-", "-o", os.devnull], input=b"int main(void) { return 0; }",
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    return done.returncode == 0


def has_armci():
    """Whether this build has libarmci."""
    done = subprocess.run([OSHCC, "-x", "c", "-", "-larmci", "-o", os.devnull], input=b"int main(void) { return 0; }",
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    return done.returncode == 0


def has_coarrays():
    """Whether this build has coarrays, and gfortran is here."""
    library = os.path.join(os.path.dirname(OSHCC), os.pardir, "lib", "libcaf_sheaf.so")
    return bool(shutil.which("gfortran")) and os.path.exists(library)


def on_hosts(hosts, *command):
    """Each PE on the host that its letter names (tests/common/on-hosts). Skips where hosts cannot be."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "common", "on-hosts")
    result = run([sys.executable, script, hosts, *command])
    if result.status == 77:
        raise unittest.SkipTest(result.out.strip())
    return result


def has_version(app, version):
    """Whether the application is written so."""
    return any(os.path.exists(os.path.join(APPS, app, "%s_%s.%s" % (app, version, end))) for end in ("c", "f90"))


def program(app):
    return os.path.join(PROGRAMS, app)


def is_built(app):
    return os.access(program(app), os.X_OK)


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="sheaf-apps-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def assertWorks(self, pes, app, *arguments, says=()):
        """Status 0, nothing on standard error, and every pattern on standard output."""
        result = oshrun(pes, program(app), *arguments, cwd=self.folder)
        self.assertEqual((result.status, result.err), (0, ""), result)
        for pattern in [says] if isinstance(says, str) else says:
            self.assertRegex(result.out, pattern)
        return result

    def assertWorksWith(self, version, workers, app, *arguments, says=()):
        """The same of an application's MPI, OpenMP, ARMCI or coarray version, with so many ranks, threads, processes or images; skips one that is not
        built."""
        path = program("%s-%s" % (app, version))
        if not is_built(os.path.basename(path)):
            self.skipTest("%s is not built: no compiler for it" % os.path.basename(path))
        start = {"openmp": ["env", "OMP_NUM_THREADS=%d" % workers, "OMP_WAIT_POLICY=passive"],
                 "mpi": [*(mpi()[1] or []), "-n", workers]}.get(version, [OSHRUN, "-n", workers, "--timeout", SECONDS])
        result = run([*start, path, *arguments], cwd=self.folder)
        self.assertEqual(result.status, 0, result)
        for pattern in [says] if isinstance(says, str) else says:
            self.assertRegex(result.out, pattern)
        return result

    def assertRefuses(self, pes, app, *arguments, says):
        """One line of the program on standard error, and status 1 on every PE and of the job."""
        told = oshrun(pes, "sh", "-c", TELL_STATUS, "sh", program(app), *arguments,
                      cwd=self.folder)
        self.assertEqual(told.status, 0, told)
        self.assertEqual(re.findall("ended with ([0-9]+)", told.out), ["1"] * pes, told)
        lines = told.err.splitlines()
        self.assertEqual(len(lines), 1, told)
        self.assertRegex(lines[0], "^%s: .*%s" % (os.path.basename(app), says))
        self.assertEqual(oshrun(pes, program(app), *arguments, cwd=self.folder).status, 1)


def main():
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun and len(result.skipped) == result.testsRun:
        for test, reason in result.skipped:
            print("skipped: %s: %s" % (test, reason))
        sys.exit(77)

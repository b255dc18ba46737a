# SPDX-License-Identifier: BSD-3-Clause
#
# The ways in which an application is written, each with every library that is here for it: how its program is built
# (apps/*/Makefile) and how it is started on a number of PEs, ranks or threads of this machine, each with a CPU of its own
# where there are enough.

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import diposh_jobs
import measure

BENCH = pathlib.Path(__file__).resolve().parent.parent
APPS = BENCH.parent / "apps"
OWN = "Sheaf"
BARE = "limit"


class Way:
    """One library. yields: whether PEs that wait leave a CPU to others; launcher: of its jobs between hosts; suffix: of the
    Makefile's target and of the program; settings: of make; compiler: the name of that one which compiles; sources: where its
    benchmarks are, None without; planner: what tells its FFTW's plans from others'; by_tcp: whether settings make messages
    within a host go through TCP."""
    suffix, compiler, sources, planner, launcher, by_tcp = "", None, None, "", "openmpi", True
    yields = True

    def __init__(self, name, settings, environment=None):
        self.name, self.settings, self.environment = name, settings, environment or {}
        self.failures = {}  # application -> why there is no program of it

    def folder(self, output):
        return output / "programs" / re.sub(r"[^\w.]+", "-", self.name)

    def writes(self, row):
        """Whether the application is written in this way at all."""
        if row.is_app:
            return not self.suffix or (APPS / row.app / f"{row.app}_{self.suffix}.c").exists()
        return self.sources is not None and self.source_of(row).exists()

    def source_of(self, row):
        """Of a benchmark; it need not be there."""
        if self.sources == BENCH and not row.folder:
            return measure.node_source(row.app)
        return self.sources / row.folder / f"{row.app}.c"

    def build(self, row, output):
        """The program, or None with the reason in failures."""
        command, program = self._made(row.app, output) if row.is_app else self._compiled(row, output)
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode == 0 and program.exists():
            return program
        said = [line for line in (done.stderr + done.stdout).splitlines() if "rror" in line or "not built" in line]
        self.failures[row.app] = (said or ["no program"])[0].strip()
        return None

    def _made(self, app, output):
        settings = (f"{name}={value}" for name, value in self.settings.items())
        command = ["make", "--no-print-directory", "-C", APPS / app, *([self.suffix] if self.suffix else []),
                   f"OUT={self.folder(output)}", *settings]
        return command, self.folder(output) / (f"{app}-{self.suffix}" if self.suffix else app)

    def _compiled(self, row, output):
        program = self.folder(output) / f"bench-{row.app}"
        program.parent.mkdir(parents=True, exist_ok=True)
        compiler = shlex.split(str(self.settings[self.compiler]))
        return [*compiler, *measure.flags(shlex.split(os.environ.get("CC", "cc"))), self.source_of(row), "-o",
                program], program

    def command(self, program, pes, cpus):
        """The command; its environment is the way's own, and thread_environment() of it."""
        raise NotImplementedError

    def thread_environment(self, pes, cpus):
        return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Shmem(Way):
    """Sheaf, under oshrun."""
    compiler, sources = "OSHCC", BENCH

    def __init__(self, build):
        super().__init__(OWN, {"OSHCC": build / "bin/oshcc"})
        self.oshrun = build / "bin/oshrun"

    def command(self, program, pes, cpus):
        return [self.oshrun, "-n", str(pes), *(["--bind", "core"] if pes <= cpus else []), *program]


class Armci(Shmem):
    """Sheaf's libarmci, under oshrun."""
    suffix, sources = "armci", None

    def __init__(self, build):
        super().__init__(build)
        self.name = f"{OWN}'s ARMCI"


class Coarray(Way):
    """Coarrays of Fortran, by Sheaf's library for gfortran."""
    suffix = "coarray"

    def __init__(self, build):
        super().__init__(f"{OWN}'s coarrays", {"OSHFORT": build / "bin/oshfort"})
        self.oshrun = build / "bin/oshrun"

    def writes(self, row):
        return row.is_app and (APPS / row.app / f"{row.app}_coarray.f90").exists()

    def command(self, program, pes, cpus):
        return [self.oshrun, "-n", str(pes), *(["--bind", "core"] if pes <= cpus else []), *program]


class OpenMp(Way):
    suffix = "openmp"

    def __init__(self):
        super().__init__("OpenMP", {})

    def command(self, program, pes, cpus):
        return program

    def thread_environment(self, pes, cpus):
        bound = {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"} if pes <= cpus else {}
        return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": str(pes), "OMP_DYNAMIC": "false", **bound}


class Mpi(Way):
    """prefix: the folder that it is installed in, where that is not the system's."""
    suffix, compiler, sources = "mpi", "MPICC", BENCH / "mpi"

    def __init__(self, name, compiler, launcher, prefix=None):
        super().__init__(name, {"MPICC": compiler}, {} if launcher == "hydra" else measure.OPEN_MPI_ENVIRONMENT)
        # Ranks of MPICH spin: heat's 5,000 iterations took 41 s on 4 ranks of 2 CPUs, and Open MPI's 0.7 s.
        self.launcher, self.yields, self.prefix = launcher, launcher != "hydra", prefix

    def command(self, program, pes, cpus):
        folder = f"{self.prefix}/bin/" if self.prefix else ""
        if self.launcher != "hydra":
            return [*open_mpi_command(f"{folder}mpirun" if folder else "mpirun.openmpi", pes, cpus), *program]
        return [f"{folder}mpiexec.hydra", "-n", str(pes), *(["-bind-to", "core"] if pes <= cpus else []), *program]


class TwoSided(Mpi):
    """MPI's messages, where Mpi has its one-sided operations."""
    suffix, sources = "two-sided", BENCH / "mpi/two-sided"

    def __init__(self, mpi):
        super().__init__(f"{mpi.name}, two-sided", mpi.settings["MPICC"], mpi.launcher, mpi.prefix)

    def source_of(self, row):
        return self.sources / f"{row.app}.c"


class OneTransform:
    """FFTW by itself does one transform; many, each by one PE, are the others' alone."""

    def writes(self, row):
        return row.is_app and "--many" not in row.full and super().writes(row)


class FftwThreads(OneTransform, OpenMp):
    suffix, planner = "fftw", "-threads"

    def __init__(self):
        super().__init__()
        self.name = "FFTW's threads"


class FftwMpi(OneTransform, Mpi):
    suffix, planner = "fftw_mpi", "-mpi"

    def __init__(self, mpi):
        super().__init__("FFTW-MPI", mpi.settings["MPICC"], mpi.launcher)


class OpenShmem(Way):
    """Open MPI's OpenSHMEM, of version 1.4: what it cannot compile is left out, with the compiler's reason."""
    compiler, sources = "OSHCC", BENCH

    def __init__(self, version, oshcc, oshrun):
        super().__init__(f"Open MPI {version} OSHMEM", {"OSHCC": oshcc}, measure.OPEN_MPI_ENVIRONMENT)
        self.oshrun = oshrun

    def command(self, program, pes, cpus):
        return [*open_mpi_command(self.oshrun, pes, cpus), *measure.OPEN_MPI_OPTIONS, *program]


class InstalledShmem(Way):
    """An OpenSHMEM of a folder of its own, started by that folder's oshrun. Addresses are not randomized: Sandia's reads and
    writes another process's memory at the addresses of its own."""
    compiler, sources, by_tcp, yields = "OSHCC", BENCH, False, False

    def __init__(self, name, prefix):
        super().__init__(name, {"OSHCC": prefix / "bin/oshcc"}, {"SHMEM_SYMMETRIC_SIZE": "512M"})
        self.oshrun = prefix / "bin/oshrun"

    def command(self, program, pes, cpus):
        return ["setarch", "-R", self.oshrun, "-n", str(pes), BENCH / "diposh/pinned", *program]


class Bare(Way):
    """What a benchmark does without any library: plain C, processes and shared memory."""
    compiler, sources, by_tcp = "CC", BENCH / "limits", False

    def __init__(self):
        super().__init__(BARE, {"CC": os.environ.get("CC", "cc")})

    def writes(self, row):
        return not row.is_app and super().writes(row)

    def command(self, program, pes, cpus):
        return [*program, str(pes)]


def open_mpi_command(launcher, pes, cpus):
    crowded = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    return [launcher, "-n", str(pes), *(["--bind-to", "core"] if pes <= cpus else crowded)]


def has_library(name, compiler=None):
    """Whether a program can be linked with it."""
    compiler = shlex.split(str(compiler or os.environ.get("CC", "cc")))
    return subprocess.run([*compiler, "-x", "c", "-", "-o", "/dev/null", f"-l{name}"], input="int main(void) { return 0; }",
                          text=True, capture_output=True).returncode == 0


def has_openmp():
    compiler = shlex.split(os.environ.get("CC", "cc"))
    return subprocess.run([*compiler, "-fopenmp", "-x", "c", "-", "-o", "/dev/null"], input="int main(void) { return 0; }",
                          text=True, capture_output=True).returncode == 0


def mpi_of(prefix):
    """An MPI that is installed in a folder of its own, as PyPI's wheels of Open MPI 5 and MPICH 5 are. Open MPI 5's jobs between
    hosts are started by its prterun."""
    prefix = pathlib.Path(prefix).resolve()
    launcher = prefix / "bin/mpiexec"
    if not launcher.exists() or not (prefix / "bin/mpicc").exists():
        sys.exit(f"bench: BENCH_MPI: {prefix}: no bin/mpicc and bin/mpiexec there: name folders in which an MPI is installed, with : between")
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True, env={**os.environ, **measure.OPEN_MPI_ENVIRONMENT}).stdout
    is_open, version = "Open MPI" in said, re.search(r"\b\d+\.\d+(\.\d+)?\b", said)
    name = "Open MPI" if is_open else "MPICH"
    return Mpi(f"{name} {version[0]}" if version else name, prefix / "bin/mpicc", "prte" if is_open else "hydra", prefix)


def shmem_of(prefix):
    """An OpenSHMEM that is installed in a folder of its own, named as its shmem.h names it."""
    prefix = pathlib.Path(prefix).resolve()
    if not all((prefix / "bin" / program).exists() for program in ("oshcc", "oshrun")):
        sys.exit(f"bench: BENCH_SHMEM: {prefix}: no bin/oshcc and bin/oshrun there: name folders in which an OpenSHMEM is installed, "
                 "with : between")
    said = subprocess.run([prefix / "bin/oshcc", "-x", "c", "-E", "-"], input="#include <shmem.h>\nnamed SHMEM_VENDOR_STRING\n",
                          capture_output=True, text=True).stdout
    named = re.search(r'^named "(.+)"$', said, re.M)
    name = named[1] if named else prefix.name
    return InstalledShmem(name if "SHMEM" in name else f"{name} OpenSHMEM", prefix)


def find(build):
    """Those of this machine, Sheaf first."""
    found = [Shmem(build), *([Armci(build)] if has_library("armci", build / "bin/oshcc") else [])]
    if shutil.which("gfortran") and (build / "lib/libcaf_sheaf.so").exists():
        found.append(Coarray(build))
    if has_openmp():
        found.append(OpenMp())
    mpis = [Mpi(name, compiler, launcher) for name, (compiler, launcher) in diposh_jobs.find_mpis().items()]
    mpis += [mpi_of(prefix) for prefix in os.environ.get("BENCH_MPI", "").split(":") if prefix]
    found += mpis + [TwoSided(mpi) for mpi in mpis]
    if has_openmp() and has_library("fftw3_omp"):
        found.append(FftwThreads())
    found += [FftwMpi(mpi) for mpi in mpis if mpi.launcher == "openmpi" and has_library("fftw3_mpi", mpi.settings["MPICC"])]
    open_mpi = measure.find_open_mpi()
    if open_mpi and shutil.which("mpirun.openmpi"):
        found.append(OpenShmem(*open_mpi))
    found += [shmem_of(prefix) for prefix in os.environ.get("BENCH_SHMEM", "").split(":") if prefix]
    return [*found, Bare()]

# SPDX-License-Identifier: BSD-3-Clause
"""Starts programs of MPI and OpenSHMEM on this machine, under the launcher of their MPI."""
import glob
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "common"))
import mpich # noqa: E402

SKIPPED = 77
MPICH_SEGMENTS = "/dev/shm/mpich_shm_*"
# The standard ABI's tests have the folder of its MPI in LD_LIBRARY_PATH.
ABI_LAUNCHER = os.path.join(os.path.dirname(os.environ.get("LD_LIBRARY_PATH", "").split(":")[0]), "bin", "mpiexec.hydra")
LAUNCHERS = {
    "openmpi": (["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"],
                "Debian's openmpi-bin"),
    "mpich": (["mpiexec.hydra"], "Debian's mpich"),
    "abi": ([ABI_LAUNCHER if os.access(ABI_LAUNCHER, os.X_OK) else "mpiexec.hydra"], "Debian's mpich"),
    "oshrun": ([os.environ.get("OSHRUN", "oshrun")], "Sheaf"), # of MPICH's programs
}


def need(mpi, *programs):
    """Ends the script as skipped where that MPI's launcher is missing, or its headers were at build time."""
    command, package = LAUNCHERS[mpi]
    if not shutil.which(command[0]):
        print(f"skipped: no command {command[0]}: install {package}")
        sys.exit(SKIPPED)
    if "NOTFOUND" in programs: # cmake/SheafMpi.cmake
        print("skipped: this MPI was not there at build time: Debian's libopenmpi-dev, libmpich-dev; "
              "scripts/setup --abi for one with MPI 5's standard ABI")
        sys.exit(SKIPPED)
    if mpi == "mpich" and mpich.speaks_pmix():
        print("skipped: this MPICH was built for PMIx, which its own launcher mpiexec.hydra does not speak (Ubuntu 24.04's): "
              "oshrun starts its programs")
        sys.exit(SKIPPED)


def need_windows(mpi, program, errors):
    """After a job that failed: skipped where it asked for a window and this MPI makes none without Sheaf either.
    The program: that of buffers.c."""
    if "MPI_ERR_WIN" in errors and "MPI_ERR_WIN" in run(mpi, 2, [program, "mpi-alone"])[2]:
        print("skipped: this MPI makes no windows here (MPI_Win_create fails without Sheaf, too)")
        sys.exit(SKIPPED)


def is_mapped(path):
    for maps in glob.glob("/proc/[0-9]*/maps"):
        try:
            with open(maps, encoding="utf-8", errors="replace") as lines:
                if any(path in line for line in lines):
                    return True
        except OSError:
            pass # of a process that has ended, or of another user
    return False


def remove_segments(before):
    """MPICH 5 leaves its shared memory where a process ends without MPI_Finalize: removed unless somebody uses it."""
    for path in set(glob.glob(MPICH_SEGMENTS)) - before:
        if os.stat(path).st_uid == os.getuid() and not is_mapped(path):
            os.unlink(path)


def run(mpi, pes, program, timeout=60, env=None, launcher=None):
    """(exit status, standard output, standard error); status 124 after timeout seconds."""
    before = set(glob.glob(MPICH_SEGMENTS))
    try:
        return communicate(mpi, pes, program, timeout, env, launcher)
    finally:
        if mpi == "abi":
            remove_segments(before)


def communicate(mpi, pes, program, timeout, env, launcher):
    command = [*(launcher or LAUNCHERS[mpi][0]), "-n", str(pes), *program]
    process = subprocess.Popen(command, env={**os.environ, **(env or {})}, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM) # a launcher ends its processes then
        try:
            out, errors = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, errors = process.communicate()
        return 124, out, errors
    return process.returncode, out, errors

# SPDX-License-Identifier: BSD-3-Clause
#
# MPIs installed in folders of their own, as PyPI's wheels are: those that `scripts/setup --bench` installs, and the folders of
# BENCH_MPI. How each compiles, and starts processes of one host that bind themselves.

import os
import pathlib
import re
import shlex
import subprocess
import sys

import measure

# Of scripts/setup --bench: what is there when it is installed, by name.
USUAL = {"Open MPI 5": "/opt/openmpi-5", "MPICH 5": "/opt/mpich-abi", "Intel MPI": "/opt/intel-mpi"}


def title(said):
    """The name and version in what mpiexec --version prints."""
    version = re.search(r"\b\d+\.\d+(\.\d+)?\b", said)
    name = "Open MPI" if "Open MPI" in said else "Intel MPI" if "Intel" in said else "MPICH"
    return name, f"{name} {version[0]}" if version else name


class Installed:
    """name; compiler and launcher: words; crowded: the launcher's options where processes outnumber CPUs; environment."""

    def __init__(self, folder):
        said = subprocess.run([folder / "bin/mpiexec", "--version"], capture_output=True, text=True,
                              env={**os.environ, **measure.OPEN_MPI_ENVIRONMENT}).stdout
        kind, self.name = title(said)
        self.compiler, self.launcher = [f"{folder}/bin/mpicc"], [f"{folder}/bin/mpiexec"]
        self.crowded, self.environment = [], {}
        if kind == "Open MPI":
            self.launcher += ["--bind-to", "none"]
            self.crowded, self.environment = ["--oversubscribe"], measure.OPEN_MPI_ENVIRONMENT
        elif kind == "MPICH":
            self.launcher += ["-bind-to", "none"]
        else:  # its own mpicc asks for a folder that only Intel's installer makes
            self.compiler = [*shlex.split(os.environ.get("CC", "cc")), f"-I{folder}/include", f"-L{folder}/lib", "-Wl,--no-as-needed",
                             f"-Wl,-rpath,{folder}/lib", "-lmpi"]
            self.environment = {"I_MPI_PIN": "off", "I_MPI_FABRICS": "shm"}


def find():
    """(those that are here, names of the usual ones that are not)."""
    found, missing = [], []
    for name, folder in USUAL.items():
        if (pathlib.Path(folder) / "include/mpi.h").exists() and (pathlib.Path(folder) / "bin/mpiexec").exists():
            found.append(Installed(pathlib.Path(folder)))
        else:
            missing.append(name)
    for folder in filter(None, os.environ.get("BENCH_MPI", "").split(":")):
        if folder in USUAL.values():
            continue
        if not (pathlib.Path(folder) / "bin/mpiexec").exists():
            sys.exit(f"bench: BENCH_MPI: {folder}: no bin/mpiexec there: name folders in which an MPI is installed, with : between")
        found.append(Installed(pathlib.Path(folder).resolve()))
    return found, missing

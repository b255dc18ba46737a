# SPDX-License-Identifier: BSD-3-Clause
#
# What the study of put, get and Cannon's product compares: Sheaf on one host and over each of its engines, and every
# MPI that is here; which program each runs where.

import re
import shlex
import shutil
import subprocess

import measure
import net_jobs
from engines import engines, settings, sheaf_over
from net_bench import NETWORK, Library

ON_NODE = "Sheaf"
INLINE = "Sheaf --inline"
TRANSFERS = ("put", "get", "stream")
MPI_TRANSFERS = ("rma",)
INLINE_TRANSFERS, INLINE_SIZES = ("put", "get"), "8,64"  # longer ones are calls there, too


class Job(net_jobs.Job):
    """Its figures say where it ran. On one host every library has its own ways; between hosts all speak TCP."""

    def __init__(self, program, hosts, pes, sizes="", **options):
        super().__init__(program, hosts, pes, sizes, **options)
        self.settings.update(NETWORK if hosts > 1 else {})

    @property
    def suffix(self):
        return f", {self.hosts} hosts" if self.hosts > 1 else ""


def find_mpis():
    """{name: (compiler, launcher)} of the MPIs that are here, with their versions."""
    found = {}
    for compiler, launcher, title, asked in (("mpicc.openmpi", "openmpi", "Open MPI", ["mpirun.openmpi", "--version"]),
                                             ("mpicc.mpich", "hydra", "MPICH", ["mpiexec.hydra", "--version"])):
        if shutil.which(compiler) and shutil.which(asked[0]):
            said = subprocess.run(asked, capture_output=True, text=True).stdout
            version = re.search(r"\b\d+\.\d+(\.\d+)?\b", said)
            found[f"{title} {version[0]}" if version else title] = compiler, launcher
    return found


def find_libraries(build):
    """(libraries, {library: launcher} of those that have their own)."""
    oshcc = shlex.quote(f"{build}/bin/oshcc")
    libraries = [Library(ON_NODE, oshcc, programs=TRANSFERS)]
    libraries += [Library(sheaf_over(engine), oshcc, programs=TRANSFERS, environment=settings(engine))
                  for engine in engines(build)]
    libraries.append(Library(INLINE, f"{oshcc} --inline", programs=INLINE_TRANSFERS))  # the products are built by the first two
    launchers = {}
    for name, (compiler, launcher) in find_mpis().items():
        is_open = launcher == "openmpi"
        crowded = ["--mca", "mpi_yield_when_idle", "1"] if is_open else []
        options = ["--mca", "osc", "^ucx"] if is_open else []  # over TCP its windows by UCX cannot be had: MPI_ERR_WIN
        libraries.append(Library(name, compiler, options=options, crowded=crowded, programs=MPI_TRANSFERS, network={}))
        launchers[name] = launcher
    return libraries, launchers


def transfer_jobs(libraries, mpis, quick):
    sizes = "8,4096,1048576" if quick else net_jobs.TRANSFERS
    for program in INLINE_TRANSFERS:
        yield Job(program, 1, 2, INLINE_SIZES, libraries=(INLINE,))
    over = tuple(library.name for library in libraries if library.name.startswith("Sheaf over"))
    for hosts, pes, chosen in ((1, 2, (ON_NODE,)), (2, 1, over)):
        for program in TRANSFERS:
            yield Job(program, hosts, pes, sizes, libraries=chosen)
        yield Job("rma", hosts, pes, sizes, libraries=tuple(mpis))

# SPDX-License-Identifier: BSD-3-Clause
#
# Cannon's product (apps/cannon) of the study: with Sheaf and with every MPI, on some numbers of PEs, and how its
# programs' lines are read.

import pathlib
import re
import subprocess

from diposh_jobs import Job
from net_bench import NETWORK, Library

HERE = pathlib.Path(__file__).resolve().parent
APP = HERE.parent.parent / "apps/cannon"
SAID = re.compile(r"^cannon(?:-mpi)?: .* on \d+ (?:PEs|ranks): ([\d.]+) s", re.M)
LIMIT = re.compile(r"^cannon: local products alone: ([\d.]+) s", re.M)
ORDERS = (512, 2048)
LAYOUTS = ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2))  # hosts, PEs of each
ROUNDS = {512: 30, 2048: 3}  # within a run, whose median counts


def what(order):
    return f"product of order {order}"


class Product(Job):
    """One product; each library has its own program."""

    def __init__(self, order, hosts, pes, libraries):
        super().__init__("cannon", hosts, pes, libraries=libraries)
        self.order = order

    @property
    def name(self):
        return f"{super().name} {self.order}"

    def arguments(self, library):
        limit = ["--limit"] if library.name == "Sheaf" else []
        return ["--size", str(self.order), "--rounds", str(ROUNDS[self.order]), *limit]


class Builder(Library):
    """A library, with the program that make built with it."""

    def __init__(self, name, compiler, is_mpi, **options):
        super().__init__(name, compiler, **options)
        self.is_mpi = is_mpi

    def build(self, output):
        """Whether it was built, and what make says."""
        self.folder = output / "programs" / ("cannon-" + re.sub(r"[^\w.]+", "-", self.name))
        command = ["make", "--no-print-directory", "-B", "-C", APP, f"OUT={self.folder}"]
        command += ["mpi", f"MPICC={self.oshcc[0]}"] if self.is_mpi else [f"OSHCC={' '.join(self.oshcc)}"]
        done = subprocess.run(command, capture_output=True, text=True)
        return self.program.exists() and done.returncode == 0, (done.stderr + done.stdout).strip()

    @property
    def program(self):
        return self.folder / ("cannon-mpi" if self.is_mpi else "cannon")


def builders(libraries, on_node):
    """Of the study's libraries: Sheaf on one host and over its first engine, and the MPIs."""
    mpis = [library for library in libraries if not library.name.startswith(on_node)]
    for library in [library for library in libraries if library.name.startswith(on_node)][:2]:
        yield Builder(library.name, " ".join(library.oshcc), False, environment=library.environment)
    for library in mpis:
        yield Builder(library.name, library.oshcc[0], True, crowded=library.crowded, network={})


def jobs(found, quick):
    near = tuple(library.name for library in found if library.is_mpi or library.name == found[0].name)
    far = tuple(library.name for library in found if library.is_mpi or library.name != found[0].name)
    for order in ORDERS[:1] if quick else ORDERS:
        for hosts, pes in ((1, 1), (1, 2), (2, 1)) if quick else LAYOUTS:
            yield Product(order, hosts, pes, far if hosts > 1 else near[:1] if hosts * pes == 1 else near)


def run(bench, job, library):
    """One run; keeps its figure, or the reason why there is none."""
    program = [HERE / "pinned", library.program, *job.arguments(library)]
    out, _ = bench.launch(library, job, program, {"OPENBLAS_NUM_THREADS": "1"})
    if out is None:
        return
    found = SAID.search(out)
    if not found or "verified" not in out:
        bench.fail(library, job, (out.strip().splitlines() or ["no message"])[0])
        return
    key = what(job.order) + job.suffix
    bench.figures.note(key, job.layout.total, 0, library.name, float(found[1]) * 1e9, "ns")
    limit = LIMIT.search(out)
    if limit:
        bench.figures.note(key, job.layout.total, 0, "limit", float(limit[1]) * 1e9, "ns")

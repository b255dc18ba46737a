# SPDX-License-Identifier: BSD-3-Clause
#
# What a study runs: its parts, the rows of each, and the finding of a paper that a part stands beside. A row is one
# problem, given to every way of writing the same application.

import re

# How an application tells its time, by a line with "on 4 PEs" (ranks, threads): each has one of these.
SECONDS = re.compile(r"(?:on \d+ (?:PEs|ranks|processes|threads)|in \d+ steps|iterations):? ([\d.]+) s\b")
SECONDS_LAST = re.compile(r"on \d+ PEs, ([\d.]+) s\b")
SECONDS_FIRST = re.compile(r", ([\d.]+) s on \d+ PEs")
NANOSECONDS = re.compile(r"by each of \d+ PEs, ([\d.]+) ns per")
LIMIT = re.compile(r"(?:local products alone|limit[^:]*): ([\d.]+) s\b")  # the same work without communication

TSHMEM = ("B. C. Lam, A. D. George, H. Lam, TSHMEM: Shared-Memory Parallel Computing on Tilera Many-Core Processors, IPDPS "
          "Workshops 2013, and B. C. Lam and others, Benchmarking Parallel Performance on Many-Core Processors, OpenSHMEM 2014")
DIPOSH = ("C. Coti, A. D. Malony, DiPOSH: A portable OpenSHMEM implementation for short API-to-network path, Concurrency and "
          "Computation: Practice and Experience 33(11), 2021")
BALE = "F. M. Maley, J. G. DeVinney, Conveyors for Streaming Many-To-Many Communication, IA3 2019"


class Row:
    """label: within its part. full, quick: arguments for all of the application's programs. cost: seconds of one
    processor (2.1 GHz) that a full run of it takes. limit: arguments that make the OpenSHMEM program tell a limit."""

    def __init__(self, app, label, full, quick, cost, said=SECONDS, unit="s", limit="", ways=None):
        self.app, self.label, self.cost = app, label, cost
        self.full, self.quick, self.limit = full.split(), quick.split(), limit.split()
        self.said, self.unit, self.ways = said, unit, ways

    @property
    def key(self):
        return f"{self.app}: {self.label}"

    def takes(self, way):
        return self.ways is None or way.name in self.ways


class Part:
    """name: for ONLY. paper: where the finding is from; none where it is no paper's."""

    def __init__(self, name, title, text, rows, paper=None):
        self.name, self.title, self.text, self.rows, self.paper = name, title, text, rows, paper


PARTS = [
    Part("heat", "Heat on a plate",
         "Two-dimensional conduction, by Jacobi's, Gauss and Seidel's, and successive over-relaxation's method.", [
             Row("heat", f"{method}, {size} × {size}", f"--method {method} --size {size} --iterations {iterations} --tolerance 0",
                 f"--method {method} --size {size} --iterations {max(10, iterations // 10)} --tolerance 0", cost)
             for size, iterations, cost in ((288, 5000, 1.5), (2048, 100, 2.5))
             for method in ("jacobi", "gauss-seidel", "sor")], TSHMEM),
    Part("cannon", "Cannon's matrix product",
         "C = A B in double precision, strong scaling. Blocks are read in place on one host; the local products are a BLAS's.", [
             Row("cannon", f"order {order}", f"--size {order} --rounds {rounds}", f"--size {order} --rounds 1", cost,
                 limit="--limit")
             for order, rounds, cost in ((512, 21, 0.4), (2048, 3, 2))], DIPOSH),
    Part("irregular", "Irregular access",
         "Small operations on random words of all PEs, one by one and gathered in a session; sorting; work that is stolen.", [
             *(Row(app, label, f"{count} {batch}", f"{few} {batch}", 1, NANOSECONDS, "ns")
               for app, count, few in (("histogram", "--updates 5000000", "--updates 500000"),
                                       ("gather", "--reads 5000000", "--reads 500000"))
               for label, batch in (("one by one", ""), ("in a session", "--batch"))),
             Row("isort", "4 million keys a PE", "--keys 4000000", "--keys 400000", 2, SECONDS_LAST),
             Row("queens", "13 queens", "--size 13", "--size 11", 1.5, SECONDS_FIRST),
             Row("triangles", "a ring graph", "--generate 1000000", "--generate 100000", 1, SECONDS_FIRST)], BALE),
]

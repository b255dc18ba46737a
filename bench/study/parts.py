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
NAS = "D. Bailey and others, The NAS Parallel Benchmarks, RNR-94-007, 1994"
BALE = "F. M. Maley, J. G. DeVinney, Conveyors for Streaming Many-To-Many Communication, IA3 2019"


PLANS = "--wisdom {study}/fft.wisdom"  # of FFTW: the same for all ways


class Unread(Exception):
    """A run that says no figure: why."""


class Row:
    """An application's problem. label: within its part. full, quick: arguments for all of the application's programs.
    {study} in them is the study's folder. cost: seconds of one processor (2.1 GHz) that a full run of it takes. limit:
    arguments that make the OpenSHMEM program tell a limit."""
    is_app, settings = True, {}

    def __init__(self, app, label, full, quick, cost, said=SECONDS, unit="s", limit="", ways=None):
        self.app, self.label, self.cost = app, label, cost
        self.full, self.quick, self.limit = full.split(), quick.split(), limit.split()
        self.said, self.scale, self.ways = said, {"s": 1e9, "ns": 1}[unit], ways

    @property
    def key(self):
        return f"{self.app}: {self.label}"

    def takes(self, way):
        return (self.ways is None or way.name in self.ways) and way.writes(self)

    def counts(self, counts):
        return counts

    def read(self, out):
        """[(what, bytes, ns)] of a run; "limit" before what is the machine's."""
        found, limit = self.said.search(out), LIMIT.search(out)
        if not found:
            raise Unread("it says no time")
        if "verified" not in out:
            raise Unread("it does not say that its answer is verified")
        return [(self.key, 0, float(found[1]) * self.scale)] + ([("limit " + self.key, 0, float(limit[1]) * 1e9)] if limit else [])


class Bench(Row):
    """A program of bench/, which tells several figures by lines of six fields. whats: those that are compared."""
    is_app = False

    def __init__(self, program, whats, cost, sizes, quick_sizes, pes=None, ways=None):
        super().__init__(program, "", "", "", cost, ways=ways)
        self.whats, self.sizes, self.quick_sizes, self.pes = whats, sizes, quick_sizes, pes

    @property
    def key(self):
        return f"bench {self.app}"

    def counts(self, counts):
        return [pes for pes in counts if pes > 1] if self.pes is None else [self.pes]

    def read(self, out):
        fields = [line.split("\t") for line in out.splitlines() if line.startswith("bench\t")]
        found = [(line[1], int(line[3]), float(line[4])) for line in fields if len(line) == 6 and line[1] in self.whats]
        if not found:
            raise Unread("it says no figure")
        return found


class Part:
    """name: for ONLY. paper: where the finding is from; none where it is no paper's."""

    def __init__(self, name, title, text, rows, paper=None):
        self.name, self.title, self.text, self.rows, self.paper = name, title, text, rows, paper


XT3 = ("R. Brightwell and others, Implementation and Performance of SHMEM on the Cray XT3, and SMARTMAP: Operating System Support for "
       "Efficient Data Sharing Among Processes on a Multi-Core Processor, SC 2008")
LATENCIES = ("latency, average", "latency, least", "latency, 99.9 %", "latency, most")
KINDS = tuple(f"{what}, {here} to {there}" for what in ("put", "get") for here in ("heap", "static") for there in ("heap", "static"))

PARTS = [
    Part("transfers", "Latency, rate and kinds of memory",
         "Ping-pong with the time of every trip, since a job of many PEs waits for the slowest; messages to six neighbours, 128 to "
         "each, with 32 MiB written in between; put and get between static variables and the heap.", [
             Bench("latency", LATENCIES, 1, "8,64,1024,4096,32768,262144,1048576", "8,4096", 2),
             Bench("rate", ("message to six neighbours",), 2, "8,64,1024,4096", "8,4096"),
             Bench("kinds", KINDS, 2, "8,1024,32768,1048576", "8,4096", 2)], XT3),
    Part("heat", "Heat on a plate",
         "Two-dimensional conduction, by Jacobi's, Gauss and Seidel's, and successive over-relaxation's method.", [
             Row("heat", f"{method}, {size} × {size}", f"--method {method} --size {size} --iterations {iterations} --tolerance 0",
                 f"--method {method} --size {size} --iterations {max(10, iterations // 10)} --tolerance 0", cost)
             for size, iterations, cost in ((288, 5000, 1.5), (2048, 100, 2.5))
             for method in ("jacobi", "gauss-seidel", "sor")], TSHMEM),
    Part("picture", "Heat as a picture",
         "A plate as a picture: the time of the iterations, not of writing it, which is done too.", [
             Row("heat", f"picture of {size} × {size}", f"--size {size} --iterations 20 --tolerance 0 --rounds 3 --output /dev/null",
                 "--size 512 --iterations 20 --tolerance 0 --rounds 3 --output /dev/null", size * size / 2e6)
             for size in (1024, 4096)], TSHMEM),
    Part("fit", "A curve through points",
         "y = a e^(b x) by linear least squares of logarithms; 16 bytes of memory and one logarithm a point.", [
             Row("fit", f"{points // 1000000} million points", f"--points {points} --rounds 3", f"--points {points // 10}",
                 points / 2e7) for points in (10000000, 100000000)], TSHMEM),
    Part("matmul", "Matrix products in plain loops",
         "C = A B in double precision, three loops, the inner two interchanged: all of B for everybody, or its columns in turn.", [
             Row("matmul", f"by {method}, order {order}", f"--method {method} --size {order} --rounds {rounds}",
                 f"--method {method} --size {order // 2} --rounds 1", cost, limit="--limit")
             for order, rounds, cost in ((512, 9, 0.5), (2048, 1, 5)) for method in ("rows", "columns")], TSHMEM),
    Part("cannon", "Cannon's matrix product",
         "C = A B in double precision, strong scaling. Blocks are read in place on one host; the local products are a BLAS's.", [
             Row("cannon", f"order {order}", f"--size {order} --rounds {rounds}", f"--size {order} --rounds 1", cost,
                 limit="--limit")
             for order, rounds, cost in ((512, 21, 0.4), (2048, 3, 2))], DIPOSH),
    Part("fft", "Fourier transforms",
         "One transform of complex numbers by all PEs, whose numbers cross twice between them; and many, each by one PE.", [
             *(Row("fft", f"2^{bits} numbers", f"--size {1 << bits} --rounds 11 {PLANS}",
                   f"--size {1 << bits} --rounds 3 {PLANS}", cost)
               for bits, cost in ((16, 0.2), (20, 1), (22, 5))),
             Row("fft", "8,192 transforms of 8,192", f"--size 8192 --many 8192 --rounds 3 {PLANS}",
                 f"--size 8192 --many 256 --rounds 1 {PLANS}", 14)], TSHMEM),
    Part("nas", "NAS parallel benchmarks",
         "MG exchanges faces with neighbours, IS most keys with everybody, CG a vector and sums; EP nothing. Answers are those "
         "published.", [
             *(Row("mg", f"class {size}", f"--class {size} --rounds {rounds}", "--class W --rounds 3", cost)
               for size, rounds, cost in (("W", 11, 1.2), ("A", 5, 5), ("B", 1, 5))),
             *(Row("mg", f"class A, halos by {halo}", f"--class A --rounds 5 --halo {halo}", f"--class W --rounds 3 --halo {halo}",
                   5, ways=("Sheaf",)) for halo in ("put", "strided")),
             *(Row(app, f"class {size}", f"--class {size} --rounds {rounds}", "--class S --rounds 3", cost)
               for app, size, rounds, cost in (("is", "A", 5, 2), ("nas-cg", "A", 5, 5), ("ep", "A", 1, 2.7)))], NAS),
    Part("irregular", "Irregular access",
         "Small operations on random words of all PEs, one by one and gathered in a session; sorting; work that is stolen.", [
             *(Row(app, label, f"{count} --way {way}", f"{few} --way {way}", 1, said, unit)
               for app, count, few, said, unit in (
                   ("histogram", "--updates 5000000", "--updates 500000", NANOSECONDS, "ns"),
                   ("gather", "--reads 5000000", "--reads 500000", NANOSECONDS, "ns"),
                   ("gups", "--bits 22", "--bits 18", SECONDS, "s"),
                   ("permutation", "--count 4000000", "--count 400000", SECONDS, "s"),
                   ("transpose", "--rows 400000 --columns 400000", "--rows 40000 --columns 40000", SECONDS, "s"),
                   ("toposort", "--order 400000", "--order 40000", SECONDS, "s"),
                   ("bfs", "--graph kronecker --scale 18", "--graph kronecker --scale 14", SECONDS, "s"),
                   ("triangles", "--generate 500000", "--generate 50000", SECONDS_FIRST, "s"))
               for way, label in (("plain", "one by one"), ("nbi", "nonblocking"), ("session", "in a session"))),
             *(Row("isort", f"4 million keys {share}", f"--keys 4000000 --scaling {scaling}",
                   f"--keys 400000 --scaling {scaling}", 2, SECONDS_LAST)
               for scaling, share in (("weak", "a PE"), ("strong", "in all"), ("weak-iso", "a PE, buckets of the same width"))),
             *(Row("uts", f"tree {tree}", f"--tree {tree}", "--tree small", 4) for tree in ("T1", "T2", "T3", "T4", "T5")),
             Row("queens", "13 queens", "--size 13", "--size 11", 1.5, SECONDS_FIRST)], BALE),
]

# SPDX-License-Identifier: BSD-3-Clause
#
# What a study runs: its parts and the rows of each.

import far
import growth
import micro
from papers import BALE, DIPOSH, NAS, TSHMEM
from rows import NANOSECONDS, SECONDS, SECONDS_FIRST, SECONDS_LAST, Bench, Part, Row

PLANS = "--wisdom {study}/fft{planner}.wisdom"  # of FFTW: the same for all ways that plan alike

STOPS = (*(f"from one stop of {length} us to the next" for length in (1, 10, 100)), "longest stop")

PARTS = [
    Part("machine", "The machine",
         "What the machine itself does: 32 MiB copied by as many processes as there are PEs, each its own; and how often such a "
         "process, which does nothing but read the clock, has its CPU taken away for so long.",
         [Bench("roof", ("copy from memory",), 0.3, "67108864", "67108864"), Bench("stops", STOPS, 4, "8", "8", 2)]),
    *micro.PARTS,
    growth.PART,
    Part("heat", "Heat on a plate",
         "Two-dimensional conduction, by Jacobi's, Gauss and Seidel's, and successive over-relaxation's method.", [
             Row("heat", f"{method}, {size} × {size}", f"--method {method} --size {size} --iterations {iterations} --tolerance 0",
                 f"--method {method} --size {size} --iterations {max(10, iterations // 10)} --tolerance 0", cost)
             for size, iterations, cost in ((288, 5000, 1.5), (2048, 100, 2.5))
             for method in ("jacobi", "gauss-seidel", "sor")], TSHMEM),
    Part("picture", "Heat as a picture",
         "A plate as a picture, at five sizes: the time of the iterations, not of writing it, which is done too up to 4096 × 4096.", [
             *(Row("heat", f"picture of {size} × {size}", f"--size {size} --iterations 20 --tolerance 0 --rounds 3 --output /dev/null",
                   "--size 512 --iterations 20 --tolerance 0 --rounds 3 --output /dev/null", size * size / 2e6)
               for size in (1024, 2048, 4096)),
             *(Row("heat", f"picture of {size} × {size}, 2 iterations", f"--size {size} --iterations 2 --tolerance 0", None,
                   size * size / 3e7, ways=("Sheaf", "OpenMP")) for size in (8192, 16384))], TSHMEM),
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
             *(Row("mg", f"class {size}", f"--class {size} --rounds {rounds}", "--class W --rounds 3", cost, exchanges=True)
               for size, rounds, cost in (("W", 11, 1.2), ("A", 5, 5), ("B", 1, 5))),
             *(Row("mg", f"class A, halos by {halo}", f"--class A --rounds 5 --halo {halo}", f"--class W --rounds 3 --halo {halo}",
                   5, ways=("Sheaf",)) for halo in ("put", "strided")),
             Row("mg", "class A, halos by put, SHEAF_COPIER=1", "--class A --rounds 5 --halo put", None, 5, ways=("Sheaf",),
                 settings={"SHEAF_COPIER": "1"}),
             *(Row(app, f"class {size}", f"--class {size} --rounds {rounds}", "--class S --rounds 3", cost)
               for app, size, rounds, cost in (("is", "A", 5, 2), ("nas-cg", "A", 5, 5), ("ep", "A", 1, 2.7)))], NAS),
    Part("fock", "A Fock matrix",
         "Blocks of 128 or 32 bytes are read and added to wherever they are, and tasks are drawn from one counter; the integrals are "
         "the same in all versions.", [
             Row("fock", f"{atoms} atoms of {functions}", f"--atoms {atoms} --functions {functions} --rounds {rounds}",
                 f"--atoms 8 --functions {functions} --rounds 1", cost)
             for atoms, functions, rounds, cost in ((27, 4, 3, 2), (48, 2, 3, 4))]),
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
    far.PART,
    far.MULTIGRID,
]

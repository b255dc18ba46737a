# SPDX-License-Identifier: BSD-3-Clause
import numpy
import sheafshmem as shmem

DARTS = 200000
me, n = shmem.my_pe(), shmem.n_pes()
x, y = numpy.random.default_rng(me).random((2, DARTS))
hits, all_hits = shmem.zeros(1, "int64"), shmem.zeros(1, "int64")
hits[0] = numpy.count_nonzero(x * x + y * y < 1)
shmem.reduce(all_hits, hits, "sum")
pi = 4 * int(all_hits[0]) / (DARTS * n)
if me == 0:
    print(f"pi is about {pi:.4f}")
if not 3.12 < pi < 3.16:
    shmem.global_exit(1)

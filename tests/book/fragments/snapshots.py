# SPDX-License-Identifier: BSD-3-Clause
"""The fragment of docs/do/python.md: a program that goes on where a snapshot was taken. It ends before its first one."""
import sheafshmem as shmem

n, m, last = 3, 4, 99


def work(grid):
    grid += 1
    shmem.barrier()


step, grid = shmem.zeros(1, int), shmem.zeros((n, m))      # the same arrays in both jobs, in the same order
shmem.restore()                                            # False in a job that begins anew
while step[0] < last:
    work(grid)
    step += 1
    if step[0] % 100 == 0:
        shmem.snapshot("/scratch/heat", "heat")
assert (grid == last).all(), grid

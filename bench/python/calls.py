# SPDX-License-Identifier: BSD-3-Clause
"""What one call costs in microseconds: calls.py sheaf|shmem4py|mpi4py, two processes, the first to the second."""
import sys
import time

import numpy as np

LONG = 4 << 20


def of_sheaf():
    import sheafshmem as shmem

    target, word = shmem.zeros(LONG // 8, int), np.zeros(1, int)
    one, long = target[:1], np.zeros(LONG // 8, int)
    return shmem.my_pe(), shmem.barrier, {
        "put": lambda: one.put(word, 1), "get": lambda: one.get(1, word),
        "atomic add": lambda: one.atomic_add(1, 1), "fetch add": lambda: one.atomic_fetch_add(1, 1),
        "put 4 MiB": lambda: target.put(long, 1), "get 4 MiB": lambda: target.get(1, long)}


def of_shmem4py():
    from shmem4py import shmem

    target, word = shmem.zeros(LONG // 8, "l"), np.zeros(1, "l")
    one, long = target[:1], np.zeros(LONG // 8, "l")
    return shmem.my_pe(), shmem.barrier_all, {
        "put": lambda: shmem.put(one, word, 1), "get": lambda: shmem.get(word, one, 1),
        "atomic add": lambda: shmem.atomic_add(one, 1, 1), "fetch add": lambda: shmem.atomic_fetch_add(one, 1, 1),
        "put 4 MiB": lambda: shmem.put(target, long, 1), "get 4 MiB": lambda: shmem.get(long, target, 1)}


def of_mpi4py():
    """In one epoch; each call is completed, as Sheaf's are on a host."""
    from mpi4py import MPI

    window = MPI.Win.Allocate(LONG, 1, comm=MPI.COMM_WORLD)
    word, long, number = np.zeros(1, int), np.zeros(LONG // 8, int), np.ones(1, int)
    window.Lock_all()

    def completed(call, *arguments):
        call(*arguments)
        window.Flush(1)

    return MPI.COMM_WORLD.rank, MPI.COMM_WORLD.Barrier, {
        "put": lambda: completed(window.Put, word, 1), "get": lambda: completed(window.Get, word, 1),
        "atomic add": lambda: completed(window.Accumulate, number, 1),
        "fetch add": lambda: completed(window.Fetch_and_op, number, word, 1),
        "put 4 MiB": lambda: completed(window.Put, long, 1), "get 4 MiB": lambda: completed(window.Get, long, 1)}


def measure(name, call, calls, shows):
    best = 1.0
    for _ in range(9):
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - begun) / calls)
    if shows:
        print(f"{sys.argv[1]}\t{name}\t{1e6 * best:.3f}", flush=True)


number, barrier, calls = globals()["of_" + sys.argv[1]]()
barrier()
if number == 0:
    for name, call in calls.items():
        measure(name, call, 20 if "MiB" in name else 20000, True)
barrier()
measure("barrier", barrier, 20000, number == 0)

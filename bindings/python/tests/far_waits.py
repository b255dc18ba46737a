# SPDX-License-Identifier: BSD-3-Clause
"""Calls that wait for a PE of another host let other threads of Python run: PE 1 stops itself, and what lets it go on is a
thread of PE 0, which could never do so if the call kept Python's lock."""
import os
import signal
import threading
import time

import numpy as np

import sheafshmem as shmem

ME = shmem.my_pe()
PROCESS = shmem.full(1, os.getpid(), "int64")
A, LARGE = shmem.zeros(4, "int64"), shmem.zeros(1 << 19)
OTHER = int(PROCESS.g(1 - ME))


def is_stopped(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        return stat.read().rpartition(")")[2].split()[0] == "T"


def release(seen):
    for _ in range(20):
        time.sleep(0.005)
        seen.append(1)
    os.kill(OTHER, signal.SIGCONT)


def put_and_quiet():
    A.put([1, 2, 3, 4], 1)
    shmem.quiet()


def waits():
    A.atomic_add(1, 1)
    A.wait_until(">=", 1)


CALLS = {
    "get": lambda: LARGE.get(1), "g": lambda: A.g(1), "quiet": put_and_quiet,
    "handle": lambda: LARGE.put_nbi(np.ones(1 << 19), 1).wait(),
    "fetch": lambda: A.atomic_fetch_add(1, 1, 2), "barrier": shmem.barrier,
    "collective": lambda: shmem.reduce(A), "wait_until": waits,
}


def run(name):
    if ME == 1:
        os.kill(os.getpid(), signal.SIGSTOP)
        A.atomic_add(1, 0)  # for wait_until
        if name in ("barrier", "collective"):
            CALLS[name]()
        return
    while not is_stopped(OTHER):
        time.sleep(0.001)
    seen = []
    thread = threading.Thread(target=release, args=(seen,))
    thread.start()
    CALLS[name]()
    assert len(seen) == 20, f"{name} let the thread make {len(seen)} steps of 20"
    thread.join()


for name in CALLS:
    run(name)
    shmem.barrier()
    A[:] = 0
    shmem.barrier()

# SPDX-License-Identifier: BSD-3-Clause
"""A job that makes one mistake, which test_mistakes.py names."""
import multiprocessing
import os
import signal
import sys

import numpy as np

import sheaf

ME = sheaf.my_pe()


class Device:
    """What lies on a GPU says so by the two protocols."""

    def __dlpack_device__(self):
        return 2, 0


class OldDevice:
    __cuda_array_interface__ = {}


def arguments():
    a, other, freed = sheaf.zeros((3, 4), "int64"), sheaf.zeros(12), sheaf.zeros(2)
    view = freed[1:]
    freed.free()
    calls = {
        "type": lambda: a.put(np.zeros(3), 0), "object": lambda: a.put(np.array([None]), 0),
        "text": lambda: a.put("two", 0), "fraction": lambda: a.p(1.5, 0), "range": lambda: a.p(1 << 70, 0),
        "large": lambda: sheaf.zeros(0, "uint8").p(1, 0), "at": lambda: a.g(0, at=12), "below": lambda: a.g(0, at=-1),
        "long": lambda: a.put(np.zeros(13, int), 0), "shape": lambda: a[:, 1].put(np.zeros(2, int), 0),
        "peer": lambda: a.g(99), "negative": lambda: a.g(-1), "word": lambda: a.g("PE 1"), "on": lambda: a.on(99),
        "freed": lambda: freed.put(1.0, 0), "freed view": lambda: view.put(1.0, 0), "view": lambda: a[1:].free(),
        "element": lambda: freed[0], "private": lambda: sheaf.reduce(np.zeros(2)),
        "window": lambda: sheaf.reduce(a.on(ME)), "gap": lambda: sheaf.reduce(a[:, 1]),
        "kind": lambda: sheaf.reduce(a, op="mean"), "bits": lambda: sheaf.reduce(other, op="xor"),
        "sizes": lambda: sheaf.reduce(a, a[1:]), "root": lambda: sheaf.broadcast(a, root=7),
        "share": lambda: sheaf.fcollect(a, a[:1]) if sheaf.n_pes() != 3 else None,
        "dtype": lambda: sheaf.zeros(2, object), "order": lambda: sheaf.zeros(2, ">i8"),
        "shape below": lambda: sheaf.zeros(-1), "memory": lambda: sheaf.zeros(1 << 55),
        "sign": lambda: a.wait_until("=", 1), "real": lambda: other.wait_until("==", 1),
        "atomic": lambda: other.atomic_add(1, 0), "cuda": lambda: a.put(Device(), 0),
        "old cuda": lambda: a.put(OldDevice(), 0), "out": lambda: a.get(0, [1, 2]), "team": lambda: sheaf.reduce(a, team=3),
        "context": lambda: a.g(0, context=3), "number": lambda: a.g(), "name": lambda: a.g(0, where=1),
        "signal": lambda: a.put_signal([1], a, 1, 0), "operation": lambda: a.put_signal([1], a, 1, 0, op="sub"),
    }
    for name, call in calls.items():
        try:
            call()
        except (sheaf.Error, MemoryError, TypeError, IndexError) as error:
            if ME == 1:
                print(f"{name}: {type(error).__name__}: {error}")
            if isinstance(error, sheaf.ArgumentError):
                assert error.pe == ME and error.call, error


def raises():
    if ME == 1:
        {}["missing"]
    sheaf.barrier()


def interrupted():
    if ME == 0:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        FLAG.wait_until("==", 5)
    sheaf.barrier()


def leaves():
    if ME == 1:
        sys.exit(3)
    sheaf.barrier()


def forks():
    child = os.fork()
    if child == 0:
        try:
            FLAG.put(1, 0)
        except sheaf.Error as error:
            print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
    sheaf.finalize()
    try:
        FLAG.put(1, 0)
    except sheaf.Error as error:
        print(error)


FLAG = sheaf.zeros(1, int)
globals()[sys.argv[1]]()

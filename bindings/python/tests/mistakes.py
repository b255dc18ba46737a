# SPDX-License-Identifier: BSD-3-Clause
"""A job that makes one mistake, which test_mistakes.py names."""
import ctypes
import multiprocessing
import os
import signal
import sys
import time

import numpy as np

import sheafshmem as shmem

ME = shmem.my_pe()
FROZEN = np.zeros(12, int)
FROZEN.flags.writeable = False


class Device:
    """What lies on a GPU says so by the two protocols."""

    def __dlpack_device__(self):
        return 2, 0


class OldDevice:
    __cuda_array_interface__ = {}


def arguments():
    a, other, freed = shmem.zeros((3, 4), "int64"), shmem.zeros(12), shmem.zeros(2)
    view = freed[1:]
    freed.free()
    frozen = other[:]
    frozen.flags.writeable = False
    calls = {
        "type": lambda: a.put(np.zeros(3), 0), "object": lambda: a.put(np.array([None]), 0),
        "text": lambda: a.put("two", 0), "fraction": lambda: a.p(1.5, 0), "range": lambda: a.p(1 << 70, 0),
        "large": lambda: shmem.zeros(0, "uint8").p(1, 0), "at": lambda: a.g(0, at=12), "below": lambda: a.g(0, at=-1),
        "long": lambda: a.put(np.zeros(13, int), 0), "shape": lambda: a[:, 1].put(np.zeros(2, int), 0),
        "peer": lambda: a.g(99), "negative": lambda: a.g(-1), "word": lambda: a.g("PE 1"), "on": lambda: a.on(99),
        "freed": lambda: freed.put(1.0, 0), "freed view": lambda: view.put(1.0, 0), "view": lambda: a[1:].free(),
        "element": lambda: freed[0], "private": lambda: shmem.reduce(np.zeros(2)),
        "window": lambda: shmem.reduce(a.on(ME)), "gap": lambda: shmem.reduce(a[:, 1]),
        "kind": lambda: shmem.reduce(a, op="mean"), "bits": lambda: shmem.reduce(other, op="xor"),
        "sizes": lambda: shmem.reduce(other[:4], other[4:]), "root": lambda: shmem.broadcast(a, root=7),
        "share": lambda: shmem.fcollect(a, a[:1]) if shmem.n_pes() != 3 else None,
        "dtype": lambda: shmem.zeros(2, object), "order": lambda: shmem.zeros(2, ">i8"),
        "shape below": lambda: shmem.zeros(-1), "memory": lambda: shmem.zeros(1 << 55),
        "sign": lambda: a.wait_until("=", 1), "real": lambda: other.wait_until("==", 1),
        "atomic": lambda: other.atomic_add(1, 0), "cuda": lambda: a.put(Device(), 0),
        "old cuda": lambda: a.put(OldDevice(), 0), "out": lambda: a.get(0, [1, 2]), "team": lambda: shmem.reduce(a, team=3),
        "context": lambda: a.g(0, context=3), "number": lambda: a.g(), "name": lambda: a.g(0, where=1),
        "signal": lambda: a.put_signal([1], a, 1, 0), "operation": lambda: a.put_signal([1], a, 1, 0, op="sub"),
        "bool": lambda: shmem.zeros(2, bool).p(2, 0), "number for bool": lambda: shmem.zeros(2, bool).put(7, 0),
        "gap at": lambda: a[:, 1].put(np.zeros(3, int), 0, at=1), "read only": lambda: a.get(0, FROZEN),
        "frozen dest": lambda: shmem.reduce(frozen), "overlap": lambda: shmem.fcollect(other[:8], other[4:8]),
        "unaligned": lambda: shmem.zeros(9, "uint8")[1:].view("int64").atomic_add(1, 0),
        "float pe": lambda: a.g(1.0), "digits": lambda: shmem.zeros(2, complex).p("1+2j", 0),
        "cut": lambda: a.p("\u20ac" * 200, 0), "sizeless": lambda: shmem.zeros(2, "S"),
        "far too many": lambda: a.get(0, count=1 << 60), "list": lambda: shmem.zeros(2, "uint8").put([1, 256], 0),
        "vector": lambda: a.wait_until_all("==", [1, 2]), "mask": lambda: a.test_any("==", 1, where=[True]),
        "no wait": lambda: a.wait_until_any("==", 1, where=np.zeros(12, bool)),
        "steps": lambda: shmem.alltoalls(other[::-1], a), "plane": lambda: shmem.alltoalls(other, a),
        "wide": lambda: shmem.alltoalls(shmem.zeros(2, complex), shmem.zeros(2, complex)),
        "sum": lambda: shmem.zeros(2, "int8").accumulate([1], 0), "pes": lambda: shmem.quiet(pes=[5]),
        "no list": lambda: shmem.quiet(pes=3), "space": lambda: shmem.Space(0), "status": lambda: shmem.global_exit(256),
        "team twice": lambda: shmem.world().select([0, 1, 1]), "team pe": lambda: shmem.world().select([7]),
        "world": lambda: shmem.world().destroy(), "signal type": lambda: a.signal_set(1, 0),
    }
    for name, call in calls.items():
        try:
            call()
        except (shmem.Error, MemoryError, TypeError, IndexError) as error:
            if ME == 1:
                print(f"{name}: {type(error).__name__}: {error}")
            if isinstance(error, shmem.ArgumentError):
                assert error.pe == ME and error.call, error


def raises():
    if ME == 1:
        {}["missing"]
    shmem.barrier()


def interrupted():
    if ME == 0:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        FLAG.wait_until("==", 5)
    shmem.barrier()


def leaves():
    if ME == 1:
        sys.exit(3)
    shmem.barrier()


def hangs():
    if ME == 1:
        time.sleep(60)
    shmem.barrier()  # hangs here


def waits():
    if ME == 0:
        FLAG.wait_until("==", 5)  # waits here
    shmem.barrier()


def differs():
    if ME == 0:
        shmem.reduce(FLAG)  # one call
    else:
        shmem.barrier()  # another call


def sizes():
    shmem.zeros(4 + ME)  # allocates


def crashes():
    a = FLAG.on(1)
    if ME == 1:
        ctypes.string_at(8)  # crashes
    shmem.barrier()


def forks():
    child = os.fork()
    if child == 0:
        try:
            FLAG.put(1, 0)
        except shmem.Error as error:
            print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
    shmem.finalize()
    try:
        FLAG.put(1, 0)
    except shmem.Error as error:
        print(error)


def spawned(sent):
    return sent, shmem.n_pes()


def spawns():
    """A worker that is a program of its own is a job of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map_async(spawned, [ME]).get(30) == [(ME, 1)]
    FLAG.atomic_add(1, 0)
    shmem.barrier()
    assert FLAG.g(0) == 2


FLAG = shmem.zeros(1, int)
if __name__ == "__main__":
    globals()[sys.argv[1]]()

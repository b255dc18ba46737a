# SPDX-License-Identifier: BSD-3-Clause
"""A job that makes one mistake, which test_mistakes.py names."""
import ctypes
import multiprocessing
import os
import signal
import sys
import time

import numpy as np

import sheaf

ME = sheaf.my_pe()
FROZEN = np.zeros(12, int)
FROZEN.flags.writeable = False


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
    frozen = other[:]
    frozen.flags.writeable = False
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
        "sizes": lambda: sheaf.reduce(other[:4], other[4:]), "root": lambda: sheaf.broadcast(a, root=7),
        "share": lambda: sheaf.fcollect(a, a[:1]) if sheaf.n_pes() != 3 else None,
        "dtype": lambda: sheaf.zeros(2, object), "order": lambda: sheaf.zeros(2, ">i8"),
        "shape below": lambda: sheaf.zeros(-1), "memory": lambda: sheaf.zeros(1 << 55),
        "sign": lambda: a.wait_until("=", 1), "real": lambda: other.wait_until("==", 1),
        "atomic": lambda: other.atomic_add(1, 0), "cuda": lambda: a.put(Device(), 0),
        "old cuda": lambda: a.put(OldDevice(), 0), "out": lambda: a.get(0, [1, 2]), "team": lambda: sheaf.reduce(a, team=3),
        "context": lambda: a.g(0, context=3), "number": lambda: a.g(), "name": lambda: a.g(0, where=1),
        "signal": lambda: a.put_signal([1], a, 1, 0), "operation": lambda: a.put_signal([1], a, 1, 0, op="sub"),
        "bool": lambda: sheaf.zeros(2, bool).p(2, 0), "number for bool": lambda: sheaf.zeros(2, bool).put(7, 0),
        "gap at": lambda: a[:, 1].put(np.zeros(3, int), 0, at=1), "read only": lambda: a.get(0, FROZEN),
        "frozen dest": lambda: sheaf.reduce(frozen), "overlap": lambda: sheaf.fcollect(other[:8], other[4:8]),
        "unaligned": lambda: sheaf.zeros(9, "uint8")[1:].view("int64").atomic_add(1, 0),
        "float pe": lambda: a.g(1.0), "digits": lambda: sheaf.zeros(2, complex).p("1+2j", 0),
        "cut": lambda: a.p("\u20ac" * 200, 0), "sizeless": lambda: sheaf.zeros(2, "S"),
        "far too many": lambda: a.get(0, count=1 << 60), "list": lambda: sheaf.zeros(2, "uint8").put([1, 256], 0),
        "vector": lambda: a.wait_until_all("==", [1, 2]), "mask": lambda: a.test_any("==", 1, where=[True]),
        "no wait": lambda: a.wait_until_any("==", 1, where=np.zeros(12, bool)),
        "steps": lambda: sheaf.alltoalls(other[::-1], a), "plane": lambda: sheaf.alltoalls(other, a),
        "wide": lambda: sheaf.alltoalls(sheaf.zeros(2, complex), sheaf.zeros(2, complex)),
        "sum": lambda: sheaf.zeros(2, "int8").accumulate([1], 0), "pes": lambda: sheaf.quiet(pes=[5]),
        "no list": lambda: sheaf.quiet(pes=3), "space": lambda: sheaf.Space(0), "status": lambda: sheaf.global_exit(256),
        "team twice": lambda: sheaf.world().select([0, 1, 1]), "team pe": lambda: sheaf.world().select([7]),
        "world": lambda: sheaf.world().destroy(), "signal type": lambda: a.signal_set(1, 0),
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


def hangs():
    if ME == 1:
        time.sleep(60)
    sheaf.barrier()  # hangs here


def waits():
    if ME == 0:
        FLAG.wait_until("==", 5)  # waits here
    sheaf.barrier()


def differs():
    if ME == 0:
        sheaf.reduce(FLAG)  # one call
    else:
        sheaf.barrier()  # another call


def sizes():
    sheaf.zeros(4 + ME)  # allocates


def crashes():
    a = FLAG.on(1)
    if ME == 1:
        ctypes.string_at(8)  # crashes
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


def spawned(sent):
    return sent, sheaf.n_pes()


def spawns():
    """A worker that is a program of its own is a job of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map_async(spawned, [ME]).get(30) == [(ME, 1)]
    FLAG.atomic_add(1, 0)
    sheaf.barrier()
    assert FLAG.g(0) == 2


FLAG = sheaf.zeros(1, int)
if __name__ == "__main__":
    globals()[sys.argv[1]]()

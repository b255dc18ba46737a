# SPDX-License-Identifier: BSD-3-Clause
"""Collectives, teams, contexts, sessions and locks, on any number of PEs."""
import numpy as np

import sheaf

ME, PES = sheaf.my_pe(), sheaf.n_pes()


def equal(found, expected):
    assert np.array_equal(np.asarray(found), np.asarray(expected)), f"{found} is not {expected}"


def reductions(kind):
    operations = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "and": np.bitwise_and.reduce,
                  "or": np.bitwise_or.reduce, "xor": np.bitwise_xor.reduce}
    each = np.array([[pe + 1, 3 - pe % 3, 2] for pe in range(PES)]).astype(kind)
    with sheaf.array(each[ME]) as source, sheaf.zeros(3, kind) as dest:
        for name, function in operations.items():
            is_bits = name in ("and", "or", "xor")
            if (np.dtype(kind).kind in "fc" and is_bits) or (np.dtype(kind).kind == "c" and name in ("min", "max")):
                continue
            sheaf.reduce(dest, source, name)
            equal(dest, function(each, axis=0).astype(kind))
        sheaf.reduce(source)
        equal(source, each.sum(axis=0).astype(kind))


def others():
    with sheaf.full(4, ME) as a, sheaf.zeros(4 * PES, int) as all_of, sheaf.zeros(4 * PES, int) as shares:
        sheaf.scan(a)
        equal(a, [ME * (ME + 1) // 2] * 4)
        a[:] = ME
        sheaf.scan(a, exclusive=True)
        equal(a, [ME * (ME - 1) // 2] * 4)
        a[:] = ME
        sheaf.fcollect(all_of, a)
        equal(all_of.reshape(PES, 4), np.repeat(np.arange(PES), 4).reshape(PES, 4))
        shares[:] = np.arange(4 * PES) + 100 * ME
        sheaf.alltoall(all_of, shares)
        equal(all_of.reshape(PES, 4)[:, 0], [4 * ME + 100 * pe for pe in range(PES)])
        assert sheaf.collect(all_of, a[: 1 + ME % 2]) == sum(1 + pe % 2 for pe in range(PES))
        equal(all_of[:1], [0])
        a[:] = ME
        sheaf.broadcast(a, root=PES - 1)
        equal(a, [PES - 1] * 4)
        shares[:4] = ME
        sheaf.broadcast(a, shares[:4])
        equal(a, [0] * 4)
        sheaf.sync()


def teams():
    everybody = sheaf.world()
    assert (everybody.my_pe, everybody.n_pes) == (ME, PES) and 1 <= sheaf.node().n_pes <= PES
    even = everybody.split_strided(0, 2, (PES + 1) // 2)
    reverse = everybody.select(range(PES - 1, -1, -1))
    assert reverse.my_pe == PES - 1 - ME and reverse.translate(0) == PES - 1
    row, column = everybody.split_2d(2)
    assert row.n_pes == min(2, PES - ME // 2 * 2) and column.my_pe == ME // 2
    with sheaf.full(2, 1.0) as a:
        if even is not None:
            sheaf.reduce(a, team=even)
            equal(a, [even.n_pes] * 2)
            even.sync()
            with sheaf.context(even, serialized=True) as context:
                assert context.n_pes == even.n_pes
                with sheaf.session(context, operations=4):
                    a.put([5.0, 6.0], even.my_pe, context=context)
                    sheaf.fence(context)
                sheaf.quiet(context)
                equal(a, [5, 6])
            even.destroy()
        sheaf.barrier()
    for team in (reverse, row, column):
        team.destroy()


def locks():
    lock = sheaf.Lock()
    with sheaf.zeros(1, int) as counter:
        for _ in range(20):
            with lock:
                counter.p(counter.g(0) + 1, 0)
        sheaf.barrier()
        if ME == 0:
            assert counter[0] == 20 * PES and lock.try_acquire()
            lock.release()
        sheaf.barrier()
    lock.free()


for each in ("int8", "uint16", "int32", "uint64", "float32", "float64", "longdouble", "complex64", "complex128"):
    reductions(each)
others()
teams()
locks()
sheaf.finalize()
sheaf.init("single")
with sheaf.full(2, ME) as again:
    equal(again.get(0), [0, 0])
    sheaf.barrier()

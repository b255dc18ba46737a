# SPDX-License-Identifier: BSD-3-Clause
"""Collectives, teams, contexts, sessions and locks, on any number of PEs."""
import numpy as np

import sheafshmem as shmem

ME, PES = shmem.my_pe(), shmem.n_pes()


def equal(found, expected):
    assert np.array_equal(np.asarray(found), np.asarray(expected)), f"{found} is not {expected}"


def reductions(kind):
    operations = {"sum": np.sum, "prod": np.prod, "min": np.min, "max": np.max, "and": np.bitwise_and.reduce,
                  "or": np.bitwise_or.reduce, "xor": np.bitwise_xor.reduce}
    each = np.array([[pe + 1, 3 - pe % 3, 2] for pe in range(PES)]).astype(kind)
    with shmem.array(each[ME]) as source, shmem.zeros(3, kind) as dest:
        for name, function in operations.items():
            is_bits = name in ("and", "or", "xor")
            if (np.dtype(kind).kind in "fc" and is_bits) or (np.dtype(kind).kind == "c" and name in ("min", "max")):
                continue
            shmem.reduce(dest, source, name)
            equal(dest, function(each, axis=0).astype(kind))
        shmem.reduce(source)
        equal(source, each.sum(axis=0).astype(kind))


def others():
    with shmem.full(4, ME) as a, shmem.zeros(4 * PES, int) as all_of, shmem.zeros(4 * PES, int) as shares:
        shmem.scan(a)
        equal(a, [ME * (ME + 1) // 2] * 4)
        a[:] = ME
        shmem.scan(a, exclusive=True)
        equal(a, [ME * (ME - 1) // 2] * 4)
        a[:] = ME
        shmem.fcollect(all_of, a)
        equal(all_of.reshape(PES, 4), np.repeat(np.arange(PES), 4).reshape(PES, 4))
        shares[:] = np.arange(4 * PES) + 100 * ME
        shmem.alltoall(all_of, shares)
        equal(all_of.reshape(PES, 4)[:, 0], [4 * ME + 100 * pe for pe in range(PES)])
        assert shmem.collect(all_of, a[: 1 + ME % 2]) == sum(1 + pe % 2 for pe in range(PES))
        equal(all_of[:1], [0])
        a[:] = ME
        shmem.broadcast(a, root=PES - 1)
        equal(a, [PES - 1] * 4)
        shares[:4] = ME
        shmem.broadcast(a, shares[:4])
        equal(a, [0] * 4)
        shmem.sync()


def teams():
    everybody = shmem.world()
    assert (everybody.my_pe, everybody.n_pes) == (ME, PES) and 1 <= shmem.node().n_pes <= PES
    even = everybody.split_strided(0, 2, (PES + 1) // 2)
    reverse = everybody.select(range(PES - 1, -1, -1))
    assert reverse.my_pe == PES - 1 - ME and reverse.translate(0) == PES - 1
    row, column = everybody.split_2d(2)
    assert row.n_pes == min(2, PES - ME // 2 * 2) and column.my_pe == ME // 2
    with shmem.full(2, 1.0) as a:
        if even is not None:
            shmem.reduce(a, team=even)
            equal(a, [even.n_pes] * 2)
            even.sync()
            with shmem.context(even, serialized=True) as context:
                assert context.n_pes == even.n_pes and context.team is even
                with shmem.session(context, operations=4):
                    a.put([5.0, 6.0], even.my_pe, context=context)
                    shmem.fence(context)
                shmem.quiet(context)
                equal(a, [5, 6])
            even.destroy()
        shmem.barrier()
    for team in (reverse, row, column):
        team.destroy()


def steps():
    for kind in ("int8", "uint16", "float32", "int64"):
        with shmem.zeros(6 * PES, kind) as source, shmem.zeros(4 * PES, kind) as dest:
            source[::3] = np.arange(2 * PES) + 10 * ME
            shmem.alltoalls(dest[::2], source[::3])
            equal(dest[::2].reshape(PES, 2), [[2 * ME + 10 * pe, 2 * ME + 1 + 10 * pe] for pe in range(PES)])
            equal(dest[1::2], [0] * 2 * PES)


def spaces():
    with shmem.Space(1 << 20) as space:
        a, b = space.zeros((2, 4), "int32"), space.empty(3)
        a.put([ME] * 4, (ME + 1) % PES, at=4)
        shmem.barrier()
        equal(a, [[0] * 4, [(ME - 1) % PES] * 4])
        assert shmem.is_symmetric(a[1:]) and a.is_accessible(0)
        equal(a[1].on((ME + 1) % PES)[:1], [ME])
        b.free()
    assert a.size == 0
    try:
        a.put([1], 0)
        raise AssertionError("an array outlived its space")
    except shmem.ArgumentError as error:
        assert "lay in a space that was destroyed" in str(error), error
    half = shmem.world().split_strided(0, 1, (PES + 1) // 2)
    if half is not None:
        space = shmem.Space(1 << 16, team=half)
        c = space.zeros(1, int)
        assert [c.is_accessible(pe) for pe in range(PES)] == [pe < half.n_pes for pe in range(PES)]
        c.atomic_add(1, 0)
        shmem.quiet()
        half.sync()
        if ME == 0:
            assert c[0] == half.n_pes
        equal(c.on(half.n_pes - 1, team=half).shape, [1])
        half.sync()
        space.destroy()
        half.destroy()


def queries():
    name, version = shmem.library()
    assert name.startswith("Sheaf") and version == (1, 6), (name, version)
    assert shmem.is_initialized() and shmem.thread_level() == "multiple"
    assert shmem.is_accessible(PES - 1) and not shmem.is_accessible(PES) and not shmem.is_accessible(-1)
    with shmem.event("a phase"):
        shmem.counter("a figure", 2.5)
    shmem.control_tools(1)


def locks():
    lock = shmem.Lock()
    with shmem.zeros(1, int) as counter:
        for _ in range(20):
            with lock:
                counter.p(counter.g(0) + 1, 0)
        shmem.barrier()
        if ME == 0:
            assert counter[0] == 20 * PES and lock.try_acquire()
            lock.release()
        shmem.barrier()
    lock.free()


for each in ("int8", "uint16", "int32", "uint64", "float32", "float64", "longdouble", "complex64", "complex128"):
    reductions(each)
others()
teams()
locks()
steps()
spaces()
queries()
early, handle = shmem.zeros(2), shmem.zeros(8).put_nbi(np.ones(8), 0)
everybody, context = shmem.world(), shmem.world()._context()
shmem.finalize()
assert not shmem.is_initialized() and early.size == 0
shmem.init("single")
for gone in (lambda: early.put([1.0, 1.0], 0), lambda: shmem.reduce(early), lambda: early.free(), everybody.sync,
             context.destroy, lambda: early.get(0, context=context)):
    try:
        gone()
        raise AssertionError("something outlived shmem.finalize()")
    except shmem.ArgumentError:
        pass
handle.wait()
del handle
with shmem.full(2, ME) as again:
    equal(again.get(0), [0, 0])
    shmem.barrier()

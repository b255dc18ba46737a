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
                assert context.n_pes == even.n_pes and context.team is even
                with sheaf.session(context, operations=4):
                    a.put([5.0, 6.0], even.my_pe, context=context)
                    sheaf.fence(context)
                sheaf.quiet(context)
                equal(a, [5, 6])
            even.destroy()
        sheaf.barrier()
    for team in (reverse, row, column):
        team.destroy()


def steps():
    for kind in ("int8", "uint16", "float32", "int64"):
        with sheaf.zeros(6 * PES, kind) as source, sheaf.zeros(4 * PES, kind) as dest:
            source[::3] = np.arange(2 * PES) + 10 * ME
            sheaf.alltoalls(dest[::2], source[::3])
            equal(dest[::2].reshape(PES, 2), [[2 * ME + 10 * pe, 2 * ME + 1 + 10 * pe] for pe in range(PES)])
            equal(dest[1::2], [0] * 2 * PES)


def spaces():
    with sheaf.Space(1 << 20) as space:
        a, b = space.zeros((2, 4), "int32"), space.empty(3)
        a.put([ME] * 4, (ME + 1) % PES, at=4)
        sheaf.barrier()
        equal(a, [[0] * 4, [(ME - 1) % PES] * 4])
        assert sheaf.is_symmetric(a[1:]) and a.is_accessible(0)
        equal(a[1].on((ME + 1) % PES)[:1], [ME])
        b.free()
    assert a.size == 0
    try:
        a.put([1], 0)
        raise AssertionError("an array outlived its space")
    except sheaf.ArgumentError as error:
        assert "lay in a space that was destroyed" in str(error), error
    half = sheaf.world().split_strided(0, 1, (PES + 1) // 2)
    if half is not None:
        space = sheaf.Space(1 << 16, team=half)
        c = space.zeros(1, int)
        assert [c.is_accessible(pe) for pe in range(PES)] == [pe < half.n_pes for pe in range(PES)]
        c.atomic_add(1, 0)
        sheaf.quiet()
        half.sync()
        if ME == 0:
            assert c[0] == half.n_pes
        equal(c.on(half.n_pes - 1, team=half).shape, [1])
        half.sync()
        space.destroy()
        half.destroy()


def queries():
    name, version = sheaf.library()
    assert name.startswith("Sheaf") and version == (1, 6), (name, version)
    assert sheaf.is_initialized() and sheaf.thread_level() == "multiple"
    assert sheaf.is_accessible(PES - 1) and not sheaf.is_accessible(PES) and not sheaf.is_accessible(-1)
    with sheaf.event("a phase"):
        sheaf.counter("a figure", 2.5)
    sheaf.control_tools(1)


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
steps()
spaces()
queries()
early, handle = sheaf.zeros(2), sheaf.zeros(8).put_nbi(np.ones(8), 0)
everybody, context = sheaf.world(), sheaf.world()._context()
sheaf.finalize()
assert not sheaf.is_initialized() and early.size == 0
sheaf.init("single")
for gone in (lambda: early.put([1.0, 1.0], 0), lambda: sheaf.reduce(early), lambda: early.free(), everybody.sync,
             context.destroy, lambda: early.get(0, context=context)):
    try:
        gone()
        raise AssertionError("something outlived sheaf.finalize()")
    except sheaf.ArgumentError:
        pass
handle.wait()
del handle
with sheaf.full(2, ME) as again:
    equal(again.get(0), [0, 0])
    sheaf.barrier()

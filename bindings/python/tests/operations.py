# SPDX-License-Identifier: BSD-3-Clause
"""Arrays, put and get in every form, atomic operations, signals and waits, on any number of PEs."""
import numpy as np

import sheafshmem as shmem

ME, PES = shmem.my_pe(), shmem.n_pes()
NEXT, BEFORE = (ME + 1) % PES, (ME - 1) % PES
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "complex64",
         "complex128", "bool", "longlong"]


def equal(found, expected):
    assert np.array_equal(np.asarray(found), np.asarray(expected)), f"{found} is not {expected}"


def allocation():
    with shmem.zeros((3, 4), "float32") as a:
        equal(a, np.zeros((3, 4), "float32"))
        assert a.dtype == np.float32 and isinstance(a[1:], shmem.Array) and shmem.is_symmetric(a[1:])
        assert type(a + 1) is np.ndarray and type(a.copy()) is np.ndarray and not shmem.is_symmetric(a + 1)
        assert isinstance(a.sum(), np.float32)
        a += 2
        assert isinstance(a, shmem.Array) and a[2, 3] == 2
        np.add(a, 1, out=a)
        assert shmem.is_symmetric(a) and a.sum() == 36
    assert a.size == 0
    b = shmem.full(5, ME, "int32")
    equal(b.get(NEXT), [NEXT] * 5)
    c = shmem.array([[ME, 1], [2, 3]])
    equal(c.get(BEFORE), [[BEFORE, 1], [2, 3]])
    nothing = shmem.empty((0, 3))
    nothing.put(np.zeros((0, 3)), NEXT)
    shmem.barrier()
    for each in (b, c, nothing):
        each.free()


def put_and_get(kind):
    values = np.arange(12).reshape(3, 4).astype(kind)
    with shmem.zeros((3, 4), kind) as a:
        a.put(values, NEXT)
        shmem.barrier()
        equal(a, values)
        equal(a.get(NEXT), values)
        equal(a.get(NEXT, at=5, count=3), values.ravel()[5:8])
        out = np.zeros(4, kind)
        assert a.get(NEXT, out, at=4) is out
        equal(out, values[1])
        shmem.barrier()
        a[:, 1].put(values[:, 2], NEXT)
        a[::-2, 3].put(values[::2, 0], NEXT)
        shmem.barrier()
        expected = values.copy()
        expected[:, 1], expected[::-2, 3] = values[:, 2], values[::2, 0]
        equal(a, expected)
        equal(a[:, 1:3].get(NEXT), expected[:, 1:3])
        shmem.barrier()
        a.p(values[0, 1].item(), NEXT, 7)
        shmem.barrier()
        assert a.g(NEXT, at=7) == values[0, 1], a.g(NEXT, at=7)
        shmem.barrier()


class Tensor:
    """Another package's array in this host's memory, known by DLPack alone."""

    def __init__(self, values):
        self.array = values

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


def sources():
    with shmem.zeros(4, "int64") as a:
        a.put(7, NEXT, at=1)
        a.put([8, 9], NEXT, at=2)
        a.put(memoryview(np.array([6])), NEXT)
        shmem.barrier()
        equal(a, [6, 7, 8, 9])
        equal(np.from_dlpack(a), [6, 7, 8, 9])
        assert memoryview(a).nbytes == 32
        shmem.barrier()
        room = bytearray(32)
        a.get(NEXT, np.frombuffer(room, "int64"))
        equal(np.frombuffer(room, "int64"), [6, 7, 8, 9])
        tensor = Tensor(np.zeros(4, "int64"))
        assert a.get(NEXT, tensor) is tensor
        equal(tensor.array, [6, 7, 8, 9])
        a.put(tensor, NEXT)


def targets():
    """Arrays of other packages over symmetric memory are symmetric, by whatever way they came to it."""
    with shmem.full(4, ME + 1, "int64") as a, shmem.zeros(4, "int64") as b:
        tensor, every = Tensor(a[1:3]), PES * (PES + 1) // 2
        shmem.reduce(tensor)
        equal(a, [ME + 1, every, every, ME + 1])
        shmem.reduce(memoryview(b), Tensor(a))
        equal(b[1:3], [PES * every] * 2)
        shmem.broadcast(np.frombuffer(b, "int64")[:1])
        part = shmem.asarray(tensor)
        assert isinstance(part, shmem.Array) and shmem.is_symmetric(np.asarray(memoryview(a))) and part.shape == (2,)
        part.put([7, 8], NEXT)
        shmem.barrier()
        equal(a[1:3], [7, 8])
        for outside in (Tensor(np.zeros(4, "int64")), np.zeros(4), [1, 2]):
            try:
                shmem.asarray(outside)
                raise AssertionError(outside)
            except shmem.ArgumentError as error:
                assert "argument values: " in str(error), error
        shmem.barrier()


def on_peers():
    with shmem.full((2, 3), ME, "int32") as a:
        there = a.on(NEXT)
        equal(there[1, :2], [NEXT, NEXT])
        shmem.barrier()
        there[0] = [ME, 50, 60]
        shmem.quiet()
        shmem.barrier()
        equal(a, [[BEFORE, 50, 60], [ME] * 3])
        equal(a[0, 1:].on(ME), [50, 60])
        if isinstance(there, shmem.Far):
            equal(np.asarray(there), [[ME, 50, 60], [NEXT] * 3])
            assert there[0, 1] == 50
        else:
            np.multiply(there, 1, out=there)
            assert type(there) is np.ndarray and not shmem.is_symmetric(there)
        shmem.barrier()


def handles():
    with shmem.zeros(1000) as a:
        first = a.put_nbi(np.full(500, 1.5), NEXT)
        second = a.put_nbi(np.full(500, 2.5), NEXT, at=500)
        first.wait()
        while not second.test():
            pass
        with shmem.quiet():
            a.put_nbi(np.full(1, 3.5), NEXT, at=999)
        shmem.barrier()
        out = np.zeros(1000)
        assert a.get_nbi(out, NEXT).wait() is out
        assert out.sum() == 500 * 1.5 + 499 * 2.5 + 3.5
        shmem.barrier()


def atomics(kind):
    with shmem.zeros(2, kind) as a:
        a.atomic_add(ME + 1, 0, 1)
        a.atomic_inc(0, 1)
        shmem.barrier()
        total = PES * (PES + 1) // 2 + PES
        assert a.atomic_fetch(0, at=1) == total == a.g(0, 1)
        shmem.barrier()
        tickets = shmem.zeros(PES, kind)
        tickets.atomic_add(1, 0, a.atomic_fetch_add(1, 0))
        tickets.atomic_fetch_inc(NEXT, ME)
        shmem.barrier()
        if ME == 0:
            assert a[0] == PES and tickets.sum() == PES + 1, tickets
        shmem.barrier()
        a.atomic_set(12, ME)
        assert a.atomic_fetch_and(10, ME) == 12 and a.atomic_fetch_or(1, ME) == 8
        assert a.atomic_fetch_xor(3, ME) == 9 and a[0] == 10
        a.atomic_and(2, ME), a.atomic_or(5, ME), a.atomic_xor(1, ME)
        assert a.atomic_swap(40, ME) == 6 and a.atomic_compare_swap(41, 1, ME) == 40
        assert a.atomic_compare_swap(40, 42, ME) == 40 and a[0] == 42
        tickets.free()


def real_atomics(kind):
    with shmem.zeros(1, kind) as a:
        a.atomic_set(1.5, NEXT)
        shmem.barrier()
        assert a.atomic_swap(2.5, ME) == 1.5 and a.atomic_fetch(ME) == 2.5


def waits():
    with shmem.zeros(4, "int64") as flags, shmem.zeros(3) as data, shmem.zeros(1, "uint64") as signal:
        assert not flags.test("!=", 0) and flags.test_some("==", 0) == [0, 1, 2, 3] and flags.test_all("<=", 0)
        data.put_signal(np.full(3, ME + 0.5), signal, 2, NEXT)
        signal.wait_until("==", 2)
        equal(data, np.full(3, BEFORE + 0.5))
        shmem.barrier()
        data.put_signal(np.full(1, -1.0), signal, 3, NEXT, at=2, op="add")
        signal.wait_until(">=", 5)
        assert data[2] == -1
        flags.p(9, NEXT, 2)
        assert 2 in flags.wait_until_some(">", 8)
        for i in range(4):
            flags.p(9, NEXT, i)
        flags.wait_until_all("==", 9)
        shmem.barrier()


def atomics_under_way(kind):
    with shmem.full(5, 5, kind) as a:
        if ME == 0:  # four elements of the next PE, so that each operation finds what the one before it has left
            fetched = [a.atomic_fetch_add_nbi(2, NEXT), a.atomic_fetch_inc_nbi(NEXT, 1), a.atomic_swap_nbi(9, NEXT, 2),
                       a.atomic_fetch_nbi(NEXT, 4), a.atomic_compare_swap_nbi(5, 6, NEXT, 3)]
            assert [each.wait() for each in fetched] == [5] * 5
            shmem.quiet(pes=[NEXT])
            bits = [a.atomic_fetch_and_nbi(3, NEXT), a.atomic_fetch_or_nbi(8, NEXT, 1), a.atomic_fetch_xor_nbi(1, NEXT, 2)]
            assert [each.wait() for each in bits] == [7, 6, 9] and bits[0].wait() == 7
            with shmem.context() as context:
                later = a.atomic_fetch_nbi(NEXT, context=context)
            assert later.wait() == 3  # the context is gone, and its operations are complete
            del later, bits[0]
        shmem.barrier()
        equal(a, [3, 14, 8, 6, 5] if ME == NEXT == 0 or ME == 1 else [5] * 5)
        shmem.barrier()


def accumulates(kind):
    with shmem.full((2, 3), 1, kind) as a:
        a.accumulate(np.full(6, ME + 1, kind), 0)
        a[:, 1].accumulate(np.full(2, 1, kind), 0, alpha=3)
        a.accumulate_nbi(np.full(1, 1, kind), 0, at=5).wait()
        shmem.barrier()
        if ME == 0:
            total = 1 + PES * (PES + 1) // 2
            equal(a, [[total, total + 3 * PES, total], [total, total + 3 * PES, total + PES]])
        shmem.barrier()


def signals():
    with shmem.zeros(2, "uint64") as signal, shmem.zeros(3) as data:
        signal.signal_set(7, NEXT)
        signal.wait_until("==", 7)
        signal.signal_add(1 << 63, NEXT, at=1)
        signal.wait_until(">=", 1 << 63, at=1)
        assert signal.signal_fetch(1) == 1 << 63
        shmem.barrier()
        sent = data.put_signal_nbi([1.5, ME, 2.5], signal, 1, NEXT, op="add")
        signal.wait_until("==", 8)
        equal(data, [1.5, BEFORE, 2.5])
        equal(sent.wait(), [1.5, ME, 2.5])
        shmem.barrier()


def waits_for_sets(kind):
    with shmem.zeros(4, kind) as flags:
        assert flags.test_any("!=", 0) is None and flags.test_any("==", 0) in range(4)
        assert flags.test_all("==", [0, 1, 2, 3], where=[True, False, False, False])
        assert flags.test_some("<", [0, 1, 2, 3]) == [1, 2, 3]
        assert flags.test_some("<", np.arange(4).astype(kind), where=[0, 1, 0, 1]) == [1, 3]
        assert flags.test_any("<", [0, 0, 1, 0]) == 2
        flags.wait_until_all("==", 1, where=[False] * 4)
        shmem.barrier()
        flags.p(4, NEXT, 2)
        assert flags.wait_until_any("==", 4) == 2
        assert flags.wait_until_some(">", [1, 1, 1, 1], where=[0, 0, 1, 0]) == [2]
        flags.p(1, NEXT, 1)
        flags.wait_until_all("==", [9, 1, 4, 9], where=np.array([False, True, True, False]))
        shmem.barrier()


allocation()
for each in TYPES:
    put_and_get(each)
sources()
targets()
on_peers()
handles()
for each in ("int32", "uint32", "int64", "uint64"):
    atomics(each)
for each in ("float32", "float64"):
    real_atomics(each)
for each in ("int32", "uint32", "int64", "uint64"):
    atomics_under_way(each)
    waits_for_sets(each)
for each in ("int32", "int64", "float32", "float64", "complex64", "complex128"):
    accumulates(each)
signals()
waits()

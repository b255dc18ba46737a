# SPDX-License-Identifier: BSD-3-Clause
"""callbacks.py cffi|numba: functions that cffi or Numba make call the library: through shmem4py's interface, and through
the addresses of libsheaf's own functions, on arrays of both packages in one program."""
import ctypes
import sys

import cffi
import numpy as np
from shmem4py import api, shmem

import sheafshmem

ME, PES = sheafshmem.my_pe(), sheafshmem.n_pes()
NEXT, BEFORE = (ME + 1) % PES, (ME - 1) % PES
LIBRARY = next(line.split()[-1] for line in open("/proc/self/maps", encoding="utf-8") if "/libsheaf.so" in line)


def by_cffi():
    """C's qsort calls a function of Python's, which puts; and a pointer that cffi has of it is called by C's code."""
    ffi = cffi.FFI()
    ffi.cdef("void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));"
             "void shmem_long_p(long *dest, long value, int pe); void shmem_long_atomic_add(long *dest, long value, int pe);")
    c, library = ffi.dlopen(None), ffi.dlopen(LIBRARY)
    calls, mine = sheafshmem.zeros(2, "l"), shmem.zeros(1, "l")
    address = ffi.cast("long *", calls.ctypes.data)

    @ffi.callback("int(const void *, const void *)")
    def compare(a, b):
        a, b = ffi.cast("const long *", a)[0], ffi.cast("const long *", b)[0]
        library.shmem_long_atomic_add(address, 1, NEXT)
        api.lib.shmem_long_p(api.ffi.cast("long *", mine.ctypes.data), ME + 10, NEXT)
        return (a > b) - (a < b)

    values = ffi.new("long[]", [3, 1, 2])
    c.qsort(values, 3, 8, compare)
    assert list(values) == [1, 2, 3]
    sheafshmem.barrier()
    assert 2 <= calls[0] <= 6 and mine[0] == BEFORE + 10, (calls, mine)
    shmem.free(mine)


def by_numba():
    """Compiled loops that call the library; and a C callback that Numba compiles."""
    import numba
    from numba.core.typing import cffi_utils

    cffi_utils.register_module(api)
    put, add, pointer = api.lib.shmem_long_p, api.lib.shmem_long_atomic_add, api.ffi
    library = ctypes.CDLL(LIBRARY)
    fetch_add = library.shmem_long_atomic_fetch_add
    fetch_add.restype, fetch_add.argtypes = ctypes.c_long, [ctypes.c_void_p, ctypes.c_long, ctypes.c_int]

    @numba.njit
    def ring(squares, counter, pe):
        for i in range(squares.size):
            put(pointer.from_buffer(squares[i:]), i * i, pe)
            add(pointer.from_buffer(counter), 2, pe)

    @numba.cfunc("int64(uint64, int32)")
    def ticket(address, pe):
        return fetch_add(address, 1, pe)

    squares, counter = shmem.zeros(100, "l"), sheafshmem.zeros(2, "l")
    ring(squares, np.asarray(counter), NEXT)
    sheafshmem.barrier()
    assert counter[0] == 200 and np.array_equal(squares, np.arange(100) ** 2), (counter, squares)
    drawn = [ticket.ctypes(counter[1:].ctypes.data, 0) for _ in range(10)]
    assert drawn == sorted(set(drawn))
    sheafshmem.barrier()
    assert counter.g(0, 1) == 10 * PES
    shmem.free(squares)


globals()["by_" + sys.argv[1]]()
sheafshmem.barrier()
if ME == 0:
    print(f"callbacks by {sys.argv[1]}: right on {PES} PEs")

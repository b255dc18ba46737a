# SPDX-License-Identifier: BSD-3-Clause
"""A Python program that loads the library late, as an extension does: the heap works between
PEs. Argument: libsheaf.so. Run under oshrun by the tests that look from outside."""
import ctypes
import sys

shmem = ctypes.CDLL(sys.argv[1])
shmem.shmem_malloc.restype = ctypes.c_void_p
shmem.shmem_malloc.argtypes = [ctypes.c_size_t]
shmem.shmem_ptr.restype = ctypes.c_void_p
shmem.shmem_ptr.argtypes = [ctypes.c_void_p, ctypes.c_int]
shmem.shmem_putmem.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
shmem.shmem_getmem.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

shmem.shmem_init()
me, npes = shmem.shmem_my_pe(), shmem.shmem_n_pes()
length = 1 << 20
block = shmem.shmem_malloc(length)
assert block, "shmem_malloc returned null"
mine = ctypes.create_string_buffer(bytes([65 + me]) * length, length)
shmem.shmem_putmem(block, mine, length, (me + 1) % npes)
shmem.shmem_barrier_all()
expected = bytes([65 + (me + npes - 1) % npes]) * length
assert ctypes.string_at(block, length) == expected, "what the neighbour put is not there"
copy = ctypes.create_string_buffer(length)
shmem.shmem_getmem(copy, block, length, (me + 1) % npes)
assert copy.raw == bytes([65 + me]) * length, "what the neighbour has is not what was put"
for pe in range(npes):
    assert shmem.shmem_ptr(block, pe), "shmem_ptr on the heap is null"
shmem.shmem_barrier_all()
shmem.shmem_finalize()
if me == 0:
    print("late: %d PEs ok" % npes)

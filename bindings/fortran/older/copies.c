/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The older interface: put and get. Names with 4 and 8 mean bytes, those with 32, 64 and 128 bits,
 * those without a size Cray's words of 64 bits.
 */
#include "older.h"

#define COPY(NAME, TARGET, BYTES)                                                                       \
    void NAME##_(void *dest, const void *source, const int *nelems, const int *pe)                      \
    {                                                                                                   \
        TARGET(dest, source, sheaf_elements(#NAME, nelems) * (BYTES), *pe);                             \
    }
#define BY_TYPE(TYPE, BYTES)                                                                            \
    COPY(shmem_##TYPE##_put, shmem_putmem, BYTES)                                                       \
    COPY(shmem_##TYPE##_get, shmem_getmem, BYTES)                                                       \
    COPY(shmem_##TYPE##_put_nbi, shmem_putmem_nbi, BYTES)                                               \
    COPY(shmem_##TYPE##_get_nbi, shmem_getmem_nbi, BYTES)
#define BY_SIZE(SIZE, BYTES)                                                                            \
    COPY(shmem_put##SIZE, shmem_putmem, BYTES)                                                          \
    COPY(shmem_get##SIZE, shmem_getmem, BYTES)                                                          \
    COPY(shmem_put##SIZE##_nbi, shmem_putmem_nbi, BYTES)                                                \
    COPY(shmem_get##SIZE##_nbi, shmem_getmem_nbi, BYTES)

BY_TYPE(character, 1)
BY_TYPE(complex, 8)
BY_TYPE(double, 8)
BY_TYPE(integer, 4)
BY_TYPE(logical, 4)
BY_TYPE(real, 4)
BY_SIZE(, 8)
BY_SIZE(4, 4)
BY_SIZE(8, 8)
BY_SIZE(32, 4)
BY_SIZE(64, 8)
BY_SIZE(128, 16)
COPY(shmem_putmem, shmem_putmem, 1)
COPY(shmem_getmem, shmem_getmem, 1)
COPY(shmem_putmem_nbi, shmem_putmem_nbi, 1)
COPY(shmem_getmem_nbi, shmem_getmem_nbi, 1)

#define STRIDED(NAME, TARGET)                                                                           \
    void NAME##_(void *dest, const void *source, const int *dst, const int *sst, const int *nelems,     \
                 const int *pe)                                                                         \
    {                                                                                                   \
        TARGET(dest, source, *dst, *sst, sheaf_elements(#NAME, nelems), *pe);                           \
    }
#define STRIDED_BY_TYPE(TYPE, BITS)                                                                     \
    STRIDED(shmem_##TYPE##_iput, shmem_iput##BITS)                                                      \
    STRIDED(shmem_##TYPE##_iget, shmem_iget##BITS)
#define STRIDED_BY_SIZE(SIZE, BITS)                                                                     \
    STRIDED(shmem_iput##SIZE, shmem_iput##BITS)                                                         \
    STRIDED(shmem_iget##SIZE, shmem_iget##BITS)

STRIDED_BY_TYPE(complex, 64)
STRIDED_BY_TYPE(double, 64)
STRIDED_BY_TYPE(integer, 32)
STRIDED_BY_TYPE(logical, 32)
STRIDED_BY_TYPE(real, 32)
STRIDED_BY_SIZE(, 64)
STRIDED_BY_SIZE(4, 32)
STRIDED_BY_SIZE(8, 64)
STRIDED_BY_SIZE(32, 32)
STRIDED_BY_SIZE(64, 64)
STRIDED_BY_SIZE(128, 128)

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The older interface: collectives over active sets. Nothing is written into pSync and pWrk.
 */
#include "older.h"

#define SET        const int *PE_start, const int *logPE_stride, const int *PE_size
#define SET_VALUES *PE_start, *logPE_stride, *PE_size

void shmem_barrier_(SET, int *pSync)
{
    shmem_barrier(SET_VALUES, (long *)(void *)pSync);
}

void shmem_sync_(SET, int *pSync)
{
    shmem_sync(SET_VALUES, (long *)(void *)pSync);
}

#define MOVES(NAME, TARGET)                                                                             \
    void NAME##_(void *dest, const void *source, const int *nelems, SET, int *pSync)                    \
    {                                                                                                   \
        TARGET(dest, source, sheaf_elements(#NAME, nelems), SET_VALUES, (long *)(void *)pSync);         \
    }
#define BROADCASTS(NAME, TARGET)                                                                        \
    void NAME##_(void *dest, const void *source, const int *nelems, const int *PE_root, SET, int *pSync)   \
    {                                                                                                   \
        TARGET(dest, source, sheaf_elements(#NAME, nelems), *PE_root, SET_VALUES, (long *)(void *)pSync);  \
    }
#define BY_SIZE(SIZE, BITS)                                                                             \
    MOVES(shmem_collect##SIZE, shmem_collect##BITS)                                                     \
    MOVES(shmem_fcollect##SIZE, shmem_fcollect##BITS)                                                   \
    BROADCASTS(shmem_broadcast##SIZE, shmem_broadcast##BITS)
BY_SIZE(, 64)
BY_SIZE(4, 32)
BY_SIZE(8, 64)
BY_SIZE(32, 32)
BY_SIZE(64, 64)
MOVES(shmem_alltoall32, shmem_alltoall32)
MOVES(shmem_alltoall64, shmem_alltoall64)

#define STRIDED(BITS)                                                                                   \
    void shmem_alltoalls##BITS##_(void *dest, const void *source, const int *dst, const int *sst,       \
                                  const int *nelems, SET, int *pSync)                                   \
    {                                                                                                   \
        shmem_alltoalls##BITS(dest, source, *dst, *sst, sheaf_elements("shmem_alltoalls" #BITS, nelems),   \
                              SET_VALUES, (long *)(void *)pSync);                                       \
    }
STRIDED(32)
STRIDED(64)

#define REDUCES(NAME, TYPE, C_NAME, OP)                                                                 \
    void shmem_##NAME##_##OP##_to_all_(TYPE *dest, const TYPE *source, const int *nreduce, SET, TYPE *pWrk,\
                                       int *pSync)                                                      \
    {                                                                                                   \
        sheaf_elements("shmem_" #NAME "_" #OP "_to_all", nreduce);                                      \
        shmem_##C_NAME##_##OP##_to_all(dest, source, *nreduce, SET_VALUES, pWrk, (long *)(void *)pSync);   \
    }
#define BITWISE(NAME, TYPE)                                                                             \
    REDUCES(NAME, TYPE, TYPE, and)                                                                      \
    REDUCES(NAME, TYPE, TYPE, or)                                                                       \
    REDUCES(NAME, TYPE, TYPE, xor)
#define ORDERED(NAME, TYPE)                                                                             \
    REDUCES(NAME, TYPE, TYPE, max)                                                                      \
    REDUCES(NAME, TYPE, TYPE, min)
#define SUMS(NAME, TYPE, C_NAME)                                                                        \
    REDUCES(NAME, TYPE, C_NAME, sum)                                                                    \
    REDUCES(NAME, TYPE, C_NAME, prod)
BITWISE(int2, short)
BITWISE(int4, int)
BITWISE(int8, long)
ORDERED(int2, short)
ORDERED(int4, int)
ORDERED(int8, long)
ORDERED(real4, float)
ORDERED(real8, double)
SUMS(int2, short, short)
SUMS(int4, int, int)
SUMS(int8, long, long)
SUMS(real4, float, float)
SUMS(real8, double, double)
SUMS(comp4, sheaf_complexf, complexf)
SUMS(comp8, sheaf_complexd, complexd)

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The older interface: atomic operations, waits, locks, order.
 */
#include "older.h"

#define EXCHANGES(NAME, TYPE, C_NAME)                                                                   \
    TYPE shmem_##NAME##swap_(TYPE *dest, const TYPE *value, const int *pe)                              \
    {                                                                                                   \
        return shmem_##C_NAME##_atomic_swap(dest, *value, *pe);                                         \
    }                                                                                                   \
    TYPE shmem_##NAME##fetch_(const TYPE *source, const int *pe)                                        \
    {                                                                                                   \
        return shmem_##C_NAME##_atomic_fetch(source, *pe);                                              \
    }                                                                                                   \
    void shmem_##NAME##set_(TYPE *dest, const TYPE *value, const int *pe)                               \
    {                                                                                                   \
        shmem_##C_NAME##_atomic_set(dest, *value, *pe);                                                 \
    }
EXCHANGES(, int, int)
EXCHANGES(int4_, int, int)
EXCHANGES(int8_, long, long)
EXCHANGES(real4_, float, float)
EXCHANGES(real8_, double, double)

#define ARITHMETIC(NAME, TYPE)                                                                          \
    TYPE shmem_##NAME##cswap_(TYPE *dest, const TYPE *cond, const TYPE *value, const int *pe)           \
    {                                                                                                   \
        return shmem_##TYPE##_atomic_compare_swap(dest, *cond, *value, *pe);                            \
    }                                                                                                   \
    TYPE shmem_##NAME##fadd_(TYPE *dest, const TYPE *value, const int *pe)                              \
    {                                                                                                   \
        return shmem_##TYPE##_atomic_fetch_add(dest, *value, *pe);                                      \
    }                                                                                                   \
    TYPE shmem_##NAME##finc_(TYPE *dest, const int *pe)                                                 \
    {                                                                                                   \
        return shmem_##TYPE##_atomic_fetch_inc(dest, *pe);                                              \
    }                                                                                                   \
    void shmem_##NAME##add_(TYPE *dest, const TYPE *value, const int *pe)                               \
    {                                                                                                   \
        shmem_##TYPE##_atomic_add(dest, *value, *pe);                                                   \
    }                                                                                                   \
    void shmem_##NAME##inc_(TYPE *dest, const int *pe)                                                  \
    {                                                                                                   \
        shmem_##TYPE##_atomic_inc(dest, *pe);                                                           \
    }
ARITHMETIC(, int)
ARITHMETIC(int4_, int)
ARITHMETIC(int8_, long)

#define WAITS(NAME, TYPE)                                                                               \
    void shmem_##NAME##wait_(TYPE *ivar, const TYPE *cmp_value)                                         \
    {                                                                                                   \
        shmem_##TYPE##_wait_until(ivar, SHMEM_CMP_NE, *cmp_value);                                      \
    }                                                                                                   \
    void shmem_##NAME##wait_until_(TYPE *ivar, const int *cmp, const TYPE *cmp_value)                   \
    {                                                                                                   \
        shmem_##TYPE##_wait_until(ivar, *cmp, *cmp_value);                                              \
    }
WAITS(, int)
WAITS(int4_, int)
WAITS(int8_, long)

#define WITHOUT_ARGUMENTS(NAME)                                                                         \
    void NAME##_(void)                                                                                  \
    {                                                                                                   \
        NAME();                                                                                         \
    }
WITHOUT_ARGUMENTS(shmem_fence)
WITHOUT_ARGUMENTS(shmem_quiet)
WITHOUT_ARGUMENTS(shmem_barrier_all)
WITHOUT_ARGUMENTS(shmem_sync_all)
WITHOUT_ARGUMENTS(shmem_set_cache_inv)
WITHOUT_ARGUMENTS(shmem_clear_cache_inv)
WITHOUT_ARGUMENTS(shmem_udcflush)

#define OF_LINE(NAME)                                                                                   \
    void NAME##_(void *dest)                                                                            \
    {                                                                                                   \
        NAME(dest);                                                                                     \
    }
OF_LINE(shmem_set_cache_line_inv)
OF_LINE(shmem_clear_cache_line_inv)
OF_LINE(shmem_udcflush_line)

/* A lock is one default integer here, half of a lock of C: PE 0's says which PE holds it, by its number
 * plus one. */
#define HOLDER (shmem_my_pe() + 1)

int shmem_test_lock_(int *lock)
{
    return shmem_int_atomic_compare_swap(lock, 0, HOLDER, 0) != 0;
}

void shmem_set_lock_(int *lock)
{
    int holder;
    while ((holder = shmem_int_atomic_compare_swap(lock, 0, HOLDER, 0)) != 0)
        if (holder == HOLDER)
            sheaf_refuse("shmem_set_lock", "this PE holds the lock already");
}

void shmem_clear_lock_(int *lock)
{
    shmem_quiet();
    if (shmem_int_atomic_compare_swap(lock, HOLDER, 0, 0) != HOLDER)
        sheaf_refuse("shmem_clear_lock", "this PE does not hold the lock");
}

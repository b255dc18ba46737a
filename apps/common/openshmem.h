/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM, of version 1.4 or newer. What the applications use of 1.5 is here written in the words of 1.4 for libraries
 * that stop there: collectives of all PEs by the active-set forms, a put with a signal by a put, a fence and an atomic
 * operation. SHMEM_TEAM_WORLD is the only team.
 */
#ifndef OPENSHMEM_H
#define OPENSHMEM_H

#include <shmem.h>

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHMEM_TEAM_WORLD 0
#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1
#define SHMEM_MALLOC_ATOMICS_REMOTE 0

#define OLD_SYNC_MOST 1024 /* of all kinds of collectives; checked below */
#define OLD_WORK      64   /* elements that are reduced at a time */
#define OLD_INLINE    static inline __attribute__((unused))

_Static_assert(SHMEM_REDUCE_SYNC_SIZE <= OLD_SYNC_MOST && SHMEM_COLLECT_SYNC_SIZE <= OLD_SYNC_MOST &&
                   SHMEM_BCAST_SYNC_SIZE <= OLD_SYNC_MOST,
               "room for every collective");

/* Two that take turns: once a PE is in the next but one collective, all have left this one. Each file that includes this
 * has its own. */
OLD_INLINE long *old_sync_words(void)
{
    static long words[2][OLD_SYNC_MOST];
    static int turn = -1;
    if (turn < 0) {
        for (int i = 0; i < OLD_SYNC_MOST; i++)
            words[0][i] = words[1][i] = SHMEM_SYNC_VALUE;
        shmem_barrier_all();
        turn = 0;
    }
    return words[turn ^= 1];
}

#define OLD_REDUCE(NAME, TYPE, OLD_NAME, OLD_TYPE)                                                 \
    OLD_INLINE int shmem_##NAME##_reduce(int team, TYPE *dest, const TYPE *source, size_t count)   \
    {                                                                                              \
        static OLD_TYPE work[2][OLD_WORK / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];                 \
        static int turn;                                                                           \
        (void)team;                                                                                \
        for (size_t done = 0; done < count; done += OLD_WORK) {                                    \
            const size_t left = count - done;                                                      \
            shmem_##OLD_NAME##_to_all((OLD_TYPE *)dest + done, (OLD_TYPE *)source + done,          \
                                      (int)(left < OLD_WORK ? left : OLD_WORK), 0, 0, shmem_n_pes(), \
                                      work[turn ^= 1], old_sync_words());                          \
        }                                                                                          \
        return 0;                                                                                  \
    }
OLD_REDUCE(int_max, int, int_max, int)
OLD_REDUCE(long_sum, long, long_sum, long)
OLD_REDUCE(uint64_sum, uint64_t, long_sum, long)
OLD_REDUCE(double_sum, double, double_sum, double)
OLD_REDUCE(double_max, double, double_max, double)

#define OLD_GATHER(NAME, TYPE, OLD_NAME)                                                           \
    OLD_INLINE int shmem_##NAME(int team, TYPE *dest, const TYPE *source, size_t count)            \
    {                                                                                              \
        (void)team;                                                                                \
        shmem_##OLD_NAME(dest, source, count, 0, 0, shmem_n_pes(), old_sync_words());              \
        return 0;                                                                                  \
    }
OLD_GATHER(long_fcollect, long, fcollect64)
OLD_GATHER(double_fcollect, double, fcollect64)
OLD_GATHER(int32_fcollect, int32_t, fcollect32)
OLD_GATHER(double_collect, double, collect64)

OLD_INLINE int shmem_fcollectmem(int team, void *dest, const void *source, size_t bytes)
{
    (void)team;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        shmem_putmem((char *)dest + (size_t)shmem_my_pe() * bytes, source, bytes, pe);
    shmem_barrier_all();
    return 0;
}

/* The root, which is done first, waits, so that it is not two collectives ahead. */
OLD_INLINE int shmem_double_broadcast(int team, double *dest, const double *source, size_t count, int root)
{
    (void)team;
    shmem_broadcast64(dest, source, count, root, 0, 0, shmem_n_pes(), old_sync_words());
    if (shmem_my_pe() == root)
        memcpy(dest, source, count * sizeof *dest);
    shmem_barrier_all();
    return 0;
}

OLD_INLINE int shmem_broadcastmem(int team, void *dest, const void *source, size_t bytes, int root)
{
    (void)team;
    shmem_barrier_all();
    shmem_getmem(dest, source, bytes, root);
    shmem_barrier_all();
    return 0;
}

/* Of the types with a width some libraries have none of these. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "the same word");
#define shmem_uint64_atomic_set(word, value, pe) shmem_ulong_atomic_set((unsigned long *)(word), value, pe)
#define shmem_uint64_atomic_add(word, value, pe) shmem_ulong_atomic_add((unsigned long *)(word), value, pe)
#define shmem_uint64_atomic_inc(word, pe)        shmem_ulong_atomic_inc((unsigned long *)(word), pe)
#define shmem_uint64_atomic_fetch(word, pe)      shmem_ulong_atomic_fetch((unsigned long *)(word), pe)
#define shmem_uint64_atomic_compare_swap(word, expected, value, pe) \
    shmem_ulong_atomic_compare_swap((unsigned long *)(word), expected, value, pe)

/* Nonblocking operations with a result came with 1.5. */
#define shmem_ctx_long_atomic_fetch_add_nbi(ctx, result, word, value, pe) \
    (void)(*(result) = shmem_ctx_long_atomic_fetch_add(ctx, word, value, pe))
#define shmem_ctx_long_atomic_fetch_inc_nbi(ctx, result, word, pe) \
    (void)(*(result) = shmem_ctx_long_atomic_fetch_inc(ctx, word, pe))
#define shmem_ctx_long_atomic_compare_swap_nbi(ctx, result, word, expected, value, pe) \
    (void)(*(result) = shmem_ctx_long_atomic_compare_swap(ctx, word, expected, value, pe))

OLD_INLINE void old_signal(uint64_t *signal, uint64_t value, int operation, int pe)
{
    shmem_fence();
    if (operation == SHMEM_SIGNAL_ADD)
        shmem_uint64_atomic_add(signal, value, pe);
    else
        shmem_uint64_atomic_set(signal, value, pe);
}

#define OLD_PUT_SIGNAL(NAME, TYPE, PUT)                                                            \
    OLD_INLINE void shmem_##NAME(TYPE *dest, const TYPE *source, size_t count, uint64_t *signal,   \
                                 uint64_t value, int operation, int pe)                            \
    {                                                                                              \
        if (count > 0)                                                                             \
            shmem_##PUT(dest, source, count, pe);                                                  \
        old_signal(signal, value, operation, pe);                                                  \
    }
OLD_PUT_SIGNAL(long_put_signal, long, long_put)
OLD_PUT_SIGNAL(double_put_signal, double, double_put)
OLD_PUT_SIGNAL(putmem_signal, void, putmem)
OLD_PUT_SIGNAL(putmem_signal_nbi, void, putmem_nbi)

OLD_INLINE uint64_t shmem_signal_wait_until(uint64_t *signal, int compare, uint64_t value)
{
    shmem_uint64_wait_until(signal, compare, value);
    return *(volatile uint64_t *)signal;
}

OLD_INLINE void *shmem_malloc_with_hints(size_t bytes, long hints)
{
    (void)hints;
    return shmem_malloc(bytes);
}

#endif
#endif

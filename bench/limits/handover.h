/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The programs that measure the limits of collectives share this. Two processes hand each other data. Each reads the
 * other's source in place, or a copy that its owner has made in memory that is used in turn
 * (src/coll/staging.h): by memcpy, or on x86-64 by wide registers or by stores that go past the caches.
 */
#ifndef BENCH_LIMIT_HANDOVER_H
#define BENCH_LIMIT_HANDOVER_H

#include "limit.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define MOST   ((size_t)1 << 20)  /* bytes of a source */
#define MEMORY ((size_t)2 << 20)  /* for copies, of each process */
#define PIECE  ((size_t)16 << 10) /* of a broadcast's copy: the other reads one while the next is made */

#if defined(__SSE2__)
enum reading { IN_PLACE, STAGED, WIDE, STREAMED, READINGS };
#else
enum reading { IN_PLACE, STAGED, READINGS };
#endif

static long turn;

/* Flag 0 is raised at an exchange's end, others where data is there. */
static inline void raise_flag(int which, long value)
{
    limit_store(&shared->flags[bench_me][which], value);
}

static inline void await_flag(int which, long value)
{
    while (limit_load(&shared->flags[1 - bench_me][which]) < value)
        limit_pause();
}

static inline void meet(void)
{
    raise_flag(0, ++turn);
    await_flag(0, turn);
}

#if defined(__SSE2__)
__attribute__((target("avx2"))) static void copy_wide(char *to, const char *from, size_t length)
{
    for (size_t at = 0; at < length; at += 2 * sizeof(__m256i)) {
        __m256i first = _mm256_loadu_si256((const __m256i *)(from + at));
        __m256i second = _mm256_loadu_si256((const __m256i *)(from + at) + 1);
        _mm256_storeu_si256((__m256i *)(to + at), first);
        _mm256_storeu_si256((__m256i *)(to + at) + 1, second);
    }
}
#endif

/* Of source in place, or of a copy that lies in memory that is used in turn. */
static inline void take(enum reading way, char *to, const char *from, size_t length)
{
#if defined(__SSE2__)
    if (way == WIDE && length % LINE == 0 && __builtin_cpu_supports("avx2")) {
        copy_wide(to, from, length);
        return;
    }
#endif
    (void)way;
    memcpy(to, from, length);
}

/* to begins a cache line. */
static inline void stage(enum reading way, char *to, const char *from, size_t length)
{
#if defined(__SSE2__)
    if (way == STREAMED && length % sizeof(__m128i) == 0) {
        for (size_t at = 0; at < length; at += sizeof(__m128i))
            _mm_stream_si128((__m128i *)(to + at), _mm_loadu_si128((const __m128i *)(from + at)));
        _mm_sfence();
        return;
    }
#endif
    take(way, to, from, length);
}

/* The offset of the next part of the memory, the same in both processes. */
static inline size_t take_part(size_t bytes)
{
    static size_t used;
    if (MEMORY - used < bytes)
        used = 0;
    size_t part = used;
    used += (bytes + LINE - 1) / LINE * LINE;
    return part;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of stream.h on x86-64. An sfence before keeps the caller's earlier stores in front of
 * these, one behind keeps its later ones behind: elsewhere in the library total store order does
 * both for free.
 */
#if defined(__x86_64__)

#include "base/stream.h"

#include <immintrin.h>

/* Bytes that the source is fetched ahead of its use. On a Zen 3 any distance from 0 to 1 KiB takes the
 * same; a processor that stops its own prefetching at the end of a page gains. */
#define AHEAD 1024

static inline void fetch_ahead(const char *source)
{
    for (int line = 0; line < SHEAF_STREAM_STEP; line += SHEAF_STREAM_LINE)
        _mm_prefetch(source + AHEAD + line, _MM_HINT_T0);
}

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f");
}

__attribute__((target("avx2"))) static void by_avx2(char *dest, const char *source, size_t bytes)
{
    _mm_sfence();
    for (size_t at = 0; at < bytes; at += SHEAF_STREAM_STEP) {
        const __m256i *from = (const __m256i *)(source + at);
        __m256i *to = (__m256i *)(dest + at);
        fetch_ahead(source + at);
        __m256i first = _mm256_loadu_si256(from), second = _mm256_loadu_si256(from + 1);
        __m256i third = _mm256_loadu_si256(from + 2), fourth = _mm256_loadu_si256(from + 3);
        _mm256_stream_si256(to, first);
        _mm256_stream_si256(to + 1, second);
        _mm256_stream_si256(to + 2, third);
        _mm256_stream_si256(to + 3, fourth);
    }
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void by_avx512(char *dest, const char *source, size_t bytes)
{
    _mm_sfence();
    for (size_t at = 0; at < bytes; at += SHEAF_STREAM_STEP) {
        fetch_ahead(source + at);
        __m512i first = _mm512_loadu_si512(source + at);
        __m512i second = _mm512_loadu_si512(source + at + SHEAF_STREAM_LINE);
        _mm512_stream_si512((__m512i *)(dest + at), first);
        _mm512_stream_si512((__m512i *)(dest + at + SHEAF_STREAM_LINE), second);
    }
    _mm_sfence();
}

const struct sheaf_stream_way sheaf_stream_ways[] = {
    {"avx512", has_avx512, by_avx512},
    {"avx2", has_avx2, by_avx2},
    {NULL, NULL, NULL},
};

#else
typedef int sheaf_not_x86_64; /* a file may not be empty */
#endif

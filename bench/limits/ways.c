/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ways of copying that were tried for long puts and gets, by size, by one process: between two buffers that
 * stay in the caches, and between places of 128 MiB each, which do not. Streams go past the caches, a line of
 * each of four pages in turn.
 */
#include "limit.h"

#define REGION ((size_t)128 << 20)

typedef void copy(char *to, const char *from, size_t bytes);

static void by_memcpy(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static int is_everywhere(void)
{
    return 1;
}

#ifdef __x86_64__
#include <immintrin.h>

#define PAGE  4096
#define PAGES 4

static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

static void by_rep_movsb(char *to, const char *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

__attribute__((target("avx2"))) static void through_avx2(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 128) {
        const __m256i *source = (const __m256i *)(from + at);
        __m256i *dest = (__m256i *)(to + at);
        __m256i first = _mm256_loadu_si256(source), second = _mm256_loadu_si256(source + 1);
        __m256i third = _mm256_loadu_si256(source + 2), fourth = _mm256_loadu_si256(source + 3);
        _mm256_store_si256(dest, first);
        _mm256_store_si256(dest + 1, second);
        _mm256_store_si256(dest + 2, third);
        _mm256_store_si256(dest + 3, fourth);
    }
}

__attribute__((target("avx512f"))) static void through_avx512(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 256) {
        const __m512i *source = (const __m512i *)(from + at);
        __m512i *dest = (__m512i *)(to + at);
        __m512i first = _mm512_loadu_si512(source), second = _mm512_loadu_si512(source + 1);
        __m512i third = _mm512_loadu_si512(source + 2), fourth = _mm512_loadu_si512(source + 3);
        _mm512_store_si512(dest, first);
        _mm512_store_si512(dest + 1, second);
        _mm512_store_si512(dest + 2, third);
        _mm512_store_si512(dest + 3, fourth);
    }
}

__attribute__((target("avx2"))) static inline void line_by_avx2(char *to, const char *from)
{
    __m256i first = _mm256_loadu_si256((const __m256i *)from);
    __m256i second = _mm256_loadu_si256((const __m256i *)from + 1);
    _mm256_stream_si256((__m256i *)to, first);
    _mm256_stream_si256((__m256i *)to + 1, second);
}

__attribute__((target("avx512f"))) static inline void line_by_avx512(char *to, const char *from)
{
    _mm512_stream_si512((__m512i *)to, _mm512_loadu_si512(from));
}

/* Pages that are no multiple of four are copied one after the other. */
#define STREAM(extension, features)                                                                 \
    __attribute__((target(features))) static void past_##extension(char *to, const char *from, size_t bytes)\
    {                                                                                               \
        size_t group = bytes % (PAGES * PAGE) == 0 ? PAGES * PAGE : PAGE;                           \
        for (size_t at = 0; at < bytes; at += group)                                                \
            for (size_t line = at; line < at + PAGE; line += LINE)                                  \
                for (size_t page = line; page < line + group; page += PAGE)                         \
                    line_by_##extension(to + page, from + page);                                    \
        _mm_sfence();                                                                               \
    }
STREAM(avx2, "avx2")
STREAM(avx512, "avx512f")
#endif

static const struct way {
    const char *name;
    int (*is_here)(void);
    copy *copy;
} ways[] = {
    {"memcpy", is_everywhere, by_memcpy},
#ifdef __x86_64__
    {"AVX2", has_avx2, through_avx2},
    {"AVX-512", has_avx512, through_avx512},
    {"REP MOVSB", is_everywhere, by_rep_movsb},
    {"AVX-512 stream", has_avx512, past_avx512},
    {"AVX2 stream", has_avx2, past_avx2},
#endif
};

/* at: bytes from one copy's place to the next one's; 0 stays in one place. */
static void measure(const struct way *way, const char *where, size_t bytes, size_t at, char *to,
                    const char *from)
{
    char what[96];
    struct bench_run run;
    size_t place = 0;
    snprintf(what, sizeof what, "%s%s", way->name, where);
    for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            way->copy(to + place, from + place, bytes);
            BENCH_KEEP(to);
            place = at && place + 2 * at <= REGION ? place + at : 0;
        }
}

int main(void)
{
    static const size_t sizes[] = {4 << 10, 16 << 10, 64 << 10, 256 << 10, 4 << 20};
    limit_start_alone();
    char *to = limit_memory(REGION), *from = limit_memory(REGION);
    memset(from, 1, REGION); /* not zeros: see bench_memory() of ../bench.h */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
            if (ways[way].is_here()) {
                measure(&ways[way], "", sizes[i], 0, to, from);
                measure(&ways[way], ", out of the caches", sizes[i], sizes[i], to, from);
            }
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See hash.h. The checksum of a page is computed in four lanes, each of which waits for its own
 * multiplication. Where the processor multiplies four words at once, four pages are interleaved. Measured
 * on an EPYC with 128 MiB that no cache holds: memcpy takes 9.4 ms, and this copy 10.1 ms (AVX-512), 11.6
 * ms (AVX2) or 13.0 ms (word by word; 16.5 ms without prefetching the next page).
 */
#include "snapshot/file/hash.h"


#define RAW     __attribute__((no_sanitize("address", "thread", "undefined")))
#define PREFETCH   2048 /* bytes: the processor does not prefetch beyond a page by itself */
#define AT_ONCE 4    /* pages */

typedef uint64_t __attribute__((may_alias)) word;

static uint64_t end_hash(const uint64_t lanes[4], uint64_t any, size_t page)
{
    return any ? sheaf_hash_end(lanes, page, 0) : 0;
}

/* Copies the words. Returns the OR of all of them, and the lanes of sheaf_hash(). */
RAW static uint64_t copy_words(word *to, const word *from, size_t count, uint64_t lanes[4])
{
    uint64_t a = 1, b = 2, c = 3, d = 4, any = 0;
    for (size_t i = 0; i < count; i += 4) {
        uint64_t w = from[i], x = from[i + 1], y = from[i + 2], z = from[i + 3];
        __builtin_prefetch(from + i + PREFETCH / sizeof *from);
        any |= w | x | y | z;
        to[i] = w;
        to[i + 1] = x;
        to[i + 2] = y;
        to[i + 3] = z;
        a = sheaf_hash_step(a, w);
        b = sheaf_hash_step(b, x);
        c = sheaf_hash_step(c, y);
        d = sheaf_hash_step(d, z);
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
    return any;
}

/* Copies any number of pages, on every processor. */
static void copy_each(char *to, const char *from, size_t page, size_t count, uint64_t *hashes)
{
    uint64_t lanes[4];
    for (size_t i = 0; i < count; i++) {
        const void *source = from + i * page;
        void *copy = to + i * page;
        uint64_t any = copy_words(copy, source, page / sizeof(word), lanes);
        hashes[i] = end_hash(lanes, any, page);
    }
}

#ifdef __x86_64__

/* The four lanes of a page. */
typedef uint64_t vector __attribute__((vector_size(32), may_alias));

/* Copies AT_ONCE pages; compiled for several kinds of processors. */
RAW static inline __attribute__((always_inline)) void copy_four(char *to, const char *from, size_t page,
                                                                uint64_t *hashes)
{
    vector lanes[AT_ONCE], any[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        lanes[i] = (vector){1, 2, 3, 4};
        any[i] = (vector){0};
    }
    for (size_t at = 0; at < page; at += sizeof *lanes)
        for (int i = 0; i < AT_ONCE; i++) {
            vector words = *(const vector *)(const void *)(from + (size_t)i * page + at);
            *(vector *)(void *)(to + (size_t)i * page + at) = words;
            any[i] |= words;
            vector product = (lanes[i] ^ words) * SHEAF_HASH_FACTOR;
            lanes[i] = product << 29 | product >> 35;
        }
    for (int i = 0; i < AT_ONCE; i++) {
        uint64_t words[4] = {lanes[i][0], lanes[i][1], lanes[i][2], lanes[i][3]};
        hashes[i] = end_hash(words, any[i][0] | any[i][1] | any[i][2] | any[i][3], page);
    }
}

RAW __attribute__((target("avx512vl,avx512dq"))) static void
copy_by_avx512(char *to, const char *from, size_t page, uint64_t *hashes)
{
    copy_four(to, from, page, hashes);
}

RAW __attribute__((target("avx2"))) static void copy_by_avx2(char *to, const char *from, size_t page,
                                                             uint64_t *hashes)
{
    copy_four(to, from, page, hashes);
}

typedef void copy(char *to, const char *from, size_t page, uint64_t *hashes);

/* Returns NULL where copying word by word is faster. */
static copy *find_copy(void)
{
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return copy_by_avx512;
    return __builtin_cpu_supports("avx2") ? copy_by_avx2 : NULL;
}

void sheaf_copy_pages(char *to, const char *from, size_t page, size_t count, uint64_t *hashes)
{
    copy *copies = find_copy();
    size_t done = 0;
    for (; copies && done + AT_ONCE <= count; done += AT_ONCE)
        copies(to + done * page, from + done * page, page, hashes + done);
    copy_each(to + done * page, from + done * page, page, count - done, hashes + done);
}

#else

void sheaf_copy_pages(char *to, const char *from, size_t page, size_t count, uint64_t *hashes)
{
    copy_each(to, from, page, count, hashes);
}

#endif

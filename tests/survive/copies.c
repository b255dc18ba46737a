/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every way to copy pages and sum them gives the same copies and the checksums of hash.h, whatever the
 * processor: with pages of zeros among them, and single words that are none.
 */
#include "snapshot/file/copy.c"

#include "../units/unit.h"
#include "random.h"

#define PAGE  4096
#define PAGES 11

static char from[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char to[PAGES * PAGE] __attribute__((aligned(PAGE)));

static bool is_zero(const char *page)
{
    static const char zeros[PAGE];
    return memcmp(page, zeros, PAGE) == 0;
}

static void fill(uint64_t *seed)
{
    memset(from, 0, sizeof from);
    for (int page = 0; page < PAGES; page++) {
        uint64_t kind = test_random_below(seed, 3), word;
        for (size_t at = 0; at < PAGE; at += sizeof word) {
            word = kind == 0 ? test_random(seed) : 0;
            memcpy(from + page * PAGE + at, &word, sizeof word);
        }
        if (kind == 1)
            from[(size_t)page * PAGE + test_random_below(seed, PAGE)] = 1;
    }
}

static void check(const uint64_t *hashes, int count)
{
    CHECK(memcmp(from, to, (size_t)count * PAGE) == 0);
    for (int page = 0; page < count; page++)
        CHECK(hashes[page] == (is_zero(from + page * PAGE) ? 0 : sheaf_hash(from + page * PAGE, PAGE)));
    memset(to, 0xaa, sizeof to);
}

#ifdef __x86_64__
static void check_ways(uint64_t *hashes)
{
    if (__builtin_cpu_supports("avx2")) {
        copy_by_avx2(to, from, PAGE, hashes);
        check(hashes, AT_ONCE);
    }
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        copy_by_avx512(to, from, PAGE, hashes);
        check(hashes, AT_ONCE);
    }
}
#else
static void check_ways(uint64_t *hashes)
{
    (void)hashes;
}
#endif

int main(void)
{
    uint64_t seed = 7, hashes[PAGES];
    for (int round = 0; round < 300; round++) {
        fill(&seed);
        for (int count = 0; count <= PAGES; count++) {
            sheaf_copy_pages(to, from, PAGE, (size_t)count, hashes);
            check(hashes, count);
        }
        copy_each(to, from, PAGE, PAGES, hashes);
        check(hashes, PAGES);
        check_ways(hashes);
    }
    return 0;
}

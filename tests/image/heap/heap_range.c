/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A heap without a size knob: blocks far larger than what is touched, null on all PEs when it is
 * exhausted or too much is asked, usable afterwards, and pages given back when a large block goes.
 */
#include "check.h"

#include <string.h>
#include <time.h>

#define GIB (INT64_C(1) << 30)
#define MIB (INT64_C(1) << 20)

static int me, npes, next, previous;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads "key: number kB" from a file of /proc, in bytes; -1 without it. */
static int64_t read_bytes(const char *path, const char *key)
{
    char line[256];
    int64_t value = -1;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            value = atoll(line + strlen(key)) * 1024;
    if (file)
        fclose(file);
    return value;
}

/* How many PEs hold a non-null pointer; the same answer everywhere. */
static long how_many_have(const void *block)
{
    static long mine, sum;
    shmem_barrier_all();
    mine = block != NULL;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1), 0);
    return sum;
}

static void check_far_pages(char *block, int64_t length)
{
    for (int64_t at = 0; at < length; at += 128 * MIB)
        shmem_char_p(&block[at], (char)(at / MIB / 128 + me), next);
    shmem_char_p(&block[length - 1], (char)(me + 1), next);
    shmem_barrier_all();
    for (int64_t at = 0; at < length; at += 128 * MIB)
        CHECK_EQ(block[at], (char)(at / MIB / 128 + previous));
    CHECK_EQ(block[length - 1], (char)(previous + 1));
    shmem_barrier_all();
}

/* More than 1 GiB per PE, of which only some pages are touched. */
static void check_large(void)
{
    int64_t length = 3 * GIB / 2;
    char *block = shmem_malloc((size_t)length);
    CHECK(block != NULL);
    check_far_pages(block, length);
    shmem_free(block);
}

static void check_refused(void)
{
    long *before = shmem_malloc(sizeof *before);
    CHECK(before != NULL);
    double start = now();
    for (int i = 0; i < 10; i++) {
        void *block = shmem_malloc((size_t)1 << 40);
        CHECK(block == NULL);
        CHECK(shmem_align(4096, (size_t)1 << 40) == NULL);
        CHECK(shmem_calloc((size_t)1 << 20, (size_t)1 << 20) == NULL);
        CHECK(shmem_malloc(SIZE_MAX) == NULL);
        CHECK(shmem_calloc(SIZE_MAX / 2, 3) == NULL);
        CHECK(shmem_realloc(before, (size_t)1 << 40) == NULL);
    }
    CHECK(now() - start < 10);
    CHECK_EQ(how_many_have(before), npes);
    shmem_long_p(before, 5 + me, next);
    shmem_barrier_all();
    CHECK_EQ(*before, 5 + previous);
    shmem_free(before);
}

/* Untouched blocks until there is no more: all PEs learn it in the same call. */
static void check_exhaustion(void)
{
    enum { MOST = 4096 };
    static char *blocks[MOST];
    int64_t size = read_bytes("/proc/meminfo", "MemTotal:") / 64;
    int count = 0;
    while (count < MOST) {
        blocks[count] = shmem_malloc((size_t)size);
        long having = how_many_have(blocks[count]);
        CHECK(having == 0 || having == npes);
        if (having == 0)
            break;
        count++;
    }
    CHECK(count > 0 && count < MOST);
    char *small = shmem_malloc(64);
    for (int i = 0; i < count; i++)
        shmem_free(blocks[i]);
    char *again = shmem_malloc((size_t)size);
    CHECK_EQ(how_many_have(again), npes);
    check_far_pages(again, size);
    shmem_free(again);
    shmem_free(small);
}

static void check_pages_return(void)
{
    int64_t length = 192 * MIB;
    char *block = shmem_malloc((size_t)length);
    CHECK(block != NULL);
    memset(block, 1, (size_t)length);
    int64_t full = read_bytes("/proc/self/smaps_rollup", "Rss:");
    shmem_barrier_all();
    shmem_free(block);
    shmem_barrier_all();
    int64_t freed = read_bytes("/proc/self/smaps_rollup", "Rss:");
    if (full < 0)
        printf("no /proc/self/smaps_rollup: resident size not compared\n");
    else
        CHECK(full - freed >= length * 3 / 4);
    block = shmem_calloc((size_t)length, 1);
    CHECK(block != NULL);
    for (int64_t i = 0; i < length; i += 512)
        CHECK_EQ(shmem_char_g(&block[i], next), 0);
    shmem_free(block);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    previous = (me + npes - 1) % npes;
    int64_t available = read_bytes("/proc/meminfo", "MemAvailable:");
    if (available < 4 * GIB)
        TEST_SKIP("less than 4 GiB of memory available");
    check_large();
    check_refused();
    check_exhaustion();
    check_pages_return();
    return test_finish();
}

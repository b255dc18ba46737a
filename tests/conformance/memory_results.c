/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What allocations return: alignment, zeros, contents kept by realloc, null on all PEs when the
 * memory does not suffice, and hints that combine.
 */
#include "check.h"

#include <stddef.h>
#include <string.h>

static void fill(char *block, size_t size, int seed)
{
    for (size_t i = 0; i < size; i++)
        block[i] = (char)(seed + (int)i * 7);
}

static void check_filled(const char *block, size_t size, int seed)
{
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(block[i], (char)(seed + (int)i * 7));
}

static void malloc_aligns_for_any_type(void)
{
    for (size_t size = 1; size < 200; size += 13) {
        void *block = shmem_malloc(size);
        CHECK(block != NULL);
        CHECK_EQ((uintptr_t)block % _Alignof(max_align_t), 0);
        shmem_free(block);
    }
}

static void align_takes_powers_of_two(void)
{
    void *blocks[25];
    int count = 0;
    for (size_t alignment = 1; alignment <= (size_t)16 << 20; alignment *= 2) {
        blocks[count] = shmem_align(alignment, alignment / 2 + 1);
        CHECK(blocks[count] != NULL);
        CHECK_EQ((uintptr_t)blocks[count] % alignment, 0);
        count++;
    }
    while (count > 0)
        shmem_free(blocks[--count]);
}

/* Undefined in the specification; here it is refused, on all PEs. */
static void align_refuses_what_is_no_alignment(void)
{
    const size_t bad[] = {0, 3, 12, 24, 100, ((size_t)4 << 20) + 8};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(shmem_align(bad[i], 64) == NULL);
    shmem_barrier_all();
}

static void realloc_of_null_is_malloc(int me)
{
    char *block = shmem_realloc(NULL, 100);
    CHECK(block != NULL);
    CHECK_EQ((uintptr_t)block % _Alignof(max_align_t), 0);
    CHECK_EQ(shmem_addr_accessible(block, me), 1);
    shmem_free(block);
}

static void realloc_to_zero_is_free(void)
{
    char *first = shmem_malloc(1 << 16);
    CHECK(first != NULL);
    CHECK(shmem_realloc(first, 0) == NULL);
    char *second = shmem_malloc(1 << 16);
    const char *checks = getenv("SHEAF_CHECK"); /* memory: a freed block is kept away */
    if (!checks || !strstr(checks, "memory"))
        CHECK_EQ((char *)second - first, 0);
    shmem_free(second);
}

static void realloc_keeps_the_contents(int me, int n)
{
    static const size_t sizes[] = {1, 40, 5000, 64, 1 << 20, 17, 300000};
    size_t old = 10;
    char *block = shmem_malloc(old);
    char *wall = shmem_malloc(1000);
    CHECK(block && wall);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t kept = old < sizes[i] ? old : sizes[i];
        fill(block, old, me + (int)i);
        block = shmem_realloc(block, sizes[i]);
        CHECK(block != NULL);
        check_filled(block, kept, me + (int)i);
        shmem_barrier_all();
        shmem_char_p(&block[sizes[i] - 1], (char)(me + 1), (me + 1) % n);
        shmem_barrier_all();
        CHECK_EQ(block[sizes[i] - 1], (char)((me + n - 1) % n + 1));
        old = sizes[i];
    }
    shmem_free(wall);
    shmem_free(block);
}

static void failed_realloc_keeps_the_block_everywhere(int me, int n)
{
    char *block = shmem_malloc(1000);
    CHECK(block != NULL);
    fill(block, 1000, me);
    CHECK(shmem_realloc(block, (size_t)1 << 60) == NULL);
    CHECK(shmem_realloc(block, SIZE_MAX - 5) == NULL);
    check_filled(block, 1000, me);
    shmem_barrier_all();
    CHECK_EQ(shmem_char_g(&block[3], (me + 1) % n), (char)((me + 1) % n + 21));
    shmem_free(block);
}

static void realloc_of_hinted_and_aligned_blocks(int me)
{
    char *hinted = shmem_malloc_with_hints(64, SHMEM_MALLOC_ATOMICS_REMOTE);
    char *aligned = shmem_align(4096, 64);
    CHECK(hinted && aligned);
    fill(hinted, 64, me);
    fill(aligned, 64, me + 1);
    hinted = shmem_realloc(hinted, 100000);
    aligned = shmem_realloc(aligned, 100000);
    CHECK(hinted && aligned);
    check_filled(hinted, 64, me);
    check_filled(aligned, 64, me + 1);
    shmem_free(aligned);
    shmem_free(hinted);
}

/* Memory used before, so that it is not zero by chance; the neighbour reads at once. */
static void calloc_reads_as_zero_from_other_pes(int me, int n)
{
    enum { BYTES = 100000 };
    static char copy[BYTES];
    char *used = shmem_malloc(BYTES);
    CHECK(used != NULL);
    memset(used, 0xab, BYTES);
    shmem_free(used);
    char *block = shmem_calloc(BYTES / 8, 8);
    CHECK(block != NULL);
    shmem_getmem(copy, block, BYTES, (me + 1) % n);
    for (int i = 0; i < BYTES; i++)
        CHECK_EQ(copy[i], 0);
    shmem_free(block);
}

static void calloc_checks_for_overflow(void)
{
    CHECK(shmem_calloc(SIZE_MAX / 2, 3) == NULL);
    CHECK(shmem_calloc((size_t)1 << 32, (size_t)1 << 32) == NULL);
    CHECK(shmem_calloc(SIZE_MAX, SIZE_MAX) == NULL);
    shmem_barrier_all();
}

static void exhaustion_is_null_on_all_pes(int me, int n)
{
    static int nulls;
    const size_t sizes[] = {(size_t)1 << 62, SIZE_MAX, SIZE_MAX - 4096, (size_t)1 << 50};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CHECK(shmem_malloc(sizes[i]) == NULL);
        CHECK(shmem_align(4096, sizes[i]) == NULL);
        CHECK(shmem_malloc_with_hints(sizes[i], 0) == NULL);
        shmem_int_atomic_inc(&nulls, (me + 1) % n);
    }
    shmem_barrier_all();
    CHECK_EQ(nulls, sizeof sizes / sizeof sizes[0]);
    void *block = shmem_malloc(100);
    CHECK(block != NULL);
    shmem_free(block);
}

static void hints_combine_and_may_be_zero(int me, int n)
{
    _Static_assert(SHMEM_MALLOC_ATOMICS_REMOTE != 0, "0 means no hint");
    _Static_assert(SHMEM_MALLOC_SIGNAL_REMOTE != 0, "0 means no hint");
    _Static_assert((SHMEM_MALLOC_ATOMICS_REMOTE & SHMEM_MALLOC_SIGNAL_REMOTE) == 0,
                   "hints combine");
    const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                          SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
    for (int i = 0; i < 4; i++) {
        uint64_t *block = shmem_malloc_with_hints(4 * sizeof *block, hints[i]);
        CHECK(block != NULL);
        CHECK_EQ((uintptr_t)block % _Alignof(max_align_t), 0);
        block[1] = 0;
        shmem_barrier_all();
        shmem_signal_set(&block[1], (uint64_t)i + 1, (me + 1) % n);
        CHECK_EQ(shmem_signal_wait_until(&block[1], SHMEM_CMP_NE, 0), i + 1);
        shmem_free(block);
    }
}

/* Functions of libc that keep a state are the program's: a large allocation, which looks at the
 * machine's memory, leaves them alone. */
static void malloc_disturbs_no_strtok(void)
{
    char text[] = "first second third";
    CHECK(strcmp(strtok(text, " "), "first") == 0);
    shmem_free(shmem_malloc((size_t)128 << 20));
    const char *second = strtok(NULL, " ");
    CHECK(second != NULL && strcmp(second, "second") == 0);
    const char *third = strtok(NULL, " ");
    CHECK(third != NULL && strcmp(third, "third") == 0);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    malloc_aligns_for_any_type();
    align_takes_powers_of_two();
    align_refuses_what_is_no_alignment();
    realloc_of_null_is_malloc(me);
    realloc_to_zero_is_free();
    realloc_keeps_the_contents(me, n);
    failed_realloc_keeps_the_block_everywhere(me, n);
    realloc_of_hinted_and_aligned_blocks(me);
    calloc_reads_as_zero_from_other_pes(me, n);
    calloc_checks_for_overflow();
    exhaustion_is_null_on_all_pes(me, n);
    hints_combine_and_may_be_zero(me, n);
    malloc_disturbs_no_strtok();
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_align takes every power of two up to the heap's size, however the program was linked and
 * wherever randomization put it: the address is a multiple of it on every PE, other PEs' accesses
 * arrive there, and shmem_ptr gives addresses that are aligned too, up to 2 MiB. The argument is the
 * heap's size in MiB; without it the heap is as large as the machine allows, 1 GiB at least.
 */
#include "check.h"

#include <stdbool.h>
#include <stddef.h>

#define MIB     ((size_t)1 << 20)
#define HUGE_2M (2 * MIB)

static int me, npes, next, previous;
static long in_data;

/* How many PEs hold a non-null pointer; the same answer everywhere. */
static long how_many_have(const void *block)
{
    static long mine, sum;
    shmem_barrier_all();
    mine = block != NULL;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1), 0);
    return sum;
}

static void check_reached(long *block, size_t alignment)
{
    shmem_long_p(block, me + (long)alignment, next);
    shmem_long_p(&in_data, me - (long)alignment, next);
    shmem_barrier_all();
    CHECK_EQ(*block, previous + (long)alignment);
    CHECK_EQ(in_data, previous - (long)alignment);
    shmem_barrier_all();
}

/* False where no PE got one. */
static bool check_alignment(size_t alignment)
{
    long *block = shmem_align(alignment, sizeof *block);
    long have = how_many_have(block);
    CHECK(have == 0 || have == npes);
    if (have == 0)
        return false;
    CHECK_EQ((uintptr_t)block % alignment, 0);
    CHECK_EQ((uintptr_t)block % _Alignof(max_align_t), 0);
    for (int pe = 0; pe < npes; pe++) /* null on another host */
        CHECK_EQ((uintptr_t)shmem_ptr(block, pe) % (alignment < HUGE_2M ? alignment : HUGE_2M), 0);
    check_reached(block, alignment);
    shmem_free(block);
    return true;
}

/* Two aligned blocks, and small ones around them that use the gaps. */
static void check_gaps(size_t alignment)
{
    char *small[3];
    small[0] = shmem_malloc(100);
    char *first = shmem_align(alignment, 100);
    small[1] = shmem_malloc(100);
    char *second = shmem_align(alignment, 100);
    small[2] = shmem_malloc(100);
    CHECK(first && second && first != second && small[0] && small[1] && small[2]);
    CHECK_EQ((uintptr_t)first % alignment, 0);
    CHECK_EQ((uintptr_t)second % alignment, 0);
    CHECK((size_t)(second > first ? second - first : first - second) >= alignment);
    for (int i = 0; i < 3; i++) {
        shmem_free(small[i]);
        CHECK(shmem_calloc(1, 100) != NULL);
    }
    shmem_free(first);
    shmem_free(second);
}

/* 1 GiB, or a quarter of the largest block where there is less memory. */
static size_t least_alignment(void)
{
    for (size_t size = 4096 * MIB; size >= MIB; size /= 2) {
        void *block = shmem_malloc(size);
        shmem_free(block);
        if (block)
            return size / 4;
    }
    return 0;
}

int main(int argc, char **argv)
{
    size_t size = argc > 1 ? strtoull(argv[1], NULL, 0) * MIB : 0, alignment = 1;
    char text[32];
    snprintf(text, sizeof text, "%zu", size);
    if (size)
        setenv("SHMEM_SYMMETRIC_SIZE", text, 1);
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    previous = (me + npes - 1) % npes;
    while (alignment < (size_t)1 << 46 && check_alignment(alignment))
        alignment *= 2;
    if (size)
        CHECK(alignment > size / 2);
    else
        CHECK(alignment > least_alignment());
    check_gaps(alignment / 8);
    CHECK(shmem_align(3, 100) == NULL);
    CHECK(shmem_align(0, 100) == NULL);
    CHECK(shmem_align(HUGE_2M + 4096, 100) == NULL);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strides and blocks count elements: ibput with blocks of one is iput, and blocks may lie close.
 */
#include "check.h"

#include <stdbool.h>
#include <string.h>

enum { ELEMENTS = 60 };

static short source[ELEMENTS], by_block[ELEMENTS], by_element[ELEMENTS];

static void reset(int me)
{
    for (int i = 0; i < ELEMENTS; i++) {
        source[i] = (short)(me * 100 + i);
        by_block[i] = by_element[i] = -1;
    }
    shmem_barrier_all();
}

static void block_of_one_equals_element_stride(int me, int n)
{
    const int right = (me + 1) % n;
    for (ptrdiff_t dst = 1; dst <= 4; dst++) {
        for (ptrdiff_t sst = 1; sst <= 4; sst++) {
            reset(me);
            shmem_short_ibput(by_block, source, dst, sst, 1, 12, right);
            shmem_short_iput(by_element, source, dst, sst, 12, right);
            shmem_barrier_all();
            CHECK(memcmp(by_block, by_element, sizeof by_block) == 0);
            CHECK_EQ(by_block[11 * dst], (me + n - 1) % n * 100 + 11 * sst);
            reset(me);
            shmem_short_ibget(by_block, source, dst, sst, 1, 12, right);
            shmem_short_iget(by_element, source, dst, sst, 12, right);
            CHECK(memcmp(by_block, by_element, sizeof by_block) == 0);
            CHECK_EQ(by_block[11 * dst], right * 100 + 11 * sst);
            shmem_barrier_all();
        }
    }
}

/* A stride is from start to start of blocks, in elements, and at least the block's size. */
static void block_strides_count_elements_between_starts(int me, int n)
{
    for (size_t bsize = 1; bsize <= 5; bsize++) {
        for (ptrdiff_t more = 0; more < 3; more++) {
            const ptrdiff_t dst = (ptrdiff_t)bsize + more;
            const ptrdiff_t sst = (ptrdiff_t)bsize + 2 - more;
            const size_t blocks = 7;
            reset(me);
            shmem_short_ibput(by_block, source, dst, sst, bsize, blocks, (me + 1) % n);
            shmem_barrier_all();
            for (ptrdiff_t i = 0; i < (ptrdiff_t)blocks * dst; i++) {
                const bool inside = i % dst < (ptrdiff_t)bsize;
                const long expected = (me + n - 1) % n * 100 + i / dst * sst + i % dst;
                CHECK_EQ(by_block[i], inside ? expected : -1);
            }
            shmem_barrier_all();
        }
    }
}

/* Strides that have nothing to cross are not looked at. */
static void one_element_takes_any_stride(int me, int n)
{
    reset(me);
    shmem_short_iput(by_element, source + 3, 1000000, 1000000, 1, (me + 1) % n);
    shmem_barrier_all();
    CHECK_EQ(by_element[0], (me + n - 1) % n * 100 + 3);
    CHECK_EQ(by_element[1], -1);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    block_of_one_equals_element_stride(me, n);
    block_strides_count_elements_between_starts(me, n);
    one_element_takes_any_stride(me, n);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The system does not take locked pages back. Memory that was used before reads as zero all the
 * same where it must: from shmem_calloc, and in the heap of a second initialization.
 */
#include "check.h"

#include <string.h>
#include <sys/mman.h>

/* As large as what Sheaf gives back to the system, and more. */
#define SIZE ((size_t)48 << 20)

static void check_zero(const char *block)
{
    for (size_t at = 0; at < SIZE; at += 64)
        CHECK_EQ(block[at], 0);
    CHECK_EQ(block[SIZE - 1], 0);
}

/* Locked is a page in the middle: what lies before it may be gone when the system says no. */
static char *dirty_block(void)
{
    char *block = shmem_malloc(SIZE);
    CHECK(block != NULL);
    memset(block, 5, SIZE);
    if (mlock(block + SIZE / 2, 4096) != 0)
        TEST_SKIP("this process may not lock a page");
    return block;
}

int main(void)
{
    shmem_init();
    shmem_free(dirty_block());
    char *block = shmem_calloc(SIZE, 1);
    CHECK(block != NULL);
    check_zero(block);
    shmem_barrier_all();
    memset(block, 5, SIZE);
    shmem_finalize();

    shmem_init();
    block = shmem_calloc(SIZE, 1);
    CHECK(block != NULL);
    check_zero(block);
    shmem_free(block);
    return test_finish();
}

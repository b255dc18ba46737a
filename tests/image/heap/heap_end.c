/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The largest block there is ends before anything else begins: its bytes from the first to the
 * last are this PE's own, and nobody's static data is among them.
 */
#include "check.h"

#define MARKS   4096
#define TOUCHES 1024

static long marks[MARKS];

/* Large enough to be refused, then ever smaller. */
static char *largest_block(size_t *size)
{
    for (*size = (size_t)1 << 42; *size >= 4096; *size -= *size / 16) {
        char *block = shmem_malloc(*size);
        if (block)
            return block;
    }
    return NULL;
}

static void touch(char *block, size_t size)
{
    for (size_t i = 0; i < TOUCHES; i++)
        block[size / TOUCHES * i] = 1;
    block[size - 1] = 1;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    size_t size;
    for (int i = 0; i < MARKS; i++)
        marks[i] = me * 100000L + i;
    shmem_barrier_all();
    char *block = largest_block(&size);
    CHECK(block != NULL);
    touch(block, size);
    shmem_barrier_all();
    for (int i = 0; i < MARKS; i++)
        CHECK_EQ(marks[i], me * 100000L + i);
    shmem_free(block);
    shmem_barrier_all();
    if (me == 0)
        printf("heap_end: ok\n");
    return test_finish();
}

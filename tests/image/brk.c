/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The room between data and symmetric heap: brk grows there, as malloc makes it, without
 * reaching the heap. 1 GiB of it is asked for, little is touched.
 */
#include "check.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 20000
#define BLOCK  4000
#define ROOM   (INT64_C(1) << 30)

static char *blocks[BLOCKS];

int main(void)
{
    mallopt(M_MMAP_MAX, 0);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long *heap = shmem_malloc(1 << 20);
    CHECK(heap != NULL);
    heap[0] = heap[(1 << 17) - 1] = 55 + me;
    shmem_barrier_all();
    char *start = sbrk(0);
    for (int i = 0; i < BLOCKS; i++) {
        CHECK((blocks[i] = malloc(BLOCK)) != NULL);
        memset(blocks[i], i & 0x7f, BLOCK);
    }
    CHECK((char *)sbrk(0) - start >= (long)BLOCKS * BLOCK / 2);
    char *room = sbrk(ROOM);
    CHECK(room != (char *)-1);
    room[0] = room[ROOM / 2] = room[ROOM - 1] = 3;
    CHECK_EQ(shmem_addr_accessible(&room[ROOM - 1], (me + 1) % npes), 0);
    shmem_long_p(&heap[1], me, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(heap[0], 55 + me);
    CHECK_EQ(heap[1], (me + npes - 1) % npes);
    CHECK_EQ(shmem_long_g(&heap[(1 << 17) - 1], (me + 1) % npes), 55 + (me + 1) % npes);
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i][0] == (i & 0x7f) && blocks[i][BLOCK - 1] == (i & 0x7f));
    return test_finish();
}

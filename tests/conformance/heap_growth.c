/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heaps that grow while not all PEs are there yet: those that come later still need the memory of those that
 * wait in the allocation, which a network may open to others only by all PEs together. Then all of it is
 * written and read, from its first byte to its last.
 */
#include "check.h"

#include <time.h>

enum { ROUNDS = 4, GETS = 20 };

static long ready[GETS];

static void read_those_who_wait(int me)
{
    const struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    for (int i = 0; i < GETS; i++)
        CHECK_EQ(shmem_long_g(&ready[i], (me + 1) % shmem_n_pes()), i + 1);
}

static void write_and_read(long *block, size_t count, int me, int n)
{
    long *ends[] = {block, block + count / 2, block + count - 1};
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < 3; i++)
        shmem_long_p(ends[i], 1000 * me + i, next);
    shmem_barrier_all();
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(*ends[i], 1000 * before + i);
        CHECK_EQ(shmem_long_g(ends[i], next), 1000 * me + i);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    long *blocks[ROUNDS];
    size_t count = (size_t)1 << 18;
    for (int i = 0; i < GETS; i++)
        ready[i] = i + 1;
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS; round++, count *= 2) {
        if ((me + round) % 2)
            read_those_who_wait(me);
        blocks[round] = shmem_malloc(count * sizeof(long));
        CHECK(blocks[round] != NULL);
        write_and_read(blocks[round], count, me, n);
    }
    for (int round = 0; round < ROUNDS; round++)
        shmem_free(blocks[round]);
    return test_finish();
}

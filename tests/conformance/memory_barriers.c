/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which allocation routines are barriers, and which are not: size 0 and NULL call none, so one
 * PE alone may do it; malloc and its relatives end with a barrier, free begins with one. The
 * barriers complete what the default context has pending.
 */
#include "check.h"

#include <unistd.h>

enum { KINDS = 5, DELAY_US = 3000 };

static long arrived;
static long data[KINDS];

/* The others never call these: a barrier in here would hang. */
static void zero_size_is_null_and_no_barrier(int me)
{
    if (me == 0) {
        CHECK(shmem_malloc(0) == NULL);
        CHECK(shmem_align(64, 0) == NULL);
        CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_SIGNAL_REMOTE) == NULL);
        CHECK(shmem_malloc_with_hints(0, 0) == NULL);
        CHECK(shmem_calloc(0, 8) == NULL);
        CHECK(shmem_calloc(8, 0) == NULL);
        CHECK(shmem_calloc(0, 0) == NULL);
        CHECK(shmalloc(0) == NULL);
    }
    shmem_barrier_all();
}

static void free_of_null_does_nothing_at_all(int me)
{
    if (me == shmem_n_pes() - 1) {
        shmem_free(NULL);
        shfree(NULL);
    }
    shmem_barrier_all();
}

static void *allocate(int kind, size_t size)
{
    switch (kind) {
    case 0:
        return shmem_malloc(size);
    case 1:
        return shmem_align(256, size);
    case 2:
        return shmem_calloc(size, 1);
    case 3:
        return shmem_malloc_with_hints(size, SHMEM_MALLOC_ATOMICS_REMOTE);
    default:
        return shmem_realloc(NULL, size);
    }
}

/* Everybody has come when the first one leaves, and everybody's puts have arrived. */
static void allocation_ends_with_a_barrier(int me, int n)
{
    const int left = (me + n - 1) % n;
    for (int kind = 0; kind < KINDS; kind++) {
        if (me == kind % n)
            usleep(DELAY_US);
        shmem_long_atomic_inc(&arrived, 0);
        shmem_long_p(&data[kind], 10 * kind + me + 1, (me + 1) % n);
        void *block = allocate(kind, 100);
        CHECK(block != NULL);
        CHECK(shmem_long_atomic_fetch(&arrived, 0) >= (kind + 1) * n);
        CHECK_EQ(data[kind], 10 * kind + left + 1);
        shmem_free(block);
    }
    shmem_barrier_all();
}

/* A put into the block that is still under way when others free it must arrive before. */
static void free_begins_with_a_barrier(int me, int n)
{
    for (int round = 0; round < 20; round++) {
        long *block = shmem_calloc(4, sizeof *block);
        CHECK(block != NULL);
        arrived = 0;
        shmem_barrier_all();
        if (me == round % n)
            usleep(DELAY_US);
        shmem_long_p(block, round, (me + 1) % n);
        shmem_long_atomic_inc(&arrived, (me + 1) % n);
        shmem_free(block);
        CHECK_EQ(arrived, 1);
        shmem_barrier_all();
    }
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    zero_size_is_null_and_no_barrier(me);
    free_of_null_does_nothing_at_all(me);
    allocation_ends_with_a_barrier(me, n);
    free_begins_with_a_barrier(me, n);
    return test_finish();
}

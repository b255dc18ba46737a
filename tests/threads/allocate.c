/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One thread of each PE allocates and frees symmetric memory (collectively), while others
 * communicate, use malloc, and query; blocks are usable as soon as they are there.
 */
#include "threads.h"

#include <string.h>

#define ROUNDS 60

static long cells[MOST_PES][MOST_THREADS];
static int stop;

static void allocate(struct worker *worker)
{
    uint64_t shared = 42; /* the same sizes on every PE */
    int next = (worker->me + 1) % worker->npes, previous = (worker->me + worker->npes - 1) % worker->npes;
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = sizeof(long) * (1 + test_random_below(&shared, 20000));
        long *block = round % 2 ? shmem_malloc(size) : shmem_calloc(size, 1);
        CHECK(block != NULL);
        shmem_long_p(&block[size / sizeof(long) - 1], round + worker->me, next);
        shmem_barrier_all();
        CHECK_EQ(block[size / sizeof(long) - 1], round + previous);
        block = shmem_realloc(block, 2 * size);
        CHECK(block != NULL);
        CHECK_EQ(block[size / sizeof(long) - 1], round + previous);
        shmem_free(block);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
}

static void communicate(struct worker *worker)
{
    long round = 0;
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        int pe = (int)test_random_below(&worker->state, (uint64_t)worker->npes);
        long *cell = &cells[worker->me][worker->index];
        char *scratch = malloc(1 + test_random_below(&worker->state, 100000));
        CHECK(scratch != NULL);
        scratch[0] = 1;
        shmem_long_p(cell, ++round, pe);
        shmem_quiet();
        CHECK_EQ(shmem_long_g(cell, pe), round);
        CHECK_EQ(shmem_long_atomic_fetch_add(cell, 1, pe), round);
        CHECK_EQ(shmem_addr_accessible(cell, pe), 1);
        CHECK_EQ(shmem_addr_accessible(scratch, pe), 0);
        CHECK((shmem_ptr(cell, pe) != NULL) == test_is_near(pe));
        free(scratch);
        if (round % 64 == 0)
            usleep(1000);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    if (worker->index == 0)
        allocate(worker);
    else
        communicate(worker);
    return NULL;
}

int main(void)
{
    multiple_init();
    run_workers(4, work, NULL);
    shmem_barrier_all();
    return test_finish();
}

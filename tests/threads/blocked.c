/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call that blocks holds up its own thread alone: while one thread of each PE waits for a
 * variable, for a lock or in a barrier, another thread of the same PE does what ends the wait.
 */
#include "threads.h"

#define ROUNDS 30

static long variable, lock, held, entered;
static long cells[MOST_PES];

static void *wait_for_variable(void *argument)
{
    struct worker *worker = argument;
    long round = *(long *)worker->argument;
    if (worker->index == 0) {
        shmem_long_wait_until(&variable, SHMEM_CMP_EQ, round);
        return NULL;
    }
    /* The waiting thread's own PE ends its wait, after work with everybody else. */
    for (int pe = 0; pe < worker->npes; pe++) {
        shmem_long_p(&cells[worker->me], round, pe);
        shmem_quiet();
        CHECK_EQ(shmem_long_g(&cells[worker->me], pe), round);
    }
    shmem_long_atomic_set(&variable, round, worker->me);
    return NULL;
}

/* Thread 0 of every PE stands in the barrier; PE 0's enters it only when PE 0's other thread has
 * heard from the other thread of every PE. */
static void *wait_in_barrier(void *argument)
{
    struct worker *worker = argument;
    long round = *(long *)worker->argument;
    if (worker->index == 0 && worker->me == 0)
        shmem_long_wait_until(&entered, SHMEM_CMP_EQ, round * worker->npes);
    if (worker->index == 0)
        shmem_barrier_all();
    else
        shmem_long_atomic_inc(&entered, 0);
    return NULL;
}

/* Thread 0 of PE 0 holds the lock, thread 0 of the others waits for it; the other threads work. */
static void *wait_for_lock(void *argument)
{
    struct worker *worker = argument;
    long round = *(long *)worker->argument;
    if (worker->index == 0 && worker->me == 0) {
        shmem_set_lock(&lock);
        for (int pe = 1; pe < worker->npes; pe++)
            shmem_long_p(&held, round, pe);
        shmem_long_wait_until(&entered, SHMEM_CMP_EQ, round * worker->npes);
        shmem_clear_lock(&lock);
    } else if (worker->index == 0) {
        shmem_long_wait_until(&held, SHMEM_CMP_EQ, round);
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    } else {
        usleep(1000);
        shmem_long_atomic_inc(&entered, 0);
    }
    return NULL;
}

int main(void)
{
    multiple_init();
    for (long round = 1; round <= ROUNDS; round++) {
        run_workers(2, wait_for_variable, &round);
        shmem_barrier_all();
    }
    for (long round = 1; round <= ROUNDS; round++) {
        run_workers(2, wait_in_barrier, &round);
        shmem_barrier_all();
    }
    entered = 0;
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        run_workers(2, wait_for_lock, &round);
        shmem_barrier_all();
    }
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock among the threads of all PEs: never two inside, no increment lost; and first come,
 * first served: contenders that arrive one after the other get it in that order.
 */
#include "threads.h"

#define WORKERS  4
#define ROUNDS   200
#define ATTEMPTS 5
#define ARRIVE   60000 /* microseconds between two arrivals */

static long lock, counter, inside;

static void *increment(void *argument)
{
    struct worker *worker = argument;
    for (int round = 0; round < ROUNDS; round++) {
        if (test_random_below(&worker->state, 4) == 0)
            while (shmem_test_lock(&lock) != 0)
                usleep(1);
        else
            shmem_set_lock(&lock);
        CHECK_EQ(shmem_long_atomic_fetch_inc(&inside, 0), 0);
        shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
        shmem_quiet();
        CHECK_EQ(shmem_long_atomic_fetch_add(&inside, -1, 0), 1);
        shmem_clear_lock(&lock);
    }
    return NULL;
}

static long gate, arrived, order_count;
static long order[MOST_PES * 2];

/* Contender number n arrives when the gate has reached n. */
static void *contend(void *argument)
{
    struct worker *worker = argument;
    long number = worker->index * worker->npes + worker->me;
    shmem_long_wait_until(&gate, SHMEM_CMP_GT, number);
    shmem_long_atomic_inc(&arrived, 0);
    shmem_set_lock(&lock);
    long place = shmem_long_atomic_fetch_inc(&order_count, 0);
    shmem_long_p(&order[place], number, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
    return NULL;
}

/* Holds the lock until all contenders have arrived: each is called once the one before it is about to
 * join the queue, and a pause later. */
static void *open_gate(void *argument)
{
    long contenders = *(long *)argument;
    shmem_set_lock(&lock);
    for (long number = 1; number <= contenders; number++) {
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_atomic_set(&gate, number, pe);
        shmem_long_wait_until(&arrived, SHMEM_CMP_GE, number);
        usleep(ARRIVE);
    }
    shmem_clear_lock(&lock);
    return NULL;
}

/* Whether the contenders of one attempt, two threads per PE, came in the order of arrival. */
static int in_order(int me, int npes)
{
    static long verdict;
    long contenders = 2 * npes;
    pthread_t opener;
    gate = arrived = order_count = 0;
    shmem_barrier_all();
    if (me == 0)
        CHECK_EQ(pthread_create(&opener, NULL, open_gate, &contenders), 0);
    run_workers(2, contend, NULL);
    if (me == 0)
        CHECK_EQ(pthread_join(opener, NULL), 0);
    shmem_barrier_all();
    verdict = 1;
    for (long i = 0; i < contenders && me == 0; i++)
        verdict &= order[i] == i;
    shmem_barrier_all();
    int ordered = (int)shmem_long_g(&verdict, 0);
    shmem_barrier_all();
    return ordered;
}

int main(void)
{
    multiple_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    run_workers(WORKERS, increment, NULL);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, 0), (long)npes * WORKERS * ROUNDS);

    /* A contender that the scheduler held up for too long spoils one attempt, never most. */
    int ordered = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        ordered += in_order(me, npes);
    CHECK(ordered > ATTEMPTS / 2);
    return test_finish();
}

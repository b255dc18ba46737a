/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks: mutual exclusion, first come first served, test_lock that does not wait, clear_lock that
 * completes what was written under the lock, static and heap locks, many at once.
 */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

enum { TIMES = 60, LOCKS = 5, MAX_TESTS = 500000000, THREADS = 2 };
enum { ARRIVE_US = 20000, QUEUE = 5, ROUNDS = 6 };

static long lock, order_lock, locks[LOCKS];
static long counter, counters[LOCKS];
static long served, turn;

static void critical_sections_exclude_each_other(long *one_lock, int n)
{
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        shmem_set_lock(one_lock);
        const long seen = shmem_long_g(&counter, 0);
        shmem_long_p(&counter, seen + 1, 0);
        shmem_clear_lock(one_lock);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, 0), (long)TIMES * n);
    shmem_barrier_all();
}

static void test_lock_tells_zero_taken_or_one_busy(int me, int n)
{
    shmem_barrier_all();
    if (me == 0)
        CHECK_EQ(shmem_test_lock(&lock), 0);
    shmem_barrier_all();
    if (me != 0)
        CHECK_EQ(shmem_test_lock(&lock), 1);
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    counter = 0;
    shmem_barrier_all();
    for (long tests = 0; tests < MAX_TESTS; tests++) {
        if (shmem_test_lock(&lock) == 0) {
            const long seen = shmem_long_g(&counter, 0);
            shmem_long_p(&counter, seen + 1, 0);
            shmem_clear_lock(&lock);
            break;
        }
        if (tests % 100 == 99)
            usleep(10);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, 0), n);
    shmem_barrier_all();
}

/* The first holds the lock while the others ask for it, each well after the one before. Returns
 * whether they were served in that order. */
static long serve_in_order(int place, int next, int size)
{
    if (place == 0)
        shmem_set_lock(&order_lock);
    else
        shmem_long_wait_until(&turn, SHMEM_CMP_EQ, 1);
    usleep(ARRIVE_US);
    shmem_long_atomic_set(&turn, 1, next);
    if (place == 0) {
        shmem_long_wait_until(&turn, SHMEM_CMP_EQ, 1);
        usleep(ARRIVE_US);
    } else {
        shmem_set_lock(&order_lock);
    }
    const long in_order = shmem_long_g(&served, 0) == place;
    shmem_long_p(&served, place + 1, 0);
    shmem_clear_lock(&order_lock);
    return in_order || size == 1;
}

/* A PE that the system stops between its turn and its request loses its place: so not all
 * rounds need to be in order. */
static void lock_is_first_come_first_served(int me, int n)
{
    const int size = n < QUEUE ? n : QUEUE;
    static long in_order, all_in_order;
    long good = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const int place = (me + round) % n;
        served = turn = 0;
        in_order = 1;
        shmem_barrier_all();
        const int next = (me + (place + 1 < size ? 1 : n - size + 1)) % n;
        if (place < size)
            in_order = serve_in_order(place, next, size);
        CHECK_EQ(shmem_long_min_reduce(SHMEM_TEAM_WORLD, &all_in_order, &in_order, 1), 0);
        good += all_in_order;
        shmem_barrier_all();
    }
    CHECK(good >= ROUNDS - 2);
}

/* Written before clear_lock, without quiet, at a third PE: the next holder reads it there. */
static void clear_lock_quiets_the_default_context(int n)
{
    const int target = n - 1;
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        shmem_set_lock(&lock);
        static long next;
        next = shmem_long_g(&counter, target) + 1;
        shmem_long_put_nbi(&counter, &next, 1, target);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == target)
        CHECK_EQ(counter, (long)TIMES * n);
    shmem_barrier_all();
}

static void locks_are_independent_and_nest(int me, int n)
{
    for (int i = 0; i < LOCKS; i++)
        counters[i] = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        const int outer = (me + i) % (LOCKS - 1);
        shmem_set_lock(&locks[outer]);
        shmem_set_lock(&locks[LOCKS - 1]);
        shmem_long_p(&counters[outer], shmem_long_g(&counters[outer], 0) + 1, 0);
        shmem_clear_lock(&locks[LOCKS - 1]);
        shmem_clear_lock(&locks[outer]);
    }
    shmem_barrier_all();
    long total = 0;
    for (int i = 0; i < LOCKS - 1; i++)
        total += shmem_long_g(&counters[i], 0);
    CHECK_EQ(total, (long)TIMES * n);
    shmem_barrier_all();
}

/* One lock at a time per thread, all threads of all PEs on one lock. */
static void *increment(void *unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    return NULL;
}

static void threads_exclude_each_other_too(int n)
{
    pthread_t threads[THREADS];
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, increment, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, 0), (long)THREADS * TIMES * n);
    shmem_barrier_all();
}

int main(void)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    long *heap_lock = shmem_calloc(1, sizeof *heap_lock);
    CHECK(heap_lock != NULL);
    critical_sections_exclude_each_other(&lock, n);
    critical_sections_exclude_each_other(heap_lock, n);
    test_lock_tells_zero_taken_or_one_busy(me, n);
    lock_is_first_come_first_served(me, n);
    clear_lock_quiets_the_default_context(n);
    locks_are_independent_and_nest(me, n);
    if (provided == SHMEM_THREAD_MULTIPLE)
        threads_exclude_each_other_too(n);
    shmem_free(heap_lock);
    return test_finish();
}

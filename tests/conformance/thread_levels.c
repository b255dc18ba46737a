/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Thread levels: four constants in increasing order, the level reported from any thread, a
 * blocked call that blocks one thread only, and finalize by the thread that initialized.
 */
#include "check.h"

#include <pthread.h>

static long gate;
static long passed;
static long reply;

_Static_assert(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED, "the levels increase");
_Static_assert(SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED, "the levels increase");
_Static_assert(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE, "the levels increase");

static void check_level(int level)
{
    CHECK(level == SHMEM_THREAD_SINGLE || level == SHMEM_THREAD_FUNNELED
          || level == SHMEM_THREAD_SERIALIZED || level == SHMEM_THREAD_MULTIPLE);
}

static void provided_is_one_of_the_four(void)
{
    for (int level = SHMEM_THREAD_SINGLE; level <= SHMEM_THREAD_MULTIPLE; level++) {
        int provided = -1;
        int reported = -1;
        CHECK_EQ(shmem_init_thread(level, &provided), 0);
        check_level(provided);
        CHECK(provided >= level);
        shmem_query_thread(&reported);
        CHECK_EQ(reported, provided);
        shmem_finalize();
    }
}

static void init_reports_its_level(void)
{
    int provided = -1;
    shmem_init();
    shmem_query_thread(&provided);
    check_level(provided);
    shmem_finalize();
}

static void *query(void *expected)
{
    int provided = -1;
    shmem_query_thread(&provided);
    CHECK_EQ(provided, *(int *)expected);
    return NULL;
}

static void query_thread_from_any_thread(int provided)
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, query, &provided), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void *wait_at_gate(void *unused)
{
    (void)unused;
    shmem_long_wait_until(&gate, SHMEM_CMP_EQ, 1);
    shmem_long_atomic_inc(&passed, 0);
    shmem_quiet();
    return NULL;
}

/* While one thread waits, the main thread communicates, and in the end opens the gate. */
static void blocked_call_blocks_one_thread(void)
{
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, wait_at_gate, NULL), 0);
    for (int i = 0; i < 100; i++) {
        shmem_long_atomic_set(&reply, i + 1, (me + 1) % n);
        shmem_long_wait_until(&reply, SHMEM_CMP_GE, i + 1);
        shmem_barrier_all();
    }
    CHECK_EQ(shmem_long_atomic_fetch(&passed, 0), 0);
    shmem_barrier_all();
    shmem_long_atomic_set(&gate, 1, (me + 1) % n);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_atomic_fetch(&passed, 0), n);
}

static void *increment(void *times)
{
    for (int i = 0; i < *(int *)times; i++)
        shmem_long_atomic_inc(&reply, 0);
    shmem_quiet();
    return NULL;
}

static void any_thread_communicates(void)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int times = 200;
    shmem_barrier_all();
    reply = 0;
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, increment, &times), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_atomic_fetch(&reply, 0), (long)THREADS * times * shmem_n_pes());
}

int main(void)
{
    int provided;
    provided_is_one_of_the_four();
    init_reports_its_level();
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
    query_thread_from_any_thread(provided);
    blocked_call_blocks_one_thread();
    any_thread_communicates();
    shmem_finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of a PE.
 */
#include "cases.h"

#include <pthread.h>
#include <stdatomic.h>

static long data[8], flag;
static _Atomic int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void with_thread(void *(*routine)(void *), void *argument, void (*meanwhile)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, routine, argument) != 0)
        exit(3);
    if (meanwhile)
        meanwhile(argument);
    pthread_join(thread, NULL);
}

static void *store_it(void *argument)
{
    *(long *)argument = 1; /* race of threads_share_a_variable, threads_share_a_block */
    return NULL;
}
static void load_it(void *argument)
{
    USE(*(long *)argument); /* race of threads_share_a_variable, threads_share_a_block */
}

CASE(threads_share_a_variable)
{
    with_thread(store_it, data, load_it);
}

CASE(threads_share_a_block)
{
    long *block = calloc(4, sizeof *block);
    with_thread(store_it, block, load_it);
    free(block);
}

static void *store_locked(void *argument)
{
    pthread_mutex_lock(&mutex);
    *(long *)argument += 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void also_store_locked(void *argument)
{
    store_locked(argument);
}

CASE(threads_with_a_mutex)
{
    with_thread(store_locked, data, also_store_locked);
    USE(data[0]);
}

static void *hand_over(void *argument)
{
    *(long *)argument = 3;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}
static void take_over(void *argument)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    USE(*(long *)argument);
}

CASE(threads_with_an_atomic_flag)
{
    long *block = calloc(4, sizeof *block);
    with_thread(hand_over, block, take_over);
    free(block);
}

static void *put_it(void *argument)
{
    (void)argument;
    shmem_long_p(&data[1], 1, 1 - me);
    shmem_quiet();
    return NULL;
}

CASE(thread_puts_and_is_joined)
{
    with_thread(put_it, NULL, NULL);
    shmem_barrier_all();
    USE(data[1]);
}

static void *wait_for_it(void *argument)
{
    (void)argument;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return NULL;
}

CASE(thread_waits_for_the_other_pe)
{
    if (me == 0) {
        shmem_long_p(&data[1], 1, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        with_thread(wait_for_it, NULL, NULL);
        USE(data[1]);
    }
}

static void *read_early(void *argument)
{
    (void)argument;
    USE(data[1]);
    return NULL;
}

CASE(blocks_go_from_thread_to_thread)
{
    for (int i = 0; i < 4; i++) {
        long *block = malloc(sizeof *block);
        with_thread(store_locked, block, NULL);
        free(block);
    }
    with_thread(read_early, NULL, NULL);
}

static void put_and_flag(void (*ordered)(void))
{
    if (me == 0) {
        shmem_long_p(&data[1], 1, 1); /* race of fence_of_another_thread, quiet_of_another_thread */
        ordered();
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[1]); /* race of fence_of_another_thread, quiet_of_another_thread */
    }
}

/* What orders nothing: the two meet by a word that neither acquires. */
static _Atomic int steps;
static void until(int wanted)
{
    while (atomic_load_explicit(&steps, memory_order_relaxed) != wanted)
        ;
}
static void next_step(void)
{
    atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
}

static void *order_unordered(void *is_quiet)
{
    until(1);
    is_quiet ? shmem_quiet() : shmem_fence();
    next_step();
    return NULL;
}
static void let_other_order(void)
{
    next_step();
    until(2);
}
static void beside_fence(void *unused)
{
    (void)unused;
    put_and_flag(let_other_order);
}

CASE(fence_of_another_thread)
{
    if (me == 0)
        with_thread(order_unordered, NULL, beside_fence);
    else
        put_and_flag(NULL);
}

CASE(quiet_of_another_thread)
{
    if (me == 0)
        with_thread(order_unordered, data, beside_fence);
    else
        put_and_flag(NULL);
}

static void *fence_now(void *unused)
{
    shmem_fence();
    return unused;
}
static void *quiet_now(void *unused)
{
    shmem_quiet();
    return unused;
}
static void fence_by_thread(void)
{
    with_thread(fence_now, NULL, NULL);
}
static void quiet_by_thread(void)
{
    with_thread(quiet_now, NULL, NULL);
}

CASE(fence_of_a_thread_between)
{
    put_and_flag(fence_by_thread);
}

CASE(quiet_of_a_thread_between)
{
    put_and_flag(quiet_by_thread);
}

CASES(RUN(fence_of_another_thread), RUN(quiet_of_another_thread), RUN(fence_of_a_thread_between),
      RUN(quiet_of_a_thread_between), RUN(threads_share_a_variable), RUN(threads_share_a_block),
      RUN(threads_with_a_mutex), RUN(threads_with_an_atomic_flag), RUN(thread_puts_and_is_joined),
      RUN(thread_waits_for_the_other_pe), RUN(blocks_go_from_thread_to_thread))

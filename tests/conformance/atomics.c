/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics: one object through contexts of the world and of other teams, by wait and test too, and
 * routines that the specification's introduction suggests but nowhere defines.
 */
#include "check.h"

#include <pthread.h>
#include <sched.h>

enum { TIMES = 200, MAX_POLLS = 1000000000 };

static long counter;
static float real;
static long turn;

static void contexts_of_world_teams_share_a_domain(int n)
{
    shmem_team_t team;
    shmem_ctx_t contexts[2];
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_create_ctx(team, 0, &contexts[0]), 0);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &contexts[1]), 0);
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        shmem_ctx_long_atomic_inc(contexts[0], &counter, 0);
        shmem_ctx_long_atomic_add(contexts[1], &counter, 2, 0);
        shmem_long_atomic_fetch_add(&counter, 3, 0);
    }
    shmem_ctx_destroy(contexts[0]);
    shmem_ctx_destroy(contexts[1]);
    shmem_team_destroy(team);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_atomic_fetch(&counter, 0), 6L * TIMES * n);
    shmem_barrier_all();
}

static void contexts_of_shared_are_atomic_among_themselves(void)
{
    shmem_ctx_t ctx;
    const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK_EQ(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &ctx), 0);
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++)
        shmem_ctx_long_atomic_inc(ctx, &counter, 0);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK_EQ(shmem_ctx_long_atomic_fetch(ctx, &counter, 0), (long)TIMES * size);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

/* PEs take turns that only atomics pass on. */
static void waits_and_tests_see_atomics(int me, int n)
{
    turn = me == 0 ? 1 : 0;
    shmem_barrier_all();
    for (long round = 1; round <= 50; round++) {
        if (round % 2) {
            shmem_long_wait_until(&turn, SHMEM_CMP_GE, round);
        } else {
            for (long polls = 0; polls < MAX_POLLS; polls++) {
                if (shmem_long_test(&turn, SHMEM_CMP_GE, round))
                    break;
                sched_yield();
            }
        }
        CHECK_EQ(turn, round);
        shmem_long_atomic_inc(&turn, (me + 1) % n);
    }
    shmem_barrier_all();
}

static void *wake(void *unused)
{
    (void)unused;
    shmem_long_atomic_set(&turn, -5, shmem_my_pe());
    return NULL;
}

static void wait_ends_by_another_local_threads_atomic(void)
{
    pthread_t thread;
    turn = 0;
    shmem_barrier_all();
    CHECK_EQ(pthread_create(&thread, NULL, wake, NULL), 0);
    shmem_long_wait_until(&turn, SHMEM_CMP_LT, 0);
    CHECK_EQ(turn, -5);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    shmem_barrier_all();
}

static void reals_have_fetch_set_and_swap(int me, int n)
{
    const int right = (me + 1) % n;
    real = 0.25f;
    shmem_barrier_all();
    CHECK(shmem_float_atomic_fetch(&real, right) == 0.25f);
    CHECK(shmem_float_atomic_swap(&real, -0.0f, right) == 0.25f);
    shmem_float_atomic_set(&real, 1e-40f, right);
    shmem_quiet();
    CHECK(shmem_float_atomic_fetch(&real, right) == 1e-40f);
    shmem_barrier_all();
}

/* (fetch, dest, condition, value): swapped arguments would leave another value. */
static void compare_swap_nbi_takes_the_fetch_pointer_first(int me, int n)
{
    long fetched = -1;
    const int right = (me + 1) % n;
    counter = 10;
    shmem_barrier_all();
    shmem_long_atomic_compare_swap_nbi(&fetched, &counter, 10, 20, right);
    shmem_quiet();
    CHECK_EQ(fetched, 10);
    CHECK_EQ(shmem_long_atomic_fetch(&counter, right), 20);
    shmem_long_atomic_compare_swap_nbi(&fetched, &counter, 10, 30, right);
    shmem_quiet();
    CHECK_EQ(fetched, 20);
    CHECK_EQ(shmem_long_atomic_fetch(&counter, right), 20);
    shmem_barrier_all();
}

/* No routine of the specification; here they do not exist, under any type. */
void shmem_int_atomic_set_nbi(void) __attribute__((weak));
void shmem_long_atomic_inc_nbi(void) __attribute__((weak));
void shmem_long_atomic_add_nbi(void) __attribute__((weak));
void shmem_ulong_atomic_or_nbi(void) __attribute__((weak));

static void non_fetching_atomics_have_no_nbi_form(void)
{
    void (*volatile routines[])(void) = {shmem_int_atomic_set_nbi, shmem_long_atomic_inc_nbi,
                                         shmem_long_atomic_add_nbi, shmem_ulong_atomic_or_nbi};
    for (int i = 0; i < 4; i++)
        CHECK(routines[i] == NULL);
}

int main(void)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    contexts_of_world_teams_share_a_domain(n);
    contexts_of_shared_are_atomic_among_themselves();
    waits_and_tests_see_atomics(me, n);
    if (provided == SHMEM_THREAD_MULTIPLE)
        wait_ends_by_another_local_threads_atomic();
    reals_have_fetch_set_and_swap(me, n);
    compare_swap_nbi_takes_the_fetch_pointer_first(me, n);
    non_fetching_atomics_have_no_nbi_form();
    return test_finish();
}

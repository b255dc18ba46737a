/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: creation that fails, destruction, which team, numbers relative to it, threads with
 * private contexts, sessions that change nothing.
 */
#include "check.h"

#include <pthread.h>

enum { ELEMENTS = 512, THREADS = 3 };

static long data[ELEMENTS], source[ELEMENTS], fetched[ELEMENTS];
static uint64_t signal_object;
static long counter;

static void create_on_invalid_team_fails_quietly(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
    CHECK(ctx == SHMEM_CTX_INVALID);
}

static void create_is_not_collective(int me)
{
    if (me == 0) {
        shmem_ctx_t ctx;
        CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
        shmem_ctx_destroy(ctx);
        CHECK_EQ(shmem_team_create_ctx(SHMEM_TEAM_SHARED, SHMEM_CTX_PRIVATE, &ctx), 0);
        shmem_ctx_destroy(ctx);
    }
    shmem_barrier_all();
}

static void every_option_combination_is_accepted(int me, int n)
{
    const long bits[] = {SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE};
    for (int i = 0; i < 8; i++) {
        shmem_ctx_t ctx;
        const long options = (i & 1 ? bits[0] : 0) | (i & 2 ? bits[1] : 0) | (i & 4 ? bits[2] : 0);
        CHECK_EQ(shmem_ctx_create(options, &ctx), 0);
        shmem_ctx_long_p(ctx, &data[i], 10 * me + i, (me + 1) % n);
        shmem_ctx_quiet(ctx);
        CHECK_EQ(shmem_ctx_long_g(ctx, &data[i], (me + 1) % n), 10 * me + i);
        shmem_ctx_destroy(ctx);
    }
    shmem_barrier_all();
}

static void destroy_quiets_first(int me, int n)
{
    const int left = (me + n - 1) % n;
    for (int round = 0; round < 30; round++) {
        shmem_ctx_t ctx;
        for (int i = 0; i < ELEMENTS; i++)
            source[i] = round * 1000 + me * ELEMENTS + i;
        CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
        shmem_ctx_long_put_nbi(ctx, data, source, ELEMENTS, (me + 1) % n);
        shmem_ctx_destroy(ctx);
        shmem_sync_all();
        for (int i = 0; i < ELEMENTS; i++)
            CHECK_EQ(data[i], round * 1000 + left * ELEMENTS + i);
        shmem_sync_all();
    }
}

static void invalid_context_is_a_no_op(void)
{
    const int target = 0;
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, &target, 1);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
}

static void get_team_tells_invalid_world_or_the_team(int n)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK_EQ(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
    CHECK(team == SHMEM_TEAM_WORLD);
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
    CHECK(team == SHMEM_TEAM_WORLD);
    shmem_ctx_destroy(ctx);
    shmem_team_t mine;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &mine), 0);
    CHECK_EQ(shmem_team_create_ctx(mine, 0, &ctx), 0);
    CHECK_EQ(shmem_ctx_get_team(ctx, &team), 0);
    CHECK(team == mine);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(mine);
}

/* On a team that counts backwards each kind of operation goes to the mirrored PE. */
static void pe_numbers_are_team_relative(int me, int n)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx), 0);
    counter = 0;
    signal_object = 0;
    data[0] = data[1] = data[2] = -1;
    source[0] = me;
    shmem_barrier_all();
    const int target = me; /* world PE n - 1 - me */
    shmem_ctx_long_put(ctx, &data[0], &source[0], 1, target);
    shmem_ctx_long_p(ctx, &data[1], me, target);
    shmem_ctx_long_atomic_add(ctx, &counter, 100 + me, target);
    shmem_ctx_long_put_signal(ctx, &data[2], &source[0], 1, &signal_object, 1, SHMEM_SIGNAL_ADD,
                              target);
    shmem_ctx_signal_add(ctx, &signal_object, 10, target);
    shmem_ctx_pe_quiet(ctx, &target, 1);
    shmem_signal_wait_until(&signal_object, SHMEM_CMP_GE, 11);
    shmem_barrier_all();
    const int mirror = n - 1 - me;
    for (int i = 0; i < 3; i++)
        CHECK_EQ(data[i], mirror);
    CHECK_EQ(counter, 100 + mirror);
    CHECK_EQ(signal_object, 11);
    CHECK_EQ(shmem_ctx_long_g(ctx, &source[0], target), mirror);
    CHECK_EQ(shmem_ctx_long_atomic_fetch(ctx, &counter, target), 100 + me);
    shmem_barrier_all();
    shmem_ctx_signal_set(ctx, &signal_object, 77, target);
    CHECK_EQ(shmem_signal_wait_until(&signal_object, SHMEM_CMP_EQ, 77), 77);
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
}

static void *use_private_context(void *argument)
{
    const long number = (long)(intptr_t)argument;
    const int me = shmem_my_pe();
    const int right = (me + 1) % shmem_n_pes();
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
    for (long i = 0; i < 50; i++) {
        shmem_ctx_long_p(ctx, &data[number], i, right);
        shmem_ctx_quiet(ctx);
        CHECK_EQ(shmem_ctx_long_g(ctx, &data[number], right), i);
        shmem_ctx_long_atomic_inc(ctx, &counter, 0);
    }
    shmem_ctx_destroy(ctx);
    return NULL;
}

static void private_contexts_belong_to_the_creating_thread(int me, int n)
{
    pthread_t threads[THREADS];
    counter = 0;
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, use_private_context, (void *)(intptr_t)i), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    shmem_barrier_all();
    if (me == 0)
        CHECK_EQ(counter, 50L * THREADS * n);
    shmem_barrier_all();
}

static void exchange(shmem_ctx_t ctx, int me, int n, long base)
{
    for (int i = 0; i < ELEMENTS; i++) {
        source[i] = base + me * ELEMENTS + i;
        fetched[i] = -1;
    }
    shmem_barrier_all();
    for (int i = 0; i < ELEMENTS; i++)
        shmem_ctx_long_put_nbi(ctx, &data[i], &source[i], 1, (me + 1) % n);
    shmem_ctx_long_get_nbi(ctx, fetched, source, ELEMENTS, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    for (int i = 0; i < ELEMENTS; i++) {
        CHECK_EQ(data[i], base + (me + n - 1) % n * ELEMENTS + i);
        CHECK_EQ(fetched[i], base + (me + 1) % n * ELEMENTS + i);
    }
    shmem_barrier_all();
}

static void sessions_change_no_result(int me, int n)
{
    const shmem_ctx_session_config_t config = {.total_ops = 3};
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_start(ctx, 0, NULL, 0);
    exchange(ctx, me, n, 1);
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    exchange(ctx, me, n, 2);
    shmem_ctx_session_start(ctx, 0, &config, 0);
    exchange(ctx, me, n, 3);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_stop(ctx);
    exchange(ctx, me, n, 4);
    shmem_ctx_session_start(ctx, -1L, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    exchange(ctx, me, n, 5);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    exchange(SHMEM_CTX_DEFAULT, me, n, 6);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_ctx_destroy(ctx);
}

int main(void)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    create_on_invalid_team_fails_quietly();
    create_is_not_collective(me);
    every_option_combination_is_accepted(me, n);
    destroy_quiets_first(me, n);
    invalid_context_is_a_no_op();
    get_team_tells_invalid_world_or_the_team(n);
    pe_numbers_are_team_relative(me, n);
    private_contexts_belong_to_the_creating_thread(me, n);
    sessions_change_no_result(me, n);
    return test_finish();
}

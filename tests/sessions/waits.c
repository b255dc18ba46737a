/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that never complete what they batch, but wait for what it brings about: flags, tests, signals,
 * locks; PEs that compute; and the calls that complete a batch without being told of it.
 */
#include "check.h"

#include <shmemx.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 200, WORDS = 64 };

static long flag, data[WORDS], counter, last_word;
static uint64_t signal_object;
static long lock;
static int me, npes, right, left;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void reset(void)
{
    shmem_barrier_all();
    flag = counter = 0;
    signal_object = 0;
    memset(data, 0, sizeof data);
    shmem_barrier_all();
}

/* Data, then a flag behind a fence, round the ring; nobody calls quiet. */
static void data_comes_before_its_flag(shmem_ctx_t ctx)
{
    reset();
    for (long round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < WORDS; i++)
            shmem_ctx_long_p(ctx, &data[i], round * 1000 + i, right);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, &flag, round, right);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        if (flag == round) /* the left neighbour may be a round ahead */
            for (int i = 0; i < WORDS; i++)
                CHECK(data[i] >= round * 1000 + i);
        shmem_sync_all();
    }
}

static void a_loop_of_tests_ends(shmem_ctx_t ctx)
{
    reset();
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_ctx_long_atomic_inc(ctx, &flag, right);
        while (!shmem_long_test(&flag, SHMEM_CMP_GE, round))
            continue;
    }
}

static void a_signal_arrives_after_its_data(shmem_ctx_t ctx)
{
    reset();
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_ctx_fence(ctx); /* behind the last round's */
        shmem_ctx_long_put_signal(ctx, data, &round, 1, &signal_object, (uint64_t)round,
                                  SHMEM_SIGNAL_SET, right);
        shmem_signal_wait_until(&signal_object, SHMEM_CMP_GE, (uint64_t)round);
        CHECK(data[0] >= round);
        shmem_ctx_signal_add(ctx, &signal_object, 0, right);
    }
}

/* Under a lock, with what is put under it in a batch of the default context. */
static void a_lock_orders_what_is_put_under_it(void)
{
    reset();
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    for (int i = 0; i < 20; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, 0), 20L * npes);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
}

/* PE 0 makes no further call; another one's answer comes to its memory all the same. */
static void a_computing_pe_sends(shmem_ctx_t ctx)
{
    const char *progress = getenv("SHEAF_PROGRESS");
    if (progress && strcmp(progress, "off") == 0)
        return;
    reset();
    for (long round = 1; round <= 10; round++) {
        if (me == 0) {
            const double begin = now();
            shmem_ctx_long_p(ctx, &flag, round, npes - 1);
            if (npes > 1)
                while (__atomic_load_n(&data[0], __ATOMIC_ACQUIRE) < round)
                    if (now() - begin > 20)
                        test_fail(__FILE__, __LINE__, "what a computing PE batched was never sent");
        } else if (me == npes - 1) {
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
            shmem_long_p(&data[0], round, 0);
        }
    }
    shmem_ctx_quiet(ctx);
}

/* And then nobody adds more before all have looked. */
static void check_arrived(const char *how, long expected)
{
    if (counter != expected) {
        printf("PE %d: after %s: %ld of %ld additions\n", me, how, counter, expected);
        test_end(TEST_STATUS_FAILED);
    }
    shmem_sync_all();
}

static void add_three(shmem_ctx_t ctx)
{
    for (int i = 0; i < 3; i++)
        shmem_ctx_long_atomic_inc(ctx, &counter, right);
}

static void every_completion_completes(void)
{
    shmem_ctx_t ctx;
    long expected = 0;
    reset();
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    add_three(SHMEM_CTX_DEFAULT);
    shmem_barrier_all();
    check_arrived("barrier_all", expected += 3);
    add_three(SHMEM_CTX_DEFAULT);
    shmem_quiet();
    shmem_sync_all();
    check_arrived("quiet", expected += 3);
    add_three(SHMEM_CTX_DEFAULT);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_quiet();
    shmem_sync_all();
    check_arrived("session_stop and quiet", expected += 3);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    add_three(SHMEM_CTX_DEFAULT);
    shmem_pe_quiet(&right, 1);
    shmem_sync_all();
    check_arrived("pe_quiet", expected += 3);
    add_three(SHMEM_CTX_DEFAULT);
    void *block = shmem_malloc(100);
    check_arrived("shmem_malloc", expected += 3);
    add_three(SHMEM_CTX_DEFAULT);
    shmem_free(block);
    shmem_sync_all();
    check_arrived("shmem_free", expected += 3);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    CHECK_EQ(shmem_ctx_create(SHMEMX_CTX_BATCH, &ctx), 0);
    shmem_ctx_session_stop(ctx);
    add_three(ctx);
    shmem_ctx_destroy(ctx);
    shmem_sync_all();
    check_arrived("ctx_destroy", expected += 3);
}

/* More contexts than the engine has connections for. */
static void many_contexts(void)
{
    enum { CONTEXTS = 24 };
    shmem_ctx_t contexts[CONTEXTS];
    long got[CONTEXTS];
    reset();
    for (int i = 0; i < CONTEXTS; i++) {
        CHECK_EQ(shmem_ctx_create(i % 2 ? SHMEMX_CTX_BATCH : SHMEM_CTX_PRIVATE, &contexts[i]), 0);
        shmem_ctx_session_start(contexts[i], SHMEM_CTX_SESSION_BATCH, NULL, 0);
    }
    data[0] = me;
    shmem_barrier_all();
    for (int i = 0; i < CONTEXTS; i++) {
        shmem_ctx_long_atomic_add(contexts[i], &counter, 1 + i, right);
        shmem_ctx_long_get_nbi(contexts[i], &got[i], &data[0], 1, right);
    }
    for (int i = 0; i < CONTEXTS; i++)
        shmem_ctx_quiet(contexts[i]);
    for (int i = 0; i < CONTEXTS; i++) {
        CHECK_EQ(got[i], right);
        shmem_ctx_destroy(contexts[i]);
    }
    shmem_sync_all();
    CHECK_EQ(counter, CONTEXTS * (CONTEXTS + 1) / 2);
    shmem_sync_all();
}

static void all_waits(shmem_ctx_t ctx)
{
    data_comes_before_its_flag(ctx);
    a_loop_of_tests_ends(ctx);
    a_signal_arrives_after_its_data(ctx);
    a_computing_pe_sends(ctx);
}

static void once(void)
{
    shmem_ctx_t ctx;
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    all_waits(SHMEM_CTX_DEFAULT);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEMX_CTX_BATCH, &ctx), 0);
    all_waits(ctx);
    shmem_ctx_destroy(ctx);
    a_lock_orders_what_is_put_under_it();
    every_completion_completes();
    many_contexts();
}

/* Twice, the second time after a session that nobody stopped; finalize completes what is in it. */
int main(void)
{
    for (int level = 0; level < 2; level++) {
        int provided;
        CHECK_EQ(shmem_init_thread(level ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_SINGLE, &provided), 0);
        me = shmem_my_pe(), npes = shmem_n_pes();
        right = (me + 1) % npes, left = (me + npes - 1) % npes;
        once();
        last_word = -1;
        shmem_barrier_all();
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        shmem_long_p(&last_word, me, right);
        shmem_finalize();
        CHECK_EQ(last_word, left);
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions under SHMEM_THREAD_MULTIPLE: threads with a private context each and all on shared ones,
 * while one starts and stops sessions, one waits, and one computes. No addition may be lost or done
 * twice, each thread's own operations stay in order, and nobody hangs.
 */
#include "check.h"

#include <shmemx.h>

#include <pthread.h>

enum { THREADS = 4, WORDS = 128, ROUNDS = 30, STEPS = 300, FLAGS = 16 };

static uint64_t sums[WORDS];          /* added to by everybody */
static uint64_t own[64][THREADS][3];  /* of one PE's thread, by context */
static uint64_t flags[FLAGS];
static uint64_t added[THREADS][WORDS]; /* by this PE, on all */
static shmem_ctx_t shared;
static int me, npes;

static void add_somewhere(shmem_ctx_t ctx, int thread, uint64_t *state)
{
    size_t word = test_random_below(state, WORDS);
    uint64_t value = test_random_below(state, 3);
    shmem_ctx_uint64_atomic_add(ctx, &sums[word], value, (int)test_random_below(state, (uint64_t)npes));
    added[thread][word] += value;
}

/* A word that only this thread writes, on this context: what it reads back is what it wrote last. */
static void write_in_order(shmem_ctx_t ctx, uint64_t *word, uint64_t value, int pe)
{
    uint64_t got = 0;
    shmem_ctx_uint64_p(ctx, word, value - 1, pe);
    shmem_ctx_fence(ctx);
    shmem_ctx_uint64_put(ctx, word, &value, 1, pe);
    if (value % 3 == 0) {
        shmem_ctx_quiet(ctx);
        shmem_ctx_uint64_get_nbi(ctx, &got, word, 1, pe);
        shmem_ctx_quiet(ctx);
        CHECK_EQ(got, value);
    }
}

static void toggle(shmem_ctx_t ctx, uint64_t round)
{
    const shmem_ctx_session_config_t config = {.total_ops = (size_t)round % 3 * 50};
    if (round % 4 == 3)
        shmem_ctx_session_stop(ctx);
    else
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
}

static void *work(void *argument)
{
    const int thread = (int)(intptr_t)argument;
    uint64_t state = (uint64_t)me * THREADS + (uint64_t)thread + 1;
    shmem_ctx_t mine;
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE | (thread % 2 ? SHMEMX_CTX_BATCH : 0), &mine), 0);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const shmem_ctx_t use[] = {mine, shared, SHMEM_CTX_DEFAULT};
        const size_t which = test_random_below(&state, 3);
        shmem_ctx_t ctx = use[which];
        toggle(mine, round);
        if (thread == 0)
            toggle(shared, round), toggle(SHMEM_CTX_DEFAULT, round + 1);
        for (int i = 0; i < STEPS; i++)
            add_somewhere(ctx, thread, &state);
        write_in_order(ctx, &own[me][thread][which], round + 1,
                       (int)test_random_below(&state, (uint64_t)npes));
    }
    shmem_ctx_quiet(mine);
    shmem_ctx_destroy(mine);
    return NULL;
}

/* A flag goes round the ring in batches; nobody completes anything. */
static void *pass_flags(void *argument)
{
    shmem_ctx_t ctx = argument ? shared : SHMEM_CTX_DEFAULT;
    uint64_t *flag = &flags[argument != NULL];
    for (uint64_t round = 1; round <= 200; round++) {
        if (me == 0)
            shmem_ctx_uint64_p(ctx, flag, round, 1 % npes);
        shmem_uint64_wait_until(flag, SHMEM_CMP_GE, round);
        if (me != 0)
            shmem_ctx_uint64_p(ctx, flag, round, (me + 1) % npes);
    }
    return NULL;
}

static void start_all(pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i), 0);
    CHECK_EQ(pthread_create(&threads[THREADS], NULL, pass_flags, NULL), 0);
    CHECK_EQ(pthread_create(&threads[THREADS + 1], NULL, pass_flags, &shared), 0);
}

static void check_sums(void)
{
    static uint64_t wanted[WORDS], all_wanted[WORDS], all_sums[WORDS];
    for (int i = 0; i < WORDS; i++)
        for (int thread = 0; thread < THREADS; thread++)
            wanted[i] += added[thread][i];
    shmem_barrier_all();
    CHECK_EQ(shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all_wanted, wanted, WORDS), 0);
    CHECK_EQ(shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all_sums, sums, WORDS), 0);
    for (int i = 0; i < WORDS; i++)
        CHECK_EQ(all_sums[i], all_wanted[i]);
}

int main(void)
{
    pthread_t threads[THREADS + 2];
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK_EQ(shmem_ctx_create(0, &shared), 0);
    shmem_barrier_all();
    start_all(threads);
    for (int i = 0; i < THREADS + 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    shmem_ctx_quiet(shared);
    check_sums();
    shmem_ctx_destroy(shared);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHMEM_THREAD_MULTIPLE: several threads of each PE put, get, add, signal and wait at once, on
 * the default context and on contexts of every kind that they create and destroy meanwhile.
 */
#include "threads.h"

#include <string.h>

#define ROUNDS 60
#define WORDS  256

/* Written by thread t of PE p alone: cells[p][t] of every PE. */
static long cells[MOST_PES][MOST_THREADS][WORDS];
static long turns[MOST_THREADS];          /* by thread t of the previous PE */
static uint64_t signals[MOST_THREADS];
static long sum;
static shmem_ctx_t shared_context, serialized_context;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Puts into the next PE, and reads back through the same context. */
static void put_and_get(struct worker *worker, shmem_ctx_t ctx, int round)
{
    long values[WORDS], copy[WORDS];
    int pe = (int)test_random_below(&worker->state, (uint64_t)worker->npes);
    size_t count = 1 + test_random_below(&worker->state, WORDS);
    long *mine = cells[worker->me][worker->index];
    for (size_t i = 0; i < count; i++)
        values[i] = (round + 1) * 100000L + worker->index * 1000 + (long)i;
    if (round % 2)
        shmem_ctx_long_put(ctx, mine, values, count, pe);
    else
        shmem_ctx_long_put_nbi(ctx, mine, values, count, pe);
    shmem_ctx_quiet(ctx);
    shmem_ctx_long_get(ctx, copy, mine, count, pe);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(copy[i], values[i]);
    shmem_ctx_long_p(ctx, &mine[0], -round, pe);
    shmem_ctx_quiet(ctx);
    CHECK_EQ(shmem_ctx_long_g(ctx, &mine[0], pe), -round);
    shmem_ctx_long_atomic_add(ctx, &sum, 1, pe);
}

static void use_own_context(struct worker *worker, long options, int round)
{
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(options, &ctx), 0);
    put_and_get(worker, ctx, round);
    shmem_ctx_destroy(ctx);
}

/* Each thread goes round the PEs with the threads of its number, waiting for its turn. */
static void pass_on(struct worker *worker, int round)
{
    int next = (worker->me + 1) % worker->npes, index = worker->index;
    shmem_fence(); /* behind the last round's */
    shmem_long_p(&turns[index], round + 1, next);
    shmem_long_wait_until(&turns[index], SHMEM_CMP_GE, round + 1);
    shmem_uint64_put_signal(NULL, NULL, 0, &signals[index], 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&signals[index], SHMEM_CMP_GE, (uint64_t)round + 1);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    shmem_ctx_t own;
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &own), 0);
    for (int round = 0; round < ROUNDS; round++) {
        switch (test_random_below(&worker->state, 6)) {
        case 0: put_and_get(worker, SHMEM_CTX_DEFAULT, round); break;
        case 1: put_and_get(worker, own, round); break;
        case 2: put_and_get(worker, shared_context, round); break;
        case 3:
            pthread_mutex_lock(&one_at_a_time);
            put_and_get(worker, serialized_context, round);
            pthread_mutex_unlock(&one_at_a_time);
            break;
        case 4: use_own_context(worker, 0, round); break;
        default: use_own_context(worker, SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE, round);
        }
        pass_on(worker, round);
    }
    shmem_ctx_destroy(own);
    return NULL;
}

int main(void)
{
    multiple_init();
    int npes = shmem_n_pes();
    CHECK_EQ(shmem_ctx_create(0, &shared_context), 0);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &serialized_context), 0);
    for (int workers = 4; workers <= 8; workers += 4) {
        memset(turns, 0, sizeof turns);
        memset(signals, 0, sizeof signals);
        sum = 0;
        shmem_barrier_all();
        run_workers(workers, work, NULL);
        shmem_ctx_quiet(shared_context); /* a barrier completes the default context alone */
        shmem_ctx_quiet(serialized_context);
        shmem_barrier_all();
        long total = 0;
        for (int pe = 0; pe < npes; pe++)
            total += shmem_long_g(&sum, pe);
        CHECK_EQ(total, (long)npes * workers * ROUNDS);
        shmem_barrier_all();
    }
    shmem_ctx_destroy(shared_context);
    shmem_ctx_destroy(serialized_context);
    return test_finish();
}

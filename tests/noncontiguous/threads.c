/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHMEM_THREAD_MULTIPLE: several threads of each PE make strided and vector transfers and accumulates
 * at once, on the default context, on one that they share and on their own; handles are waited for by
 * other threads than those that began the calls.
 */
#include "../threads/threads.h"

#include <shmemx.h>

#include <string.h>

#define THREADS 4
#define ROUNDS  100
#define ROWS    30

/* Written by thread t of PE p alone: cells[p][t] of every PE. */
static long cells[MOST_PES][THREADS][ROWS][3];
static long sums[ROWS];
static double _Complex complex_sums[ROWS];
static shmem_ctx_t shared_context;

static const ptrdiff_t apart[] = {sizeof cells[0][0][0]}, close_by[] = {sizeof(long)};
static const size_t counts[] = {sizeof(long), ROWS};

static void transfer(struct worker *worker, shmem_ctx_t ctx, int round)
{
    int pe = (int)test_random_below(&worker->state, (uint64_t)worker->npes);
    long values[ROWS], back[ROWS], again[ROWS];
    void *dests[ROWS];
    const void *sources[ROWS];
    long(*mine)[3] = cells[worker->me][worker->index];
    shmemx_vector_t vector = {dests, sources, ROWS, sizeof(long)};
    shmemx_handle_t handle;
    for (int i = 0; i < ROWS; i++) {
        values[i] = round * 1000 + i;
        dests[i] = &again[ROWS - 1 - i];
        sources[i] = &mine[ROWS - 1 - i][0];
    }
    shmemx_ctx_putmem_strided_nb(ctx, mine, values, apart, close_by, counts, 2, pe, &handle);
    shmemx_wait(&handle);
    shmemx_ctx_getmem_strided(ctx, back, mine, close_by, apart, counts, 2, pe);
    shmemx_ctx_getmem_vector_nb(ctx, &vector, 1, pe, &handle);
    while (!shmemx_test(&handle))
        continue;
    CHECK(memcmp(back, values, sizeof values) == 0 && memcmp(again, values, sizeof values) == 0);
}

static void accumulate(struct worker *worker, shmem_ctx_t ctx, int root)
{
    long ones[ROWS];
    double _Complex units[ROWS];
    for (int i = 0; i < ROWS; i++) {
        ones[i] = i;
        units[i] = 1;
    }
    shmemx_ctx_long_accumulate(ctx, sums, ones, 1 + worker->index, ROWS, root);
    shmemx_ctx_complexd_accumulate(ctx, complex_sums, units, 2, ROWS, root);
    shmem_ctx_long_atomic_add(ctx, &sums[0], 1, root);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    shmem_ctx_t own, contexts[3] = {SHMEM_CTX_DEFAULT, shared_context};
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &own), 0);
    contexts[2] = own;
    for (int round = 0; round < ROUNDS; round++) {
        transfer(worker, contexts[test_random_below(&worker->state, 3)], round);
        accumulate(worker, contexts[test_random_below(&worker->state, 3)], round % worker->npes);
    }
    shmem_ctx_destroy(own);
    return NULL;
}

static void test_all_at_once(void)
{
    int me = shmem_my_pe(), npes = shmem_n_pes();
    long rounds = 0;
    run_workers(THREADS, work, NULL);
    shmem_ctx_quiet(shared_context);
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS; round++)
        rounds += round % npes == me;
    for (int i = 0; i < ROWS; i++) {
        long factors = THREADS * (THREADS + 1) / 2;
        CHECK_EQ(sums[i], rounds * npes * (factors * i + (i == 0 ? THREADS : 0)));
        CHECK(complex_sums[i] == (double)(rounds * npes * 2 * THREADS));
    }
    shmem_barrier_all();
}

/* Each thread waits for what the thread before it began. */
static shmemx_handle_t handles[THREADS];
static pthread_barrier_t between;
static long passed[THREADS][ROWS];

static void *pass_on(void *argument)
{
    struct worker *worker = argument;
    int pe = (worker->me + 1) % worker->npes, other = (worker->index + 1) % THREADS;
    for (int round = 0; round < ROUNDS; round++) {
        shmemx_getmem_strided_nb(passed[worker->index], cells[0][worker->index], close_by, apart,
                                 counts, 2, pe, &handles[worker->index]);
        pthread_barrier_wait(&between);
        shmemx_wait(&handles[other]);
        for (int i = 0; i < ROWS; i++)
            CHECK_EQ(passed[other][i], pe * 100 + other * 10 + i);
        pthread_barrier_wait(&between);
    }
    return NULL;
}

static void test_others_wait(void)
{
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < ROWS; i++)
            cells[0][t][i][0] = shmem_my_pe() * 100 + t * 10 + i;
    shmem_barrier_all();
    CHECK_EQ(pthread_barrier_init(&between, NULL, THREADS), 0);
    run_workers(THREADS, pass_on, NULL);
    pthread_barrier_destroy(&between);
    shmem_barrier_all();
}

int main(void)
{
    multiple_init();
    CHECK_EQ(shmem_ctx_create(0, &shared_context), 0);
    test_all_at_once();
    test_others_wait();
    shmem_ctx_destroy(shared_context);
    return test_finish();
}

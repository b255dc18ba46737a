/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that was linked with another OpenSHMEM library. It uses what libraries number
 * differently (comparisons, signal operations, handles), static and heap memory, active sets,
 * locks, and extensions. OMPI: with Open MPI's headers. SOS: with those of Sandia OpenSHMEM, which
 * sos.h imitates.
 */
#include <shmem.h>
#include <shmemx.h>
#ifdef SOS
#include "sos.h"
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("PE %d: line %d: %s\n", shmem_my_pe(), __LINE__, #condition);                   \
            shmem_global_exit(1);                                                                  \
        }                                                                                          \
    } while (0)

static long value, sums[2], sources[2];
static long pSync[SHMEM_REDUCE_SYNC_SIZE];
static long pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2];
static long lock, counter;
static int64_t wide;

/* Each comparison ends for what it says, and not for what another number would say. */
static void comparisons(int me, int n)
{
    static const int ends[][2] = {{SHMEM_CMP_EQ, 5}, {SHMEM_CMP_NE, 4}, {SHMEM_CMP_GT, 4},
                                  {SHMEM_CMP_GE, 5}, {SHMEM_CMP_LT, 6}, {SHMEM_CMP_LE, 5}};
    static const int others[][2] = {{SHMEM_CMP_EQ, 4}, {SHMEM_CMP_NE, 5}, {SHMEM_CMP_GT, 5},
                                    {SHMEM_CMP_GE, 6}, {SHMEM_CMP_LT, 5}, {SHMEM_CMP_LE, 4}};
    shmem_long_p(&value, 5, (me + 1) % n);
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        shmem_long_wait_until(&value, ends[i][0], ends[i][1]);
        CHECK(shmem_long_test(&value, ends[i][0], ends[i][1]) != 0);
        CHECK(shmem_long_test(&value, others[i][0], others[i][1]) == 0);
    }
    shmem_barrier_all();
}

static void contexts(int me, int n)
{
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
    shmem_ctx_long_p(ctx, &value, 7, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    CHECK(value == 7);
    shmem_barrier_all();
    shmem_ctx_long_p(SHMEM_CTX_DEFAULT, &value, 8, (me + 1) % n);
    shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
    shmem_barrier_all();
    CHECK(value == 8);
}

static void collectives(int me, int n)
{
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        pSync[i] = SHMEM_SYNC_VALUE;
    sources[0] = me;
    sources[1] = 1;
    shmem_barrier_all();
    shmem_long_sum_to_all(sums, sources, 2, 0, 0, n, pWrk, pSync);
    shmem_barrier_all();
    CHECK(sums[0] == (long)n * (n - 1) / 2 && sums[1] == n);
}

static void locks(int n)
{
    for (int i = 0; i < 20; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&counter, 0) == 20L * n);
}

static void heap(int me, int n)
{
    long *block = shmem_malloc(64 * sizeof *block), from[64], to[64];
    CHECK(block != NULL);
    for (int i = 0; i < 64; i++)
        from[i] = 100 * me + i;
    shmem_long_put(block, from, 64, (me + 1) % n);
    shmem_barrier_all();
    shmem_long_get(to, block, 64, (me + 1) % n);
    for (int i = 0; i < 64; i++)
        CHECK(to[i] == 100 * me + i);
    shmem_free(block);
}

#ifdef OMPI
static void extensions(int me, int n)
{
    shmemx_int64_add(&wide, me, 0);
    shmem_barrier_all();
    CHECK(shmemx_int64_fetch(&wide, 0) == (int64_t)n * (n - 1) / 2);
    if (me == 0)
        shmemx_int64_wait_until(&wide, SHMEM_CMP_GE, 0);
}
#elif defined SOS
static void extensions(int me, int n)
{
    static uint64_t signals[2];
    static long data[4], blocks[4];
    const long from[4] = {1, 2, 3, 4};
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEMX_TEAM_NODE) == n);
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) == n);
    shmem_long_put_signal(data, from, 4, &signals[0], 3, SHMEM_SIGNAL_SET, (me + 1) % n);
    CHECK(shmem_signal_wait_until(&signals[0], SHMEM_CMP_GE, 3) == 3 && data[3] == 4);
    shmem_barrier_all();
    shmem_putmem_signal_nbi(data, from, sizeof from, &signals[0], 4, SHMEM_SIGNAL_ADD,
                            (me + 1) % n);
    CHECK(shmem_signal_wait_until(&signals[0], SHMEM_CMP_GT, 6) == 7);
    shmem_ctx_long_put_signal(SHMEM_CTX_DEFAULT, data, from, 4, &signals[1], 1, SHMEM_SIGNAL_ADD,
                              (me + 1) % n);
    size_t indices[2];
    shmem_uint64_wait_until_all(signals, 2, NULL, SHMEM_CMP_NE, 0);
    CHECK(shmem_uint64_test_some(signals, 2, indices, NULL, SHMEM_CMP_LE, 1) == 1 &&
          indices[0] == 1);
    shmemx_long_ibput(blocks, from, 1, 2, 1, 2, (me + 1) % n);
    CHECK(shmem_team_sync(SHMEM_TEAM_WORLD) == 0);
    CHECK(blocks[0] == 1 && blocks[1] == 3);
    CHECK(shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, data, from, 4) == 0 && data[0] == me + 1);
    CHECK(shmemx_wtime() > 0);
    wide = 0;
}
#endif

int main(int argc, char **argv)
{
    int level;
    shmem_init_thread(SHMEM_THREAD_SERIALIZED, &level);
    if (level < SHMEM_THREAD_SERIALIZED)
        return 1;
    const int me = shmem_my_pe(), n = shmem_n_pes();
    comparisons(me, n);
    contexts(me, n);
    collectives(me, n);
    locks(n);
    heap(me, n);
    extensions(me, n);
    if (argc > 1 && me == 0)
        abort();
    char name[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(name);
    printf("PE %d of %d: all of it holds with %s\n", me, n, name);
    shmem_finalize();
    return 0;
}

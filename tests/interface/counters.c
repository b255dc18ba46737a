/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The counters of shmemx.h: every call counts once, for the context that it is given, and for the PE
 * whose memory it changes. This program refers to them, so its first operation counts too. On any
 * number of PEs, of any number of nodes: writes of a far PE are counted by messages, which are at
 * least as many as these calls, each of which is small.
 */
#include "check.h"

#include <shmemx.h>

#include <sched.h>

static int me, npes, next;
static long words[64];
static uint64_t signal_word;

static uint64_t issued_writes(shmem_ctx_t ctx)
{
    uint64_t value = 99;
    shmemx_pcntr_get_issued_write(ctx, &value);
    return value;
}

static uint64_t issued_reads(shmem_ctx_t ctx)
{
    uint64_t value = 99;
    shmemx_pcntr_get_issued_read(ctx, &value);
    return value;
}

static uint64_t arrived(void)
{
    uint64_t value = 99;
    shmemx_pcntr_get_completed_target(&value);
    return value;
}

enum { WRITES = 11, READS = 8 };

/* WRITES writes and READS reads, each of one call. */
static void communicate(shmem_ctx_t ctx, int pe)
{
    long mine[4] = {1, 2, 3, 4}, fetched;
    shmem_ctx_long_p(ctx, &words[0], 1, pe);
    shmem_ctx_long_put(ctx, &words[1], mine, 4, pe);
    shmem_ctx_putmem_nbi(ctx, &words[5], mine, sizeof mine, pe);
    shmem_ctx_long_iput(ctx, &words[10], mine, 2, 1, 2, pe);
    shmem_ctx_long_ibput(ctx, &words[16], mine, 2, 2, 1, 2, pe);
    shmem_ctx_long_atomic_add(ctx, &words[20], 1, pe);
    shmem_ctx_long_atomic_inc(ctx, &words[20], pe);
    shmem_ctx_long_atomic_set(ctx, &words[21], 1, pe);
    shmem_ctx_long_put_signal(ctx, &words[22], mine, 1, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
    shmem_ctx_signal_add(ctx, &signal_word, 1, pe);
    shmem_ctx_signal_set(ctx, &signal_word, 1, pe);
    CHECK(shmem_ctx_long_g(ctx, &words[40], pe) == 0);
    shmem_ctx_long_get(ctx, mine, &words[40], 4, pe);
    shmem_ctx_getmem_nbi(ctx, mine, &words[40], sizeof mine, pe);
    shmem_ctx_long_iget(ctx, mine, &words[40], 1, 2, 2, pe);
    shmem_ctx_long_ibget(ctx, mine, &words[40], 2, 2, 1, 2, pe);
    CHECK(shmem_ctx_long_atomic_fetch(ctx, &words[44], pe) == 0);
    CHECK(shmem_ctx_long_atomic_fetch_add(ctx, &words[45], 0, pe) == 0);
    shmem_ctx_long_atomic_fetch_nbi(ctx, &fetched, &words[44], pe);
    shmem_ctx_quiet(ctx);
}

static void check_counts(shmem_ctx_t ctx, uint64_t times)
{
    uint64_t value = 0;
    shmemx_pcntr_t all;
    CHECK_EQ(issued_writes(ctx), times * WRITES);
    CHECK_EQ(issued_reads(ctx), times * READS);
    shmemx_pcntr_get_completed_write(ctx, &value);
    CHECK_EQ(value, times * WRITES);
    shmemx_pcntr_get_completed_read(ctx, &value);
    CHECK_EQ(value, times * READS);
    shmemx_pcntr_get_all(ctx, &all);
    CHECK_EQ(all.pending_put, times * WRITES);
    CHECK_EQ(all.pending_get, times * READS);
    CHECK_EQ(all.completed_put, times * WRITES);
    CHECK_EQ(all.completed_get, times * READS);
}

/* A put that nobody has waited for is complete once it is counted as completed. */
static void check_completion(shmem_ctx_t ctx)
{
    static long large[50000], copy[50000];
    uint64_t before, value;
    shmemx_pcntr_get_completed_write(ctx, &before);
    for (int i = 0; i < 50000; i++)
        large[i] = me + i;
    shmem_ctx_long_put_nbi(ctx, copy, large, 50000, next);
    shmemx_pcntr_get_completed_write(ctx, &value);
    CHECK_EQ(value, before + 1);
    CHECK_EQ(shmem_g(&copy[49999], next), me + 49999);
    shmem_barrier_all();
}

int main(void)
{
    shmem_ctx_t ctx;
    uint64_t value = 99;
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    communicate(SHMEM_CTX_DEFAULT, next);
    check_counts(SHMEM_CTX_DEFAULT, 1);
    check_counts(ctx, 0);
    communicate(ctx, next);
    communicate(ctx, next);
    check_counts(SHMEM_CTX_DEFAULT, 1);
    check_counts(ctx, 2);
    while (arrived() < 3 * WRITES)
        sched_yield();
    if (test_is_near((me + npes - 1) % npes))
        CHECK_EQ(arrived(), 3 * WRITES);
    CHECK_EQ(words[0], 1);
    shmem_barrier_all();
    check_completion(ctx);
    shmem_ctx_destroy(ctx);
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    check_counts(ctx, 0);
    shmemx_pcntr_get_issued_write(SHMEM_CTX_INVALID, &value);
    CHECK_EQ(value, 0);
    shmem_ctx_destroy(ctx);
    return test_finish();
}

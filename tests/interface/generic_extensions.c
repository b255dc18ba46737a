/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type-generic names that are extensions: those that 1.6 brought, by their shmemx_ names, and waits
 * and tests on sets of short. C11, and C++ through generic_extensions.cc. Any number of PEs.
 */
#include "check.h"

#include <shmemx.h>

enum { LENGTH = 12 };

static int me, npes, next;
static shmem_team_t node = SHMEMX_TEAM_NODE;
static long numbers[LENGTH];
static double reals[LENGTH];
static uint64_t signal_word;
static short shorts[4];
static unsigned short unsigned_shorts[4];

/* Blocks of two: at 0 and 4 of dest from 0 and 3 of source, then back. */
static void check_blocks(shmem_ctx_t ctx)
{
    long source[LENGTH], back[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
        source[i] = 100 * me + i;
        back[i] = numbers[i] = -1;
        reals[i] = i;
    }
    const long *constant = source;
    shmem_barrier_all();
    shmemx_ibput(numbers, constant, 4, 3, 2, 2, next);
    shmemx_ibput(ctx, numbers + 8, source, 2, 2, 2, 2, next);
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    const int left = (me + npes - 1) % npes;
    const long expected[LENGTH] = {0, 1, -1, -1, 3, 4, -1, -1, 0, 1, 2, 3};
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(numbers[i], expected[i] < 0 ? -1 : 100 * left + expected[i]);
    shmemx_ibget(back, numbers, 3, 4, 2, 2, next);
    shmemx_ibget(ctx, back + 6, numbers + 8, 2, 2, 2, 2, next);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(back[i], i == 2 ? -1 : source[i]);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(back[6 + i], source[i]);
    double pair[2];
    shmemx_ibget(pair, reals + 1, 1, 2, 1, 2, next);
    CHECK(pair[0] == 1 && pair[1] == 3);
    shmem_barrier_all();
}

static void check_signals(shmem_ctx_t ctx)
{
    signal_word = 0;
    shmem_barrier_all();
    shmemx_signal_set(&signal_word, 40, next);
    shmem_fence();
    shmemx_signal_add(&signal_word, 1, next);
    shmem_barrier_all();
    shmemx_signal_add(ctx, &signal_word, 1, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK_EQ(shmem_signal_fetch(&signal_word), 42);
    shmem_barrier_all();
    shmemx_signal_set(ctx, &signal_word, 7, next);
    CHECK_EQ(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 7), 7);
    shmem_barrier_all();
}

/* The team's members are those whose memory can be loaded. */
static void check_node(void)
{
    CHECK_EQ(shmem_team_n_pes(node), shmem_team_n_pes(SHMEM_TEAM_SHARED));
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, node) >= 0);
    for (int pe = 0; pe < npes; pe++)
        CHECK_EQ(shmem_ptr(numbers, pe) != NULL, shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, node) >= 0);
    shmem_team_sync(node);
}

static void check_shorts(void)
{
    size_t indices[4];
    const short wanted[4] = {-1, -2, -3, -4};
    const int mask[4] = {0, 0, 1, 0};
    CHECK_EQ(shmem_test_all(shorts, 4, NULL, SHMEM_CMP_EQ, 0), 1);
    CHECK(shmem_test_any(shorts, 4, mask, SHMEM_CMP_LT, 0) == SIZE_MAX);
    CHECK_EQ(shmem_test_some_vector(shorts, 4, indices, mask, SHMEM_CMP_EQ, wanted), 0);
    shmem_barrier_all();
    for (int i = 0; i < 4; i++) {
        shmem_p(&shorts[i], wanted[i], next);
        shmem_p(&unsigned_shorts[i], (unsigned short)0xffff, next);
    }
    shmem_wait_until_all_vector(shorts, 4, NULL, SHMEM_CMP_EQ, wanted);
    shmem_wait_until_all(unsigned_shorts, 4, NULL, SHMEM_CMP_GT, 0x7fff);
    CHECK(shmem_wait_until_any_vector(shorts, 4, mask, SHMEM_CMP_EQ, wanted) != 2);
    CHECK_EQ(shmem_wait_until_some(shorts, 4, indices, mask, SHMEM_CMP_LT, 0), 3);
    CHECK_EQ(shmem_test_all_vector(shorts, 4, NULL, SHMEM_CMP_EQ, wanted), 1);
    shmem_wait_until(&unsigned_shorts[3], SHMEM_CMP_NE, 0);
    CHECK_EQ(shmem_test(&shorts[0], SHMEM_CMP_LT, 0), 1);
}

int main(void)
{
    shmem_ctx_t ctx;
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    check_blocks(ctx);
    check_signals(ctx);
    check_node();
    check_shorts();
    shmem_ctx_destroy(ctx);
    return test_finish();
}

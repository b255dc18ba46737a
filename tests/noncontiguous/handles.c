/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles: many calls under way at once, tested and waited for in any order, after quiet, after their
 * context has gone; of calls that did nothing; and one that stands for no call.
 */
#include "noncontiguous.h"

#define CALLS 100
#define ROWS  20

static long target[CALLS][ROWS][2];
static uint64_t schedule = 3;

static const ptrdiff_t apart[] = {sizeof target[0][0]}, close_by[] = {sizeof(long)};
static const size_t counts[] = {sizeof(long), ROWS};
static int me, npes, next, previous;

static long value(int pe, int call, int row)
{
    return pe * 1000000L + call * 1000 + row;
}

static void shuffle(int *order)
{
    for (int i = 0; i < CALLS; i++)
        order[i] = i;
    for (int i = CALLS - 1; i > 0; i--) {
        int other = (int)test_random_below(&schedule, (uint64_t)i + 1), held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
}

/* Puts, half of them tested until complete. The target has what a complete one wrote. */
static void test_puts(shmem_ctx_t ctx)
{
    static long source[CALLS][ROWS];
    shmemx_handle_t handles[CALLS];
    int order[CALLS];
    memset(target, 0, sizeof target);
    shmem_barrier_all();
    for (int i = 0; i < CALLS; i++) {
        for (int k = 0; k < ROWS; k++)
            source[i][k] = value(me, i, k);
        shmemx_ctx_putmem_strided_nb(ctx, target[i], source[i], apart, close_by, counts, 2, next,
                                     &handles[i]);
    }
    shuffle(order);
    for (int i = 0; i < CALLS; i++) {
        int call = order[i];
        if (i % 2)
            shmemx_wait(&handles[call]);
        else
            while (!shmemx_test(&handles[call]))
                continue;
        memset(source[call], 0xff, sizeof source[call]);
        for (int k = 0; k < ROWS; k += 7)
            CHECK_EQ(shmem_long_g(&target[call][k][0], next), value(me, call, k));
    }
    shmem_barrier_all();
    for (int i = 0; i < CALLS; i++)
        for (int k = 0; k < ROWS; k++)
            CHECK(target[i][k][0] == value(previous, i, k) && target[i][k][1] == 0);
    shmem_barrier_all();
}

static void test_gets(shmem_ctx_t ctx)
{
    static long dest[CALLS][ROWS];
    shmemx_handle_t handles[CALLS];
    int order[CALLS];
    for (int i = 0; i < CALLS; i++)
        for (int k = 0; k < ROWS; k++)
            target[i][k][0] = value(me, i, k);
    shmem_barrier_all();
    for (int i = 0; i < CALLS; i++)
        shmemx_ctx_getmem_strided_nb(ctx, dest[i], target[i], close_by, apart, counts, 2, next,
                                     &handles[i]);
    shuffle(order);
    for (int i = 0; i < CALLS; i++) {
        shmemx_wait(&handles[order[i]]);
        for (int k = 0; k < ROWS; k++)
            CHECK_EQ(dest[order[i]][k], value(next, order[i], k));
    }
    shmem_barrier_all();
}

/* Quiet completes the calls; the handles find that out later. */
static void test_after_quiet(int destroy)
{
    static long source[ROWS], dest[ROWS];
    shmemx_handle_t handles[3];
    shmem_ctx_t ctx;
    const long one = 1;
    static long sum;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    memset(target, 0, sizeof target);
    sum = 0;
    for (int k = 0; k < ROWS; k++) {
        source[k] = value(me, 7, k);
        target[1][k][0] = value(me, 1, k);
    }
    shmem_barrier_all();
    shmemx_ctx_putmem_strided_nb(ctx, target, source, apart, close_by, counts, 2, next, &handles[0]);
    shmemx_ctx_getmem_strided_nb(ctx, dest, target[1], close_by, apart, counts, 2, next, &handles[1]);
    shmemx_ctx_long_accumulate_nb(ctx, &sum, &one, 5, 1, next, &handles[2]);
    if (destroy)
        shmem_ctx_destroy(ctx);
    else
        shmem_ctx_quiet(ctx);
    CHECK_EQ(shmem_long_g(&target[0][ROWS - 1][0], next), value(me, 7, ROWS - 1));
    CHECK_EQ(dest[ROWS - 1], value(next, 1, ROWS - 1));
    CHECK_EQ(shmem_long_g(&sum, next), 5);
    for (int i = 0; i < 3; i++)
        CHECK(shmemx_test(&handles[i]) == 1 && handles[i] == SHMEMX_HANDLE_COMPLETE);
    if (!destroy)
        shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static void test_nothing(void)
{
    static shmemx_handle_t zeroed;
    static double sum;
    const size_t none[] = {8, 0};
    shmemx_handle_t handle = (shmemx_handle_t)&zeroed;
    CHECK(shmemx_test(&zeroed) == 1);
    shmemx_wait(&zeroed);
    shmemx_putmem_strided_nb(target, target, apart, close_by, none, 2, next, &handle);
    CHECK(shmemx_test(&handle) == 1);
    handle = (shmemx_handle_t)&zeroed;
    shmemx_getmem_vector_nb(NULL, 0, next, &handle);
    shmemx_wait(&handle);
    handle = (shmemx_handle_t)&zeroed;
    shmemx_double_accumulate_nb(&sum, &sum, 1, 0, next, &handle);
    shmemx_wait(&handle);
    CHECK(handle == SHMEMX_HANDLE_COMPLETE);
}

/* More under way than an engine takes at once: it holds back and loses nothing. */
static void test_many(void)
{
    enum { MANY = 3000 };
    static shmemx_handle_t handles[MANY];
    static long sums[ROWS][2];
    long ones[ROWS];
    for (int k = 0; k < ROWS; k++)
        ones[k] = k + 1;
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++)
        shmemx_long_accumulate_strided_nb(sums[0], ones, 2, apart, close_by, counts, 2, next,
                                          i % 3 ? &handles[i] : NULL);
    for (int i = MANY - 1; i >= 0; i--)
        shmemx_wait(&handles[i]);
    shmem_barrier_all();
    for (int k = 0; k < ROWS; k++)
        CHECK(sums[k][0] == 2L * MANY * (k + 1) && sums[k][1] == 0);
    shmem_barrier_all();
}

int main(void)
{
    shmem_ctx_t ctx;
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    previous = (me + npes - 1) % npes;
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
    test_puts(SHMEM_CTX_DEFAULT);
    test_puts(ctx);
    test_gets(SHMEM_CTX_DEFAULT);
    test_gets(ctx);
    test_after_quiet(0);
    test_after_quiet(1);
    test_nothing();
    test_many();
    shmem_ctx_destroy(ctx);
    return test_finish();
}

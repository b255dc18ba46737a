/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts side by side, stores through shmem_ptr, strided transfers, sets of variables, blocks of the
 * heap.
 */
#include "cases.h"

static long data[64], source[64], flag, flags[4];

CASE(fence_of_another_context)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    if (me == 0) {
        shmem_ctx_long_put(ctx, data, source, 16, 1); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[1]); /* race */
    }
    shmem_ctx_destroy(ctx);
}

CASE(fence_of_the_same_context)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    if (me == 0) {
        shmem_ctx_long_put(ctx, data, source, 16, 1);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, &flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[1]);
    }
    shmem_ctx_destroy(ctx);
}

CASE(barrier_leaves_a_context_alone)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    if (me == 0)
        shmem_ctx_long_put(ctx, data, source, 16, 1); /* race */
    shmem_barrier_all();
    if (me == 1)
        USE(data[1]); /* race */
    shmem_ctx_destroy(ctx);
}

CASE(destroyed_before_the_barrier)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    if (me == 0)
        shmem_ctx_long_put_nbi(ctx, data, source, 16, 1);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    if (me == 1)
        USE(data[1]);
}

CASE(store_through_pointer)
{
    long *there = shmem_ptr(data, 1);
    if (me == 0)
        there[3] = 1; /* race */
    if (me == 1)
        USE(data[3]); /* race */
}

CASE(store_through_pointer_and_flag)
{
    long *there = shmem_ptr(data, 1);
    if (me == 0) {
        there[3] = 1; /* race */
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[3]); /* race */
    }
}

CASE(store_through_pointer_fence_flag)
{
    long *there = shmem_ptr(data, 1);
    if (me == 0) {
        there[3] = 1;
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[3]);
    }
}

CASE(flag_by_a_store)
{
    long *there = shmem_ptr(data, 1), *there_flag = shmem_ptr(&flag, 1);
    if (me == 0) {
        there[3] = 1;
        shmem_fence();
        *there_flag = 1;
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[3] + flag);
    }
}

CASE(load_through_pointer)
{
    const long *there = shmem_ptr(data, 0);
    if (me == 0)
        data[6] = 1; /* race */
    if (me == 1)
        USE(there[6]); /* race */
}

CASE(columns_do_not_meet)
{
    shmem_long_iput(data + me, source, 4, 1, 8, 1);
    shmem_long_iput(data + 2 + me, source, 4, 1, 8, 1);
}

CASE(columns_meet)
{
    if (me == 0)
        shmem_long_iput(data, source, 4, 1, 8, 1); /* race */
    if (me == 1)
        USE(data[8]); /* race */
}

CASE(strided_get)
{
    static long here[64];
    if (me == 0)
        shmem_long_iget(here, data, 2, 3, 8, 1); /* race */
    if (me == 1)
        data[9] = 4; /* race */
}

CASE(any_of_the_flags)
{
    if (me == 0) {
        shmem_long_p(&data[2], 1, 1);
        shmem_fence();
        shmem_long_p(&flags[2], 1, 1);
    } else {
        USE(shmem_long_wait_until_any(flags, 4, NULL, SHMEM_CMP_EQ, 1));
        USE(data[2]);
    }
}

CASE(another_of_the_flags)
{
    if (me == 0) {
        shmem_long_p(&flags[0], 1, 1);
        shmem_long_p(&data[2], 1, 1); /* race */
        shmem_fence();
        shmem_long_p(&flags[2], 1, 1);
    } else {
        const int status[4] = {0, 1, 1, 1};
        shmem_long_wait_until_all(flags, 4, status, SHMEM_CMP_EQ, 1);
        USE(data[2]); /* race */
    }
}

CASE(all_of_the_flags)
{
    if (me == 0) {
        shmem_long_p(&data[2], 1, 1);
        shmem_fence();
        for (int i = 0; i < 4; i++)
            shmem_long_p(&flags[i], 1, 1);
    } else {
        shmem_long_wait_until_all(flags, 4, NULL, SHMEM_CMP_EQ, 1);
        USE(data[2]);
    }
}

CASE(block_used_again)
{
    for (int i = 0; i < 4; i++) {
        long *block = shmem_malloc(64 * sizeof *block);
        block[me] = i;
        shmem_long_p(&block[2 + me], i, (me + 1) % npes);
        shmem_free(block);
    }
}

CASE(block_is_written_by_all)
{
    long *block = shmem_malloc(64 * sizeof *block);
    if (me == 0)
        shmem_long_p(&block[7], 1, 1); /* race */
    if (me == 1)
        memset(block, 0, 64 * sizeof *block); /* race */
    shmem_free(block);
}

CASE(copied_by_libc)
{
    long *block = shmem_calloc(64, sizeof *block);
    memcpy(block, source, sizeof source);
    shmem_barrier_all();
    if (me == 1)
        shmem_long_get(data, block, 64, 0);
    shmem_barrier_all();
    memmove(block, block + 1, 8);
    shmem_free(block);
}

CASES(RUN(fence_of_another_context), RUN(fence_of_the_same_context), RUN(barrier_leaves_a_context_alone),
      RUN(destroyed_before_the_barrier), RUN(store_through_pointer), RUN(store_through_pointer_and_flag),
      RUN(store_through_pointer_fence_flag), RUN(flag_by_a_store), RUN(load_through_pointer),
      RUN(columns_do_not_meet), RUN(columns_meet), RUN(strided_get), RUN(any_of_the_flags),
      RUN(another_of_the_flags), RUN(all_of_the_flags), RUN(block_used_again),
      RUN(block_is_written_by_all), RUN(copied_by_libc))

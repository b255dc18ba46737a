/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Races whose advice is easily wrong, and the same with what it says: the case behind it, "_advised".
 * "told:" and "untold:" are words of the line "would be ordered by". test_races.py reads them.
 */
#include "cases.h"

#include <pthread.h>
#include <unistd.h>

static long data[64], source[64], flag;

static shmem_ctx_t new_context(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    return ctx;
}

/* told: shmem_ctx_quiet by PE 0
 * untold: ; or shmem_barrier_all */
CASE(context_and_barrier)
{
    shmem_ctx_t ctx = new_context();
    if (me == 0)
        shmem_ctx_long_put(ctx, data, source, 16, 1); /* race */
    shmem_barrier_all();
    if (me == 1)
        USE(data[1]); /* race */
    shmem_ctx_destroy(ctx);
}

CASE(context_and_barrier_advised)
{
    shmem_ctx_t ctx = new_context();
    if (me == 0) {
        shmem_ctx_long_put(ctx, data, source, 16, 1);
        shmem_ctx_quiet(ctx);
    }
    shmem_barrier_all();
    if (me == 1)
        USE(data[1]);
    shmem_ctx_destroy(ctx);
}

/* told: shmem_quiet by PE 0
 * untold: shmem_fence */
CASE(get_and_fence)
{
    if (me == 0) {
        shmem_long_get_nbi(source, data, 16, 1); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        data[1] = 1; /* race */
    }
}

CASE(get_and_fence_advised)
{
    if (me == 0) {
        shmem_long_get_nbi(source, data, 16, 1);
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        data[1] = 1;
    }
}

/* told: shmem_quiet by PE 0
 * untold: shmem_fence */
CASE(fence_for_a_third) /* 3 PEs */
{
    if (me == 0) {
        shmem_long_put(data, source, 16, 1); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(shmem_long_g(&data[1], 1)); /* race */
    }
}

CASE(fence_for_a_third_advised) /* 3 PEs */
{
    if (me == 0) {
        shmem_long_put(data, source, 16, 1);
        shmem_quiet();
        shmem_long_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(shmem_long_g(&data[1], 1));
    }
}

static void *put_and_fence(void *unused)
{
    shmem_long_put(data, source, 16, 1); /* race of fence_of_a_thread */
    shmem_fence();
    return unused;
}

/* told: shmem_fence between the two calls, and a lock of the two threads, or a join */
CASE(fence_of_a_thread)
{
    pthread_t thread;
    if (me != 0)
        return;
    pthread_create(&thread, NULL, put_and_fence, NULL);
    usleep(20000);
    shmem_fence();
    shmem_long_put(data, source, 16, 1); /* race */
    pthread_join(thread, NULL);
}

CASE(fence_of_a_thread_advised)
{
    pthread_t thread;
    if (me != 0)
        return;
    pthread_create(&thread, NULL, put_and_fence, NULL);
    pthread_join(thread, NULL);
    shmem_long_put(data, source, 16, 1);
}

/* told: shmem_quiet by PE 0 behind that, then a flag that PE 1 waits for before it reads */
CASE(read_too_early)
{
    if (me == 1) {
        USE(data[1]); /* race */
    } else {
        usleep(20000);
        shmem_long_put(data, source, 16, 1); /* race */
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    }
}

CASE(read_too_early_advised)
{
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        USE(data[1]);
    } else {
        usleep(20000);
        shmem_long_put(data, source, 16, 1);
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    }
}

CASES(RUN(context_and_barrier), RUN(context_and_barrier_advised), RUN(get_and_fence),
      RUN(get_and_fence_advised), RUN(fence_for_a_third), RUN(fence_for_a_third_advised),
      RUN(fence_of_a_thread), RUN(fence_of_a_thread_advised), RUN(read_too_early),
      RUN(read_too_early_advised))

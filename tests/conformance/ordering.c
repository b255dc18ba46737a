/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fence and quiet: what arrives in order at one PE, what is complete after a quiet, a quiet of
 * some PEs, and what a blocking routine promises when it returns. Argument: how often, 2000.
 */
#include "check.h"

enum { ELEMENTS = 256, MAX_POLLS = 400000000 };

static long times = 2000;
static volatile long data, flag, other_data, other_flag;
static long array[ELEMENTS], source[ELEMENTS], fetched[ELEMENTS];
static long counter, echo;
static uint64_t signal_object;

enum order { PUT_PUT, PUT_AMO, AMO_PUT, NBI_PUT, PUT_SIGNAL, ORDERS };

/* Sends data, fence, flag, each by another kind of operation. */
static void send(enum order order, shmem_ctx_t ctx, long i, int pe)
{
    source[0] = i;
    switch (order) {
    case PUT_AMO:
        shmem_ctx_long_p(ctx, (long *)&data, i, pe);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_atomic_set(ctx, (long *)&flag, i, pe);
        break;
    case AMO_PUT:
        shmem_ctx_long_atomic_add(ctx, (long *)&data, 1, pe);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, (long *)&flag, i, pe);
        break;
    case NBI_PUT:
        shmem_ctx_long_put_nbi(ctx, (long *)&data, source, 1, pe);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_put_nbi(ctx, (long *)&flag, source, 1, pe);
        shmem_ctx_quiet(ctx);
        break;
    case PUT_SIGNAL:
        shmem_ctx_long_put_signal(ctx, (long *)&data, source, 1, &signal_object, (uint64_t)i,
                                  SHMEM_SIGNAL_SET, pe);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, (long *)&flag, i, pe);
        break;
    default:
        shmem_ctx_long_p(ctx, (long *)&data, i, pe);
        shmem_ctx_fence(ctx);
        shmem_ctx_long_p(ctx, (long *)&flag, i, pe);
    }
}

static long poll(const volatile long *object, long at_least)
{
    long now = *object;
    for (long polls = 0; now < at_least && polls < MAX_POLLS; polls++) {
        if (polls % 1000 == 999)
            shmem_long_test((long *)object, SHMEM_CMP_GE, at_least);
        now = *object;
    }
    CHECK(now >= at_least);
    return now;
}

/* Even PEs send to their odd neighbour, who must never see the flag ahead of the data. */
static void fence_orders_deliveries_to_one_pe(shmem_ctx_t ctx, int me, int n)
{
    const int partner = me ^ 1;
    for (int order = 0; order < ORDERS; order++) {
        data = flag = 0;
        signal_object = 0;
        shmem_barrier_all();
        for (long i = 1; i <= times && partner < n; i++) {
            if (me % 2 == 0) {
                send(order, ctx, i, partner);
            } else if (i % 50 == 0) {
                const long seen = poll(&flag, i);
                __atomic_thread_fence(__ATOMIC_ACQUIRE);
                CHECK(data >= seen);
                if (order == PUT_SIGNAL)
                    CHECK((long)signal_object >= seen);
            }
        }
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
    }
}

/* A plain store to my own memory comes before the put after the fence. */
static void fence_orders_stores_too(int me, int n)
{
    const int right = (me + 1) % n;
    const int left = (me + n - 1) % n;
    other_data = other_flag = 0;
    shmem_barrier_all();
    for (long i = 1; i <= 200; i++) {
        other_data = i;
        shmem_fence();
        shmem_long_p((long *)&other_flag, i, right);
        shmem_long_wait_until((long *)&other_flag, SHMEM_CMP_GE, i);
        CHECK(shmem_long_g((long *)&other_data, left) >= i);
    }
    shmem_barrier_all();
}

static void quiet_completes_gets_and_fetches_of_its_context(int me, int n)
{
    const int right = (me + 1) % n;
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    for (long round = 1; round <= 20; round++) {
        long old = -1;
        long swapped = -1;
        long now = -1;
        for (int i = 0; i < ELEMENTS; i++)
            source[i] = round * 10000 + me * ELEMENTS + i;
        counter = round;
        echo = 7 * round;
        shmem_barrier_all();
        shmem_ctx_long_get_nbi(ctx, fetched, source, ELEMENTS, right);
        shmem_ctx_long_atomic_fetch_add_nbi(ctx, &old, &counter, 5, right);
        shmem_ctx_long_atomic_swap_nbi(ctx, &swapped, &echo, me, right);
        shmem_ctx_quiet(ctx);
        shmem_long_atomic_fetch_nbi(&now, &counter, right);
        shmem_quiet();
        for (int i = 0; i < ELEMENTS; i++)
            CHECK_EQ(fetched[i], round * 10000 + right * ELEMENTS + i);
        CHECK_EQ(old, round);
        CHECK_EQ(swapped, 7 * round);
        CHECK_EQ(now, round + 5);
        shmem_barrier_all();
    }
    shmem_ctx_destroy(ctx);
}

/* With quiet the data is there for everyone: a third PE, told by me, reads it at the second. */
static void quiet_makes_puts_visible_to_all(int me, int n)
{
    if (n < 3) {
        shmem_barrier_all();
        return;
    }
    other_flag = 0;
    array[0] = 0;
    shmem_barrier_all();
    for (long i = 1; i <= 200; i++) {
        if (me == 0) {
            shmem_long_p(&array[0], i, 1);
            shmem_quiet();
            shmem_long_p((long *)&other_flag, i, 2);
            shmem_long_wait_until(&echo, SHMEM_CMP_EQ, -i);
        } else if (me == 2) {
            shmem_long_wait_until((long *)&other_flag, SHMEM_CMP_EQ, i);
            CHECK_EQ(shmem_long_g(&array[0], 1), i);
            shmem_long_atomic_set(&echo, -i, 0);
        }
    }
    shmem_barrier_all();
}

static void pe_quiet_completes_towards_its_pes(int me, int n)
{
    int targets[2] = {(me + 1) % n, (me + n - 1) % n};
    long old[2] = {-1, -1};
    shmem_pe_quiet(NULL, 0);
    shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, NULL, 0);
    shmem_pe_quiet(targets, 0);
    counter = 0;
    for (int i = 0; i < ELEMENTS; i++)
        source[i] = me * ELEMENTS + i;
    shmem_barrier_all();
    for (int i = 0; i < 2; i++) {
        shmem_long_put_nbi(array + i * ELEMENTS / 2, source + i * ELEMENTS / 2, ELEMENTS / 2,
                           targets[i]);
        shmem_long_get_nbi(fetched + i * ELEMENTS / 2, source, ELEMENTS / 2, targets[i]);
        shmem_long_atomic_fetch_inc_nbi(&old[i], &counter, targets[i]);
    }
    shmem_pe_quiet(targets, 2);
    for (int i = 0; i < ELEMENTS; i++) {
        const int half = i / (ELEMENTS / 2);
        CHECK_EQ(fetched[i], targets[half] * ELEMENTS + i % (ELEMENTS / 2));
        CHECK_EQ(shmem_long_g(&array[i], targets[half]), me * ELEMENTS + i);
    }
    CHECK(old[0] >= 0 && old[0] < 2);
    CHECK(old[1] >= 0 && old[1] < 2);
    shmem_barrier_all();
    CHECK_EQ(counter, 2);
    shmem_barrier_all();
}

static void blocking_gets_and_fetches_are_complete_on_return(int me, int n)
{
    const int right = (me + 1) % n;
    counter = 10 * me;
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&counter, right), 10 * right);
    shmem_barrier_all();
    for (int i = 0; i < 100; i++)
        CHECK_EQ(shmem_long_atomic_fetch_inc(&counter, right), 10 * right + i);
    CHECK_EQ(shmem_long_atomic_swap(&counter, 5, right), 10 * right + 100);
    CHECK_EQ(shmem_long_atomic_compare_swap(&counter, 5, 6, right), 5);
    CHECK_EQ(shmem_long_atomic_fetch(&counter, right), 6);
    shmem_barrier_all();
}

/* Also of a put, whose target may not have the data yet. */
static void blocking_put_lets_the_source_be_reused(int me, int n)
{
    long value;
    const int right = (me + 1) % n;
    shmem_barrier_all();
    for (int i = 0; i < ELEMENTS; i++) {
        value = 1000 * me + i;
        shmem_long_put(&array[i], &value, 1, right);
        value = -1;
    }
    for (int i = 0; i < ELEMENTS; i++)
        source[i] = i;
    shmem_barrier_all();
    for (int i = 0; i < ELEMENTS; i++)
        CHECK_EQ(array[i], 1000 * ((me + n - 1) % n) + i);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    if (argc > 1)
        times = atol(argv[1]);
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    shmem_ctx_t ctx;
    CHECK_EQ(shmem_ctx_create(0, &ctx), 0);
    fence_orders_deliveries_to_one_pe(SHMEM_CTX_DEFAULT, me, n);
    fence_orders_deliveries_to_one_pe(ctx, me, n);
    shmem_ctx_destroy(ctx);
    fence_orders_stores_too(me, n);
    quiet_completes_gets_and_fetches_of_its_context(me, n);
    quiet_makes_puts_visible_to_all(me, n);
    pe_quiet_completes_towards_its_pes(me, n);
    blocking_gets_and_fetches_are_complete_on_return(me, n);
    blocking_put_lets_the_source_be_reused(me, n);
    return test_finish();
}

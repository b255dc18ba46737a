/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: the signal comes after its data, set and add are atomic each, fetch is local, wait
 * returns the value that satisfied it, and a signal may live elsewhere than its data.
 */
#include "check.h"

#include <string.h>

/* Enough elements that copying them takes longer than noticing a signal that comes too soon. */
enum { TIMES = 300, ROUNDS = 60, ELEMENTS = 8192, MAX_SWITCHES = 1000000000 };

static uint64_t static_signal;
static uint64_t counts;
static long static_data[ELEMENTS];
static long source[ELEMENTS];

/* No quiet between: the signal alone announces the data. Half of the PEs send at a time, so that
 * the others are waiting already. Each signal's value grows by two, or from nothing. */
static void signal_comes_after_its_data(long *data, uint64_t *signal, int me, int n)
{
    const int right = (me + 1) % n;
    const int left = (me + n - 1) % n;
    *signal = 0;
    shmem_barrier_all();
    for (int i = 1; i <= ROUNDS; i++) {
        for (int j = 0; j < ELEMENTS; j++)
            source[j] = i * 1000000L + me * ELEMENTS + j;
        shmem_barrier_all();
        if (i % 2 == me % 2 && i / 2 % 2)
            shmem_long_put_signal(data, source, ELEMENTS, signal, (uint64_t)i, SHMEM_SIGNAL_SET,
                                  right);
        else if (i % 2 == me % 2)
            shmem_long_put_signal_nbi(data, source, ELEMENTS, signal, i < 3 ? (uint64_t)i : 2,
                                      SHMEM_SIGNAL_ADD, right);
        if (i % 2 == left % 2) {
            CHECK_EQ(shmem_signal_wait_until(signal, SHMEM_CMP_EQ, (uint64_t)i), i);
            for (int j = ELEMENTS - 1; j >= 0; j -= 7)
                CHECK_EQ(data[j], i * 1000000L + left * ELEMENTS + j);
        }
        shmem_barrier_all();
    }
}

static void signals_and_data_may_lie_apart(int me, int n)
{
    long *heap = shmem_malloc(ELEMENTS * sizeof *heap);
    uint64_t *heap_signal = shmem_malloc_with_hints(sizeof *heap_signal,
                                                    SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK(heap && heap_signal);
    signal_comes_after_its_data(heap, &static_signal, me, n);
    signal_comes_after_its_data(static_data, heap_signal, me, n);
    signal_comes_after_its_data(heap, heap_signal, me, n);
    shmem_free(heap_signal);
    shmem_free(heap);
}

/* Long enough for networks that move long data by itself, past short messages: 320 KB, and 5 MB at once. */
enum { LONG = 40000, LONGEST = 16 * LONG };

static void fill_long(long *to, int count, long first)
{
    for (int i = 0; i < count; i++)
        to[i] = first + i;
}

static void check_long(const long *from, int count, long first)
{
    int i = 0;
    while (i < count && from[i] == first + i)
        i++;
    CHECK_EQ(i, count);
}

static void long_data_stays_in_order(int me, int n)
{
    const int right = (me + 1) % n, left = (me + n - 1) % n;
    long *data = shmem_malloc(LONGEST * sizeof *data), *mine = malloc(LONGEST * sizeof *mine);
    CHECK(data && mine);
    static_signal = 0;
    fill_long(data, LONGEST, me);
    shmem_barrier_all();
    shmem_long_get(mine, data, LONGEST, right);
    check_long(mine, LONGEST, right);
    shmem_barrier_all();
    for (int i = 1; i <= 8; i++) {
        for (int part = 0; part < 4; part++)
            fill_long(mine + part * LONG, LONG, 100 * i + 10 * me + part);
        shmem_long_put_nbi(data, mine, LONG, right);
        shmem_fence();
        shmem_long_put_nbi(data, mine + LONG, LONG, right);
        shmem_long_put_nbi(data + LONG, mine + 2 * LONG, LONG, right);
        shmem_fence();
        shmem_long_p(data + LONG, -i, right);
        shmem_long_put_signal_nbi(data + 2 * LONG, mine + 3 * LONG, LONG, &static_signal, (uint64_t)i,
                                  SHMEM_SIGNAL_SET, right);
        CHECK_EQ(shmem_signal_wait_until(&static_signal, SHMEM_CMP_EQ, (uint64_t)i), i);
        check_long(data + 2 * LONG, LONG, 100 * i + 10 * left + 3);
        shmem_barrier_all();
        check_long(data, LONG, 100 * i + 10 * left + 1);
        CHECK_EQ(data[LONG], -i);
        check_long(data + LONG + 1, LONG - 1, 100 * i + 10 * left + 3);
        shmem_barrier_all();
    }
    free(mine);
    shmem_free(data);
}

static void blocking_put_signal_lets_the_source_be_reused(int me, int n)
{
    const int right = (me + 1) % n;
    static_signal = 0;
    shmem_barrier_all();
    for (int j = 0; j < ELEMENTS; j++) {
        long value = 5000 * me + j;
        shmem_long_put_signal(&static_data[j], &value, 1, &static_signal, 1, SHMEM_SIGNAL_ADD,
                              right);
        value = -1;
        memcpy(&source[j], &value, sizeof value);
    }
    shmem_signal_wait_until(&static_signal, SHMEM_CMP_EQ, ELEMENTS);
    for (int j = 0; j < ELEMENTS; j++)
        CHECK_EQ(static_data[j], 5000 * ((me + n - 1) % n) + j);
    shmem_barrier_all();
}

/* All PEs add to one signal, by each routine that can. */
static void additions_are_atomic(int n)
{
    long value = 3;
    static_signal = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        shmem_signal_add(&static_signal, 1, 0);
        shmem_ctx_signal_add(SHMEM_CTX_DEFAULT, &static_signal, 1, 0);
        shmem_long_put_signal(&static_data[shmem_my_pe()], &value, 1, &static_signal, 1,
                              SHMEM_SIGNAL_ADD, 0);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        CHECK_EQ(shmem_signal_fetch(&static_signal), 3 * TIMES * (uint64_t)n);
    shmem_barrier_all();
}

/* No torn value: both halves of each value set are equal. */
static void settings_are_atomic(int me)
{
    static_signal = 0;
    shmem_barrier_all();
    for (uint64_t i = 1; i <= TIMES; i++) {
        const uint64_t half = i * 64 + (uint64_t)me;
        shmem_signal_set(&static_signal, half << 32 | half, 0);
        shmem_ctx_signal_set(SHMEM_CTX_DEFAULT, &static_signal, half << 32 | half, 0);
        const uint64_t seen = shmem_signal_fetch(&static_signal);
        CHECK_EQ(seen >> 32, seen & UINT32_MAX);
    }
    shmem_barrier_all();
}

static void fetch_is_of_the_local_signal(int me, int n)
{
    counts = 0;
    shmem_barrier_all();
    shmem_signal_set(&counts, UINT64_MAX - (uint64_t)me, (me + 1) % n);
    shmem_barrier_all();
    CHECK_EQ(shmem_signal_fetch(&counts), UINT64_MAX - (uint64_t)((me + n - 1) % n));
    shmem_barrier_all();
}

/* The partner goes on switching the signal on and off: a value read again after the test would
 * often be off. */
static void wait_returns_the_value_that_satisfied_it(int me, int n)
{
    static volatile long done;
    const int partner = me ^ 1;
    counts = 0;
    shmem_barrier_all();
    if (partner < n && me % 2) {
        for (int i = 0; i < TIMES; i++)
            CHECK_EQ(shmem_signal_wait_until(&counts, SHMEM_CMP_NE, 0) % 2, 1);
        shmem_long_p((long *)&done, 1, partner);
        shmem_quiet();
    } else if (partner < n) {
        for (uint64_t i = 0; !done && i < MAX_SWITCHES; i++) {
            shmem_signal_set(&counts, 2 * i + 1, partner);
            shmem_signal_set(&counts, 0, partner);
        }
        CHECK_EQ(done, 1);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    signals_and_data_may_lie_apart(me, n);
    long_data_stays_in_order(me, n);
    blocking_put_signal_lets_the_source_be_reused(me, n);
    additions_are_atomic(n);
    settings_are_atomic(me);
    fetch_is_of_the_local_signal(me, n);
    wait_returns_the_value_that_satisfied_it(me, n);
    return test_finish();
}

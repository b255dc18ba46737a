/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order around a copy past the caches, whose stores have none by themselves: what comes after it in
 * program order is seen after all of it (a signal; a fence and a flag), and what came before it and a
 * fence is seen before any of it. PEs in pairs: the first sends, the second watches.
 */
#include "streams.h"

#include "check.h"

#include <stdbool.h>

enum { WORDS = 16 << 10, ROUNDS = 300, MOST_POLLS = 2000000000 };

static volatile long flag, before;
static volatile long array[WORDS];
static long source[WORDS];
static uint64_t signal_object;
static long answer;

static void fill(long round)
{
    for (int i = 0; i < WORDS; i++)
        source[i] = round;
}

/* Ends of the array by turns: what streams last, and what the loop stores first. */
static long newest(long round)
{
    return array[round % 2 ? WORDS - 1 : 16];
}

static void send(long round, int pe)
{
    fill(round);
    switch (round % 3) {
    case 0:
        shmem_long_put_signal((long *)array, source, WORDS, &signal_object, (uint64_t)round,
                              SHMEM_SIGNAL_SET, pe);
        break;
    case 1:
        shmem_long_put((long *)array, source, WORDS, pe);
        shmem_fence();
        shmem_long_p((long *)&flag, round, pe);
        break;
    default:
        shmem_long_p((long *)&before, round, pe);
        shmem_fence();
        shmem_long_put((long *)array, source, WORDS, pe);
    }
}

static void watch(long round)
{
    switch (round % 3) {
    case 0:
        shmem_signal_wait_until(&signal_object, SHMEM_CMP_EQ, (uint64_t)round);
        break;
    case 1:
        shmem_long_wait_until((long *)&flag, SHMEM_CMP_EQ, round);
        break;
    default:
        for (long polls = 0; newest(round) != round && polls < MOST_POLLS; polls++)
            if (polls % 1000 == 999) /* another PE may need this CPU */
                shmem_long_test((long *)&flag, SHMEM_CMP_EQ, -1);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        CHECK_EQ(before, round);
        return;
    }
    for (int i = WORDS - 1; i >= 0; i--) /* the last ones to be stored would be the last to arrive */
        CHECK_EQ(array[i], round);
}

int main(void)
{
    skip_where_nothing_streams();
    shmem_init();
    int me = shmem_my_pe(), partner = me ^ 1;
    bool paired = partner < shmem_n_pes();
    for (long round = 1; round <= ROUNDS; round++) {
        if (paired && me % 2 == 0)
            send(round, partner);
        else if (paired)
            watch(round);
        if (paired && me % 2)
            shmem_long_p(&answer, round, partner);
        else if (paired)
            shmem_long_wait_until(&answer, SHMEM_CMP_EQ, round);
    }
    shmem_barrier_all();
    return test_finish();
}

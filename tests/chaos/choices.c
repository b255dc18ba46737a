/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The choices of SHEAF_CHAOS: the same for the same seed, PE and number, others for others, and of the shares
 * that are documented.
 */
#include "core/access/chaos/choice.h"

#include <stdio.h>
#include <stdlib.h>

#define MANY 16000

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    printf("failed: %s\n", what);
    exit(1);
}

static int is_same(struct sheaf_chaos_choice a, struct sheaf_chaos_choice b)
{
    return a.late_ns == b.late_ns && a.dawdle_ns == b.dawdle_ns;
}

static int count_same(uint64_t seed, int pe, uint64_t other_seed, int other_pe)
{
    int same = 0;
    for (uint64_t i = 1; i <= MANY; i++)
        same += is_same(sheaf_chaos_choose(seed, pe, i), sheaf_chaos_choose(other_seed, other_pe, i));
    return same;
}

/* Operations of MANY that are late by from to below to. */
static int count_late(uint64_t from, uint64_t to)
{
    int count = 0;
    for (uint64_t i = 1; i <= MANY; i++) {
        uint64_t late = sheaf_chaos_choose(1, 0, i).late_ns;
        count += late >= from && late < to;
    }
    return count;
}

static int count_slow(void)
{
    int slow = 0;
    for (int pe = 0; pe < MANY; pe++)
        slow += sheaf_chaos_is_slow(1, pe);
    return slow;
}

static void expect_dawdling(void)
{
    for (int pe = 0; pe < 64; pe++) {
        int dawdles = 0;
        for (uint64_t i = 1; i <= 1000; i++) {
            uint64_t ns = sheaf_chaos_choose(1, pe, i).dawdle_ns;
            expect(ns < sheaf_times.chaos_slow_most, "a PE dawdles for less than 300 us");
            dawdles += ns != 0;
        }
        expect((dawdles != 0) == sheaf_chaos_is_slow(1, pe), "slow PEs dawdle, and no others");
    }
}

int main(void)
{
    expect(count_same(7, 3, 7, 3) == MANY, "the same seed and PE have the same choices");
    expect(count_same(7, 3, 8, 3) < MANY / 4, "another seed has others");
    expect(count_same(7, 3, 7, 4) < MANY / 4, "another PE has others");
    expect(abs(count_late(0, 1) - MANY * 6 / 16) < MANY / 40, "6 of 16 are not late");
    expect(abs(count_late(3000000, 30000000) - MANY * 18 / 160) < MANY / 40, "18 of 160 by 3 ms and more");
    expect(count_late(30000000, UINT64_MAX) == 0, "none is late by 30 ms");
    expect(abs(count_slow() - MANY / 4) < MANY / 40, "one PE of four is slow");
    expect_dawdling();
    return 0;
}

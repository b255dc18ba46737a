/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A group learns (trial.c) from the times of a simulated machine. The machine's processors have a cache in
 * common or none; times vary by a tenth, and now and then something else runs. As in a group the time of a
 * call is told once the next one has begun. A wrong choice takes longer than a limit here allows.
 */
#include "../src/torch.h"

#include <stdio.h>

#define FIRST 48
#define EVERY 32
#define CALLS 10000

/* ns of a call by each way: all_to_all of 64 KiB (EPYC, Zen 4). */
static const double one_cache[] = {4500, 6800}, two_caches[] = {18500, 6600}, equal[] = {5000, 5000};

static struct sheaf_trial trial;
static unsigned seed, changes;
static uint32_t told; /* the turn of the call before */
static uint64_t took;
static int failures;

static unsigned next_random(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 16 & 0x7fff;
}

static double best(const double *machine)
{
    return machine[0] < machine[1] ? machine[0] : machine[1];
}

/* The time of so many calls over that by the better way. */
static double run(const double *machine, int calls, int is_known)
{
    double sum = 0;
    for (int i = 0; i < calls; i++) {
        uint32_t turn, before = trial.way;
        enum sheaf_torch_way way = sheaf_trial_way(&trial, &turn);
        if (told)
            sheaf_trial_took(&trial, told, took);
        changes += trial.way != before;
        double ns = machine[way] * (0.95 + (double)next_random() / 0x7fff / 10);
        sum += ns;
        if (next_random() % 60 == 0)
            ns += 20000; /* an interrupt, which costs all ways alike */
        told = turn;
        took = is_known ? (uint64_t)ns : 0;
    }
    return sum / calls / best(machine);
}

static void begin(unsigned with)
{
    sheaf_trial_begin(&trial, SHEAF_CACHED, FIRST, EVERY);
    seed = with;
    told = changes = 0;
}

static void expect(const char *what, double ratio, double most)
{
    if (ratio <= most)
        return;
    printf("%s: %.3f times the better way's time, expected at most %.3f (seed %u)\n", what, ratio, most,
           seed);
    failures++;
}

static void expect_way(const char *what, enum sheaf_torch_way way, unsigned most_changes)
{
    if (trial.way == way && changes <= most_changes)
        return;
    printf("%s: way %u after %u changes, expected %u after at most %u\n", what, trial.way, changes, way,
           most_changes);
    failures++;
}

int main(void)
{
    for (unsigned with = 1; with <= 200; with++) {
        begin(with);
        expect("one cache", run(one_cache, CALLS, 1), 1.02);
        expect_way("one cache", SHEAF_CACHED, 0);

        begin(with);
        expect("two caches", run(two_caches, CALLS, 1), 1.04);
        expect_way("two caches", SHEAF_PAST, 1);

        /* The machine changes its speed under the program. */
        expect("then one cache", run(one_cache, CALLS, 1), 1.08);
        expect_way("then one cache", SHEAF_CACHED, 2);
        expect("then two caches", run(two_caches, CALLS, 1), 1.08);
        expect_way("then two caches", SHEAF_PAST, 3);

        begin(with);
        expect("equal", run(equal, CALLS, 1), 1.01);
        expect_way("equal", SHEAF_CACHED, 0);

        begin(with);
        run(two_caches, CALLS, 0);
        expect_way("not timed", SHEAF_CACHED, 0);
    }
    return failures != 0;
}

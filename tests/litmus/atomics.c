/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations as messages, as locks, and as counters: nothing is lost, nobody sees a word go back,
 * and all see two PEs' words change in the same order.
 */
#include "litmus.h"

static bool has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

static void message(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_long_atomic_add(&at->x, 1, run->pe[1]), shmem_fence(),
                        shmem_long_atomic_add(&at->y, 1, run->pe[1]));
    } else if (run->role == 1) {
        run->saw[0] = shmem_long_atomic_fetch(&at->y, run->me);
        run->saw[1] = shmem_long_atomic_fetch(&at->x, run->me);
    }
}

/* A fetching operation has returned, so it is done: a put after it needs no fence to come later. */
static void fetching_message(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, (void)shmem_long_atomic_fetch_add(&at->x, 1, run->pe[1]), (void)0,
                        shmem_long_atomic_set(&at->y, 1, run->pe[1]));
    } else if (run->role == 1) {
        run->saw[0] = shmem_long_atomic_fetch(&at->y, run->me);
        run->saw[1] = shmem_long_atomic_fetch(&at->x, run->me);
    }
}

/* Role 1 passes on what it has fetched; role 2 then finds it where it came from. */
static void passed_on(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        shmem_long_atomic_set(&at->x, 1, run->pe[0]);
    if (run->role == 1) {
        if (run->is_broken)
            shmem_long_atomic_set(&at->y, 1, run->pe[2]);
        else if (shmem_long_atomic_fetch(&at->x, run->pe[0]) == 1)
            shmem_long_atomic_set(&at->y, 1, run->pe[2]);
    }
    if (run->role == 2) {
        run->saw[0] = shmem_long_atomic_fetch(&at->y, run->me);
        run->saw[1] = shmem_long_atomic_fetch(&at->x, run->pe[0]);
    }
}

static bool is_passed_on_too_early(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] == 0;
}

/* Roles 0 and 1 write a word each, roles 2 and 3 read both, in opposite orders. */
static void independent_reads(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0 || run->role == 1)
        shmem_long_atomic_set(&at->x, 1, run->pe[run->role]);
    if (run->role != 2 && run->role != 3)
        return;
    const int early = run->pe[run->role - 2], late = run->pe[3 - run->role];
    LITMUS_IN_ORDER(run, run->saw[0] = shmem_long_atomic_fetch(&at->x, early), shmem_quiet(),
                    run->saw[1] = shmem_long_atomic_fetch(&at->x, late));
}

static bool readers_disagree(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] == 0 && outcome->saw[3][0] == 1 &&
           outcome->saw[3][1] == 0;
}

/* A word that grows is never seen to shrink. */
static void growing(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_atomic_add(&at->x, 1, run->pe[1]), (void)0,
                        shmem_long_atomic_add(&at->x, run->is_broken ? -1 : 1, run->pe[1]));
    if (run->role < 1)
        return;
    run->saw[0] = shmem_long_atomic_fetch(&at->x, run->pe[1]);
    litmus_pause(run);
    run->saw[1] = shmem_long_atomic_fetch(&at->x, run->pe[1]);
}

static bool shrinks(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] > outcome->saw[1][1];
}

/* Each takes a number; no two are the same, and none is left out. */
static void tickets(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    for (int i = 0; i < 2; i++) {
        if (!run->is_broken) {
            run->saw[i] = shmem_long_atomic_fetch_inc(&at->x, run->pe[0]);
        } else {
            run->saw[i] = shmem_long_atomic_fetch(&at->x, run->pe[0]);
            shmem_long_atomic_set(&at->x, run->saw[i] + 1, run->pe[0]);
        }
    }
}

static bool a_number_is_lost(const struct litmus_outcome *outcome)
{
    long drawn = 0;
    for (int role = 0; role < 2; role++)
        for (int i = 0; i < 2; i++)
            drawn |= 1L << outcome->saw[role][i];
    return drawn != 0xf || outcome->x[0] != 4;
}

/* Of all that compare and swap one wins. */
static void election(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    if (!run->is_broken) {
        run->saw[0] = shmem_long_atomic_compare_swap(&at->x, 0, run->role + 1, run->pe[0]) == 0;
    } else {
        run->saw[0] = shmem_long_atomic_fetch(&at->x, run->pe[0]) == 0;
        shmem_long_atomic_set(&at->x, run->role + 1, run->pe[0]);
    }
}

static bool not_one_wins(const struct litmus_outcome *outcome)
{
    const bool first = outcome->saw[0][0] != 0, second = outcome->saw[1][0] != 0;
    return first == second || outcome->x[0] != (first ? 1 : 2);
}

/* A lock that a program makes of compare-and-swap, a fence and a set. */
static void own_lock(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    const int home = run->pe[0];
    if (run->role < 0)
        return;
    if (!run->is_broken)
        while (shmem_long_atomic_compare_swap(&at->z, 0, 1, home) != 0)
            ;
    const long x = shmem_long_g(&at->x, home);
    shmem_long_p(&at->x, x + 1, home);
    litmus_pause(run);
    shmem_long_p(&at->y, x + 1, home);
    shmem_fence();
    if (!run->is_broken)
        shmem_long_atomic_set(&at->z, 0, home);
}

static bool an_addition_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->x[0] != 2 || outcome->y[0] != 2;
}

/* Bits that different PEs set in one word, while others are cleared. */
static void bits(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    unsigned long *word = (unsigned long *)&at->x;
    if (run->role < 0)
        return;
    for (int bit = run->role; bit < 16; bit += 2) {
        if (!run->is_broken)
            shmem_ulong_atomic_or(word, 1UL << bit, run->pe[0]);
        else
            shmem_ulong_atomic_set(word, shmem_ulong_atomic_fetch(word, run->pe[0]) | 1UL << bit, run->pe[0]);
    }
}

static bool a_bit_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->x[0] != 0xffff;
}

int main(int argc, char **argv)
{
    static const char by_hand[] = "a fetch and a set take the operation's place";
    static const struct litmus_shape shapes[] = {
        {"add, fence, add", "the flag is there and its data are not; shmem_fence", 2, message, has_flag_alone,
         "the flag goes before the data", false},
        {"fetch_add, set", "the flag is there before a fetching operation is done; shmem_atomic_fetch_add", 2,
         fetching_message, has_flag_alone, "the flag goes before the data", false},
        {"set, fetch and set, fetch", "what was passed on is gone where it came from; shmem_atomic_fetch", 3,
         passed_on, is_passed_on_too_early, "it is passed on without a look", false},
        {"independent fetches of independent sets", "two PEs see two changes in opposite orders; shmem_atomic_fetch",
         4, independent_reads, readers_disagree, "the fetches change places", false},
        {"fetches of a growing word", "the word shrinks; shmem_atomic_fetch", 2, growing, shrinks,
         "it is made to shrink", false},
        {"fetch_inc", "a number is drawn twice or never; shmem_atomic_fetch_inc", 2, tickets, a_number_is_lost,
         by_hand, false},
        {"compare_swap", "none wins or both; shmem_atomic_compare_swap", 2, election, not_one_wins, by_hand, false},
        {"lock of compare_swap, fence, set", "an addition is lost; shmem_atomic_compare_swap, shmem_fence", 2,
         own_lock, an_addition_is_lost, "the lock is left out", false},
        {"or", "a bit is lost; shmem_atomic_or", 2, bits, a_bit_is_lost, by_hand, false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

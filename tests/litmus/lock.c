/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks as order: what was done with the lock held is there for the next holder. The data lie on role 0's
 * PE, and, for the others, elsewhere than the lock itself.
 */
#include "litmus.h"

static long lock;

/* Adds one to x and y, one after the other; reports what they were before. */
static void add_to_both(struct litmus_run *run, int pe)
{
    const long x = shmem_long_g(&run->at->x, pe);
    const long y = shmem_long_g(&run->at->y, pe);
    run->saw[0] = x;
    run->saw[1] = y;
    shmem_long_p(&run->at->x, x + 1, pe);
    litmus_pause(run);
    shmem_long_p(&run->at->y, y + 1, pe);
}

static void critical_section(struct litmus_run *run)
{
    if (run->role < 0)
        return;
    LITMUS_KEPT(run, shmem_set_lock(&lock));
    add_to_both(run, run->pe[0]);
    LITMUS_KEPT(run, shmem_clear_lock(&lock));
}

static void critical_section_by_test(struct litmus_run *run)
{
    if (run->role < 0)
        return;
    if (!run->is_broken)
        while (shmem_test_lock(&lock) != 0)
            ;
    add_to_both(run, run->pe[0]);
    LITMUS_KEPT(run, shmem_clear_lock(&lock));
}

/* x is the PEs that have been, y too: a holder sees both alike, and each sees another number. */
static bool is_torn_or_lost(const struct litmus_outcome *outcome, int roles)
{
    bool bad = outcome->x[0] != roles || outcome->y[0] != roles;
    for (int role = 0; role < roles; role++)
        bad |= outcome->saw[role][0] != outcome->saw[role][1];
    return bad;
}

static bool two_clash(const struct litmus_outcome *outcome)
{
    return is_torn_or_lost(outcome, 2);
}

static bool four_clash(const struct litmus_outcome *outcome)
{
    return is_torn_or_lost(outcome, 4);
}

/* My own stores, which the next holder gets from me. */
static void own_stores(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    LITMUS_KEPT(run, shmem_set_lock(&lock));
    if (run->role == 0) {
        litmus_store(&at->x, 1);
        litmus_pause(run);
        litmus_store(&at->y, 1);
    } else {
        run->saw[0] = shmem_long_g(&at->y, run->pe[0]);
        run->saw[1] = shmem_long_g(&at->x, run->pe[0]);
        run->saw[2] = shmem_long_g(&at->y, run->pe[0]);
    }
    LITMUS_KEPT(run, shmem_clear_lock(&lock));
}

static bool holder_sees_half(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] != outcome->saw[1][1] || outcome->saw[1][1] != outcome->saw[1][2];
}

/* clear_lock completes puts to other PEs too: who holds the lock next finds them there. */
static void put_elsewhere(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_KEPT(run, shmem_set_lock(&lock));
        shmem_long_p(&at->x, 1, run->pe[2]);
        shmem_long_p(&at->x, 1, run->pe[1]);
        LITMUS_KEPT(run, shmem_clear_lock(&lock));
    } else if (run->role == 1) {
        LITMUS_KEPT(run, shmem_set_lock(&lock));
        run->saw[0] = litmus_load(&at->x);
        run->saw[1] = shmem_long_g(&at->x, run->pe[2]);
        LITMUS_KEPT(run, shmem_clear_lock(&lock));
    }
}

static bool holder_misses_one(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] != outcome->saw[1][1];
}

int main(int argc, char **argv)
{
    static const char forbids[] = "two holders at once, or one does not see what the last one left; shmem_set_lock";
    static const char half[] = "a holder sees half of what the last one did; shmem_clear_lock";
    static const char left_out[] = "the lock is left out";
    static const struct litmus_shape shapes[] = {
        {"critical section of two", forbids, 2, critical_section, two_clash, left_out, false},
        {"critical section of four", forbids, 4, critical_section, four_clash, left_out, false},
        {"critical section by test_lock", forbids, 2, critical_section_by_test, two_clash, left_out, false},
        {"stores, clear_lock, set_lock, gets", half, 2, own_stores, holder_sees_half, left_out, false},
        {"puts to two PEs, clear_lock, set_lock", half, 3, put_elsewhere, holder_misses_one, left_out, false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

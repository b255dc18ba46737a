/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What nothing orders, though it is ordered on one host as a rule: puts side by side, a fence towards another
 * PE, calls that synchronize and complete nothing. All outcomes are allowed; SHEAF_CHAOS shows them.
 */
#include "litmus.h"

static const long ones[LITMUS_BLOCK] = {[0 ... LITMUS_BLOCK - 1] = 1};

static void look(struct litmus_run *run)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(&run->at->x);
}

static void look_elsewhere(struct litmus_run *run)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = shmem_long_g(&run->at->x, run->pe[1]);
}

static void put_put(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        shmem_long_p(&run->at->y, 1, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

static void put_atomic(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        shmem_long_atomic_inc(&run->at->y, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

/* A fetching operation is done on return; puts before it need not be. */
static void put_swap(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        (void)shmem_long_atomic_swap(&run->at->y, 1, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

static void atomic_atomic(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_atomic_set(&run->at->x, 1, run->pe[1]);
        shmem_long_atomic_set(&run->at->y, 1, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

static void put_put_one_word(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    shmem_long_p(&run->at->x, 1, run->pe[1]);
    shmem_long_p(&run->at->x, 2, run->pe[1]);
}

static bool first_stays(const struct litmus_outcome *outcome)
{
    return outcome->x[1] == 1;
}

static void fence_elsewhere(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        shmem_fence();
        shmem_long_p(&run->at->y, 1, run->pe[2]);
    } else if (run->role == 2) {
        look_elsewhere(run);
    }
}

static void pe_quiet_elsewhere(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_long_p(&run->at->x, 1, run->pe[1]);
        shmem_pe_quiet(&run->pe[2], 1);
        shmem_long_p(&run->at->y, 1, run->pe[2]);
    } else if (run->role == 2) {
        look_elsewhere(run);
    }
}

/* The third PE is told by the second, which waited; the data were fenced, towards another PE. */
static void passed_on(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_long_p(&at->x, 1, run->pe[2]);
        shmem_fence();
        shmem_long_p(&at->z, 1, run->pe[1]);
    } else if (run->role == 1) {
        shmem_long_wait_until(&at->z, SHMEM_CMP_EQ, 1);
        shmem_long_p(&at->y, 1, run->pe[2]);
    } else if (run->role == 2) {
        shmem_long_wait_until(&at->y, SHMEM_CMP_EQ, 1);
        run->saw[0] = 1;
        run->saw[1] = litmus_load(&at->x);
    }
}

static bool put_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] != 1;
}

static void sync_all(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_long_p(&run->at->x, 1, run->pe[1]);
    shmem_sync_all();
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

static void team_sync(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_long_atomic_add(&run->at->x, 1, run->pe[1]);
    CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

static void reduction(struct litmus_run *run)
{
    static long source, dest;
    if (run->role == 0)
        shmem_long_p(&run->at->x, 1, run->pe[1]);
    CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

static void own_get(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    shmem_long_p(&run->at->x, 1, run->pe[1]);
    run->saw[0] = shmem_long_g(&run->at->x, run->pe[1]);
}

static void own_fetch(struct litmus_run *run)
{
    if (run->role != 0)
        return;
    shmem_long_atomic_add(&run->at->x, 1, run->pe[1]);
    run->saw[0] = shmem_long_atomic_fetch(&run->at->x, run->pe[1]);
}

static bool misses_own(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 0;
}

static void two_put_signals(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_long_put_signal(&at->x, ones, 1, &at->signal, 1, SHMEM_SIGNAL_ADD, run->pe[1]);
        shmem_long_put_signal(&at->z, ones, 1, (uint64_t *)&at->y, 1, SHMEM_SIGNAL_SET, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

static void put_signal_set(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_long_put(&at->x, ones, 1, run->pe[1]);
        shmem_signal_set(SHMEM_CTX_DEFAULT, (uint64_t *)&at->y, 1, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

/* A lock of a program's own, on another PE than the data, that is given back without a quiet. */
static void own_lock(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    const int home = run->pe[1], data = run->pe[0];
    if (run->role < 0)
        return;
    while (shmem_long_atomic_compare_swap(&at->z, 0, 1, home) != 0)
        ;
    shmem_long_p(&at->x, shmem_long_g(&at->x, data) + 1, data);
    (void)shmem_long_atomic_swap(&at->z, 0, home);
}

static bool an_addition_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->x[0] != 2;
}

int main(int argc, char **argv)
{
    static const struct litmus_shape shapes[] = {
        LITMUS_ALLOWED("put, put", 2, put_put, litmus_has_flag_alone),
        LITMUS_ALLOWED("put, atomic inc", 2, put_atomic, litmus_has_flag_alone),
        LITMUS_ALLOWED("put, swap", 2, put_swap, litmus_has_flag_alone),
        LITMUS_ALLOWED("atomic set, atomic set", 2, atomic_atomic, litmus_has_flag_alone),
        LITMUS_ALLOWED("put, put to one word", 2, put_put_one_word, first_stays),
        LITMUS_ALLOWED("put, signal_set", 2, put_signal_set, litmus_has_flag_alone),
        LITMUS_ALLOWED("put_signal, put_signal", 2, two_put_signals, litmus_has_flag_alone),
        LITMUS_ALLOWED("put, fence, put to another PE", 3, fence_elsewhere, litmus_third_has_flag_alone),
        LITMUS_ALLOWED("put, pe_quiet of another PE, put to it", 3, pe_quiet_elsewhere,
                       litmus_third_has_flag_alone),
        LITMUS_ALLOWED("put, fence, put to another PE, which passes it on", 3, passed_on,
                       litmus_third_has_flag_alone),
        LITMUS_ALLOWED("put, sync_all, load", 2, sync_all, put_is_lost),
        LITMUS_ALLOWED("atomic add, team_sync, load", 2, team_sync, put_is_lost),
        LITMUS_ALLOWED("put, max_reduce, load", 2, reduction, put_is_lost),
        LITMUS_ALLOWED("put, get of the same word", 2, own_get, misses_own),
        LITMUS_ALLOWED("atomic add, fetch of the same word", 2, own_fetch, misses_own),
        LITMUS_ALLOWED("lock of compare_swap, put, swap", 2, own_lock, an_addition_is_lost),
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

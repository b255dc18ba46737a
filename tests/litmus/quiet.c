/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a quiet completes: operations of its context and stores, towards all PEs. And what a blocking get
 * or fetch promises without one.
 */
#include "litmus.h"

/* Each of two PEs writes a word of the other and then reads its own. */
static void store_buffering(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    shmem_long_p(&at->x, 1, run->pe[1 - run->role]);
    LITMUS_KEPT(run, shmem_quiet());
    run->saw[0] = shmem_long_g(&at->x, run->me);
}

static bool both_see_nothing(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 0 && outcome->saw[1][0] == 0;
}

static void store_buffering_without_quiet(struct litmus_run *run)
{
    if (run->role < 0)
        return;
    shmem_long_p(&run->at->x, 1, run->pe[1 - run->role]);
    run->saw[0] = shmem_long_g(&run->at->x, run->me);
}

static void store_buffering_by_nbi(struct litmus_run *run)
{
    static const long ones[LITMUS_BLOCK] = {[0 ... LITMUS_BLOCK - 1] = 1};
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    shmem_long_put_nbi(at->block, ones, LITMUS_BLOCK, run->pe[1 - run->role]);
    LITMUS_KEPT(run, shmem_quiet());
    run->saw[0] = shmem_long_g(&at->block[LITMUS_BLOCK - 1], run->me);
    shmem_quiet();
}

static void store_buffering_by_atomics(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    shmem_ctx_long_atomic_set(litmus_context, &at->x, 1, run->pe[1 - run->role]);
    LITMUS_KEPT(run, shmem_ctx_quiet(litmus_context));
    run->saw[0] = shmem_long_atomic_fetch(&at->x, run->me);
    shmem_ctx_quiet(litmus_context);
}

/* A plain store to my own copy, which the other gets. */
static void store_buffering_by_stores(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    litmus_store(&at->x, 1);
    LITMUS_KEPT(run, shmem_quiet());
    run->saw[0] = shmem_long_g(&at->x, run->pe[1 - run->role]);
}

static void store_buffering_by_pe_quiet(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    const int other = run->pe[1 - run->role];
    shmem_long_p(&at->x, 1, other);
    LITMUS_KEPT(run, shmem_pe_quiet(&other, 1));
    run->saw[0] = shmem_long_g(&at->x, run->me);
}

/* A fetching operation is complete on return: no quiet is needed. */
static void store_buffering_by_swap(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    const int other = run->pe[1 - run->role];
    if (run->is_broken)
        shmem_long_p(&at->x, 1, other);
    else
        (void)shmem_long_atomic_swap(&at->x, 1, other);
    run->saw[0] = shmem_long_g(&at->x, run->me);
}

/* Role 0 writes at role 1 and tells role 2, which looks there. */
static void told_elsewhere(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[1]), shmem_quiet(),
                        shmem_long_p(&at->y, 1, run->pe[2]));
    } else if (run->role == 2) {
        run->saw[0] = shmem_long_test(&at->y, SHMEM_CMP_EQ, 1);
        run->saw[1] = shmem_long_g(&at->x, run->pe[1]);
    }
}

static bool last_has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] != 1;
}

/* A store to my own copy, told to another PE, which gets it. */
static void told_of_a_store(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, litmus_store(&at->x, 1), shmem_quiet(), shmem_long_p(&at->y, 1, run->pe[1]));
    } else if (run->role == 1) {
        run->saw[0] = shmem_long_test(&at->y, SHMEM_CMP_EQ, 1);
        run->saw[1] = shmem_long_g(&at->x, run->pe[0]);
    }
}

static bool second_has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

/* Each gets what the other puts only after its own get has returned. */
static void load_buffering(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    const int other = run->pe[1 - run->role];
    LITMUS_IN_ORDER(run, run->saw[0] = shmem_long_g(&at->x, other), (void)0,
                    shmem_long_p(&at->x, 1, run->me));
}

static void load_buffering_by_get(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    long got[LITMUS_BLOCK] = {0};
    if (run->role < 0)
        return;
    const int other = run->pe[1 - run->role];
    LITMUS_IN_ORDER(run, shmem_long_get(got, at->block, LITMUS_BLOCK, other), (void)0,
                    shmem_long_p(&at->block[3], 1, run->me));
    run->saw[0] = got[3];
}

static bool both_see_the_future(const struct litmus_outcome *outcome)
{
    return outcome->saw[0][0] == 1 && outcome->saw[1][0] == 1;
}

/* Two writers, two words on two PEs: each ends with the other's first value. */
static void both_overwritten(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role < 0)
        return;
    const int mine = run->me, other = run->pe[1 - run->role];
    LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, mine), shmem_quiet(), shmem_long_p(&at->x, 2, other));
    shmem_quiet();
}

static bool first_values_stay(const struct litmus_outcome *outcome)
{
    return outcome->x[0] == 1 && outcome->x[1] == 1;
}

int main(int argc, char **argv)
{
    static const char nothing[] = "neither PE sees the other's value; shmem_quiet";
    static const char left_out[] = "the quiet is left out", flag_first[] = "the flag goes before the data";
    static const char alone[] = "the flag is there and its data are not; shmem_quiet";
    static const char future[] = "both gets see what was put after the other; shmem_get";
    static const char put_first[] = "the put goes before the get";
    static const struct litmus_shape shapes[] = {
        {"put, quiet, get", nothing, 2, store_buffering, both_see_nothing, left_out, false},
        {"put, get", "allowed: a put may be under way on return; shmem_put", 2, store_buffering_without_quiet,
         both_see_nothing, NULL, true},
        {"put_nbi, quiet, get", nothing, 2, store_buffering_by_nbi, both_see_nothing, left_out, false},
        {"atomic set, quiet of a context, fetch", nothing, 2, store_buffering_by_atomics, both_see_nothing,
         left_out, false},
        {"store, quiet, get", nothing, 2, store_buffering_by_stores, both_see_nothing, left_out, false},
        {"put, pe_quiet, get", "neither PE sees the other's value; shmem_pe_quiet", 2,
         store_buffering_by_pe_quiet, both_see_nothing, left_out, false},
        {"swap, get", "neither PE sees the other's value; shmem_atomic_swap", 2, store_buffering_by_swap,
         both_see_nothing, "a put takes the swap's place", false},
        {"put, quiet, put to a third PE", alone, 3, told_elsewhere, last_has_flag_alone, flag_first, false},
        {"store, quiet, put", alone, 2, told_of_a_store, second_has_flag_alone, flag_first, false},
        {"g, p", future, 2, load_buffering, both_see_the_future, put_first, false},
        {"long get, p", future, 2, load_buffering_by_get, both_see_the_future, put_first, false},
        {"put, quiet, put on two PEs", "both words end with what was put there first; shmem_quiet", 2,
         both_overwritten, first_values_stay, "the puts change places", false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

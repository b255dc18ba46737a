/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts side by side: each is ordered and completed by itself, and a barrier completes the default one
 * alone. Role 0 sends, role 1 looks, role 2 is told.
 */
#include "litmus.h"

#define FLAG_ALONE "the flag is there and its data are not"
#define SWAPPED    "the flag goes before the data"

static void look(struct litmus_run *run)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(&run->at->x);
}

static void put_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]);
        shmem_long_p(&at->y, 1, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void quiet_of_its_own(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]),
                        shmem_ctx_quiet(litmus_context), shmem_long_p(&at->y, 1, run->pe[1]));
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void quiet_of_another(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]);
        shmem_quiet();
        shmem_long_p(&at->y, 1, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

/* Its own fence orders a context's puts, but not before another context's. */
static void fence_of_its_own(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]);
        shmem_ctx_fence(litmus_context);
        shmem_long_p(&at->y, 1, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void pe_quiet(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]),
                        shmem_ctx_pe_quiet(litmus_context, &run->pe[1], 1), shmem_long_p(&at->y, 1, run->pe[1]));
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void put_of_a_short_life(struct litmus_run *run, long *word)
{
    shmem_ctx_t context;
    CHECK_EQ(shmem_ctx_create(0, &context), 0);
    shmem_ctx_long_p(context, word, 1, run->pe[1]);
    shmem_ctx_destroy(context);
}

static void destroy(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, put_of_a_short_life(run, &at->x), (void)0, shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run);
}

static void barrier(struct litmus_run *run)
{
    if (run->role == 0)
        shmem_ctx_long_p(litmus_context, &run->at->x, 1, run->pe[1]);
    shmem_barrier_all();
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
    if (run->role == 0)
        shmem_ctx_quiet(litmus_context);
}

static void quiet_barrier(struct litmus_run *run)
{
    if (run->role == 0) {
        shmem_ctx_long_p(litmus_context, &run->at->x, 1, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    }
    LITMUS_KEPT(run, shmem_barrier_all());
    if (run->role == 1)
        run->saw[0] = litmus_load(&run->at->x);
}

/* Two signals of two contexts: the last value may be the first one's. */
static void two_signals(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role != 0)
        return;
    shmem_signal_set(litmus_context, (uint64_t *)&at->x, 1, run->pe[1]);
    shmem_signal_set(SHMEM_CTX_DEFAULT, (uint64_t *)&at->x, 2, run->pe[1]);
    shmem_ctx_quiet(litmus_context);
}

static bool first_stays(const struct litmus_outcome *outcome)
{
    return outcome->x[1] == 1;
}

static bool put_is_lost(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] != 1;
}

/* A lock given back completes the default context alone. */
static void clear_lock(struct litmus_run *run)
{
    static long lock;
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_set_lock(&lock);
        shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]);
        shmem_long_p(&at->y, 1, run->pe[1]);
        shmem_clear_lock(&lock);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        litmus_pause(run);
        shmem_set_lock(&lock);
        look(run);
        shmem_clear_lock(&lock);
    }
}

int main(int argc, char **argv)
{
    static const char left_out[] = "the barrier is left out";
    static const struct litmus_shape shapes[] = {
        {"put of a context, its quiet, put", FLAG_ALONE, 2, quiet_of_its_own, litmus_has_flag_alone, SWAPPED, false},
        {"put of a context, its pe_quiet, put", FLAG_ALONE, 2, pe_quiet, litmus_has_flag_alone, SWAPPED, false},
        {"put of a context, ctx_destroy, put", FLAG_ALONE, 2, destroy, litmus_has_flag_alone, SWAPPED, false},
        {"put of a context, its quiet, barrier_all", "the put is not there", 2, quiet_barrier, put_is_lost,
         left_out, false},
        LITMUS_ALLOWED("put of a context, put of another", 2, put_put, litmus_has_flag_alone),
        LITMUS_ALLOWED("put of a context, quiet of another, put", 2, quiet_of_another, litmus_has_flag_alone),
        LITMUS_ALLOWED("put of a context, its fence, put of another", 2, fence_of_its_own, litmus_has_flag_alone),
        LITMUS_ALLOWED("put of a context, barrier_all, load", 2, barrier, put_is_lost),
        LITMUS_ALLOWED("signals of two contexts", 2, two_signals, first_stays),
        LITMUS_ALLOWED("put of a context, clear_lock, set_lock", 2, clear_lock, litmus_has_flag_alone),
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

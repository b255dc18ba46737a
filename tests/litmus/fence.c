/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a fence orders: deliveries to one PE by one context, whatever carries them. Role 0 sends, role 1
 * looks once.
 */
#include "litmus.h"

#define FORBIDS "the flag is there and its data are not; shmem_fence"
#define SWAPPED "the flag goes before the data"

/* Role 1: the flag, then what it announces. */
static void look(struct litmus_run *run, const long *data)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(data);
}

static bool has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

static void put_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[1]), shmem_fence(),
                        shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, &at->x);
}

static void block_atomic(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    long ones[LITMUS_BLOCK];
    for (int i = 0; i < LITMUS_BLOCK; i++)
        ones[i] = 1;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_put(at->block, ones, LITMUS_BLOCK, run->pe[1]), shmem_fence(),
                        shmem_long_atomic_set(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, &at->block[run->number % LITMUS_BLOCK]);
}

static void nbi_nbi(struct litmus_run *run)
{
    static const long one = 1;
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_long_put_nbi(&at->x, &one, 1, run->pe[1]), shmem_fence(),
                        shmem_long_put_nbi(&at->y, &one, 1, run->pe[1]));
        shmem_quiet();
    } else if (run->role == 1) {
        look(run, &at->x);
    }
}

static void atomic_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_atomic_add(&at->x, 1, run->pe[1]), shmem_fence(),
                        shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, &at->x);
}

static void signal_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    static const long one = 1;
    if (run->role == 0)
        LITMUS_IN_ORDER(run,
                        shmem_long_put_signal(&at->x, &one, 1, &at->signal, 1, SHMEM_SIGNAL_SET,
                                              run->pe[1]),
                        shmem_fence(), shmem_long_p(&at->y, 1, run->pe[1]));
    else if (run->role == 1)
        look(run, (const long *)&at->signal);
}

static void of_a_context(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]),
                        shmem_ctx_fence(litmus_context),
                        shmem_ctx_long_atomic_inc(litmus_context, &at->y, run->pe[1]));
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run, &at->x);
    }
}

static void of_another_context(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_ctx_long_p(litmus_context, &at->x, 1, run->pe[1]);
        shmem_fence();
        shmem_long_p(&at->y, 1, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run, &at->x);
    }
}

/* Two values of one word, in the order in which they were put. */
static void one_word(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[1]), shmem_fence(),
                        shmem_long_p(&at->x, 2, run->pe[1]));
    } else if (run->role == 1) {
        run->saw[0] = shmem_long_atomic_fetch(&at->x, run->me);
        litmus_pause(run);
        run->saw[1] = shmem_long_atomic_fetch(&at->x, run->me);
    }
}

static bool goes_back(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] > outcome->saw[1][1] || outcome->x[1] != 2;
}

/* Two PEs' words: reading the later one and then the earlier one needs no order of the reader's but that
 * a blocking get is there on return. */
static void read_by_get(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[1]), shmem_fence(),
                        shmem_long_p(&at->y, 1, run->pe[1]));
    } else if (run->role == 2) {
        run->saw[0] = shmem_long_g(&at->y, run->pe[1]);
        run->saw[1] = shmem_long_g(&at->x, run->pe[1]);
    }
}

static bool got_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] != 1;
}

int main(int argc, char **argv)
{
    static const struct litmus_shape shapes[] = {
        {"put, fence, put", FORBIDS, 2, put_put, has_flag_alone, SWAPPED, false},
        {"long put, fence, atomic set", FORBIDS, 2, block_atomic, has_flag_alone, SWAPPED, false},
        {"put_nbi, fence, put_nbi", FORBIDS, 2, nbi_nbi, has_flag_alone, SWAPPED, false},
        {"atomic add, fence, put", FORBIDS, 2, atomic_put, has_flag_alone, SWAPPED, false},
        {"put_signal, fence, put", FORBIDS, 2, signal_put, has_flag_alone, SWAPPED, false},
        {"put, fence, atomic inc of a context", FORBIDS, 2, of_a_context, has_flag_alone, SWAPPED, false},
        {"put of a context, fence of another, put", "allowed: a fence orders its own context alone; shmem_fence",
         2, of_another_context, has_flag_alone, NULL, true},
        {"put, fence, put to one word", "the first value comes or stays last; shmem_fence", 2, one_word,
         goes_back, "the values are put the other way round", false},
        {"put, fence, put, read from elsewhere", "a PE gets the flag and then no data; shmem_fence, shmem_g", 3,
         read_by_get, got_flag_alone, SWAPPED, false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

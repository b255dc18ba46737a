/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits and tests: what was ordered before the update that satisfies one is there afterwards, on the
 * waiting PE and elsewhere.
 */
#include "litmus.h"

#define SWAPPED "the flag goes before the data"

static void send(struct litmus_run *run, long *flag)
{
    LITMUS_IN_ORDER(run, shmem_long_p(&run->at->x, 1, run->pe[1]), shmem_fence(),
                    shmem_long_p(flag, 1, run->pe[1]));
}

static bool has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

static void one(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, &run->at->y);
    if (run->role != 1)
        return;
    shmem_long_wait_until(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[0] = 1;
    run->saw[1] = litmus_load(&run->at->x);
}

/* The data lie on a third PE, and the flag on the one that waits. */
static void then_get(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[2]), shmem_quiet(),
                        shmem_long_p(&at->y, 1, run->pe[1]));
    if (run->role != 1)
        return;
    shmem_long_wait_until(&at->y, SHMEM_CMP_EQ, 1);
    run->saw[0] = 1;
    run->saw[1] = shmem_long_g(&at->x, run->pe[2]);
}

/* The news goes on from the one that was told to a third PE, where the data are. */
static void passed_on(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_p(&at->x, 1, run->pe[2]), shmem_quiet(),
                        shmem_long_p(&at->y, 1, run->pe[1]));
    if (run->role == 1) {
        shmem_long_wait_until(&at->y, SHMEM_CMP_EQ, 1);
        shmem_long_p(&at->z, 1, run->pe[2]);
    }
    if (run->role != 2)
        return;
    shmem_long_wait_until(&at->z, SHMEM_CMP_EQ, 1);
    run->saw[0] = 1;
    run->saw[1] = litmus_load(&at->x);
}

static bool third_has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] != 1;
}

/* A loop of tests, as programs have them. */
static void polled(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, &run->at->y);
    if (run->role != 1)
        return;
    while (!shmem_long_test(&run->at->y, SHMEM_CMP_NE, 0))
        ;
    run->saw[0] = 1;
    run->saw[1] = litmus_load(&run->at->x);
}

/* One of several flags, by the routine that knows which. */
static long *chosen_flag(struct litmus_run *run)
{
    return &run->at->flags[run->number % LITMUS_FLAGS];
}

static void some(struct litmus_run *run)
{
    size_t found[LITMUS_FLAGS];
    if (run->role == 0)
        send(run, chosen_flag(run));
    if (run->role != 1)
        return;
    run->saw[0] = (long)shmem_long_test_some(run->at->flags, LITMUS_FLAGS, found, NULL, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(&run->at->x);
    if (run->saw[0] == 0)
        shmem_long_wait_until_some(run->at->flags, LITMUS_FLAGS, found, NULL, SHMEM_CMP_EQ, 1);
}

static void any(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, chosen_flag(run));
    if (run->role != 1)
        return;
    const size_t index = shmem_long_wait_until_any(run->at->flags, LITMUS_FLAGS, NULL, SHMEM_CMP_EQ, 1);
    run->saw[0] = index == (size_t)run->number % LITMUS_FLAGS;
    run->saw[1] = litmus_load(&run->at->x);
}

/* Two senders, each with data and a flag of its own. */
static void all(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        send(run, &at->flags[0]);
    if (run->role == 2)
        LITMUS_IN_ORDER(run, shmem_long_p(&at->z, 1, run->pe[1]), shmem_fence(),
                        shmem_long_p(&at->flags[1], 1, run->pe[1]));
    if (run->role != 1)
        return;
    shmem_long_wait_until_all(at->flags, 2, NULL, SHMEM_CMP_EQ, 1);
    run->saw[0] = 1;
    run->saw[1] = litmus_load(&at->x) & litmus_load(&at->z);
}

/* Nobody may overwrite what a get before the answer has still to read. */
static void read_before_answer(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    long got[LITMUS_BLOCK] = {0};
    if (run->role == 0) {
        shmem_long_wait_until(&at->y, SHMEM_CMP_EQ, 1);
        for (int i = 0; i < LITMUS_BLOCK; i++)
            litmus_store(&at->block[i], 1);
    }
    if (run->role != 1)
        return;
    LITMUS_IN_ORDER(run, shmem_long_get(got, at->block, LITMUS_BLOCK, run->pe[0]), (void)0,
                    shmem_long_p(&at->y, 1, run->pe[0]));
    run->saw[0] = 1;
    run->saw[1] = 1;
    for (int i = 0; i < LITMUS_BLOCK; i++)
        run->saw[1] &= got[i] == 0;
}

int main(int argc, char **argv)
{
    static const char forbids[] = "the wait is over and the data are not there; shmem_wait_until, shmem_fence";
    static const char elsewhere[] = "the wait is over and the data are not there; shmem_wait_until, shmem_quiet";
    static const char tests[] = "the test is true and the data are not there; shmem_test";
    static const struct litmus_shape shapes[] = {
        {"wait_until, load", forbids, 2, one, has_flag_alone, SWAPPED, false},
        {"wait_until, get from a third PE", elsewhere, 3, then_get, has_flag_alone, SWAPPED, false},
        {"wait_until, put, wait_until", elsewhere, 3, passed_on, third_has_flag_alone, SWAPPED, false},
        {"loop of tests, load", tests, 2, polled, has_flag_alone, SWAPPED, false},
        {"test_some, load", tests, 2, some, has_flag_alone, SWAPPED, false},
        {"wait_until_any, load", forbids, 2, any, has_flag_alone, SWAPPED, false},
        {"wait_until_all of two senders, loads", forbids, 3, all, has_flag_alone, SWAPPED, false},
        {"get, answer, overwrite", "a get sees what was stored after the answer to it; shmem_get", 2,
         read_before_answer, has_flag_alone, "the answer goes before the get", false},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: a PE that sees the signal sees the data that went with it. Role 0 sends, role 1 looks.
 */
#include "litmus.h"

#define FORBIDS "the signal is there and its data are not; shmem_put_signal"
#define SWAPPED "the signal goes before the data"

static const long ones[LITMUS_BLOCK] = {[0 ... LITMUS_BLOCK - 1] = 1};

static void look(struct litmus_run *run)
{
    run->saw[0] = (long)shmem_signal_fetch(&run->at->signal);
    run->saw[1] = litmus_load(&run->at->block[run->number % LITMUS_BLOCK]);
}

static void wait_and_look(struct litmus_run *run)
{
    run->saw[0] = (long)shmem_signal_wait_until(&run->at->signal, SHMEM_CMP_NE, 0);
    run->saw[1] = litmus_load(&run->at->block[run->number % LITMUS_BLOCK]);
}

static bool has_signal_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

/* The broken form of all: the signal by itself, and then the data. */
static void send_swapped(struct litmus_run *run)
{
    shmem_signal_set(SHMEM_CTX_DEFAULT, &run->at->signal, 1, run->pe[1]);
    litmus_pause(run);
    shmem_long_put(run->at->block, ones, LITMUS_BLOCK, run->pe[1]);
}

static void send(struct litmus_run *run, int operation)
{
    if (run->is_broken)
        send_swapped(run);
    else
        shmem_long_put_signal(run->at->block, ones, LITMUS_BLOCK, &run->at->signal, 1, operation,
                              run->pe[1]);
}

static void set(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, SHMEM_SIGNAL_SET);
    else if (run->role == 1)
        look(run);
}

static void add(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, SHMEM_SIGNAL_ADD);
    else if (run->role == 1)
        look(run);
}

static void set_and_wait(struct litmus_run *run)
{
    if (run->role == 0)
        send(run, SHMEM_SIGNAL_SET);
    else if (run->role == 1)
        wait_and_look(run);
}

static void nbi_of_a_context(struct litmus_run *run)
{
    if (run->role == 0 && run->is_broken) {
        send_swapped(run);
    } else if (run->role == 0) {
        shmem_ctx_long_put_signal_nbi(litmus_context, run->at->block, ones, LITMUS_BLOCK,
                                      &run->at->signal, 1, SHMEM_SIGNAL_SET, run->pe[1]);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        wait_and_look(run);
    }
}

static void put_fence_set(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_put(at->block, ones, LITMUS_BLOCK, run->pe[1]), shmem_fence(),
                        shmem_signal_set(SHMEM_CTX_DEFAULT, &at->signal, 1, run->pe[1]));
    else if (run->role == 1)
        look(run);
}

static void put_quiet_add(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0)
        LITMUS_IN_ORDER(run, shmem_long_put_nbi(at->block, ones, LITMUS_BLOCK, run->pe[1]), shmem_quiet(),
                        shmem_signal_add(SHMEM_CTX_DEFAULT, &at->signal, 1, run->pe[1]));
    else if (run->role == 1)
        wait_and_look(run);
    shmem_quiet();
}

/* Nothing is said about puts before the one with the signal. */
static void earlier_put(struct litmus_run *run)
{
    struct litmus_words *at = run->at;
    if (run->role == 0) {
        shmem_long_put(at->block, ones, LITMUS_BLOCK, run->pe[1]);
        shmem_long_put_signal(&at->x, ones, 1, &at->signal, 1, SHMEM_SIGNAL_SET, run->pe[1]);
    } else if (run->role == 1) {
        look(run);
    }
}

int main(int argc, char **argv)
{
    static const char ordered[] = "the signal is there and its data are not; shmem_signal_set, shmem_fence";
    static const struct litmus_shape shapes[] = {
        {"put_signal that sets", FORBIDS, 2, set, has_signal_alone, SWAPPED, false},
        {"put_signal that adds", FORBIDS, 2, add, has_signal_alone, SWAPPED, false},
        {"put_signal, signal_wait_until", FORBIDS, 2, set_and_wait, has_signal_alone, SWAPPED, false},
        {"put_signal_nbi of a context", FORBIDS, 2, nbi_of_a_context, has_signal_alone, SWAPPED, false},
        {"put, fence, signal_set", ordered, 2, put_fence_set, has_signal_alone, SWAPPED, false},
        {"put_nbi, quiet, signal_add", ordered, 2, put_quiet_add, has_signal_alone, SWAPPED, false},
        {"put, put_signal of another word", "allowed: a signal orders its own data alone; shmem_put_signal", 2,
         earlier_put, has_signal_alone, NULL, true},
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions: hints that change neither order nor completion. Their begin and end are neither fence nor quiet.
 */
#include "litmus.h"

#define FLAG_ALONE "the flag is there and its data are not"
#define SWAPPED    "the flag goes before the data"

static void start(void)
{
    shmem_ctx_session_start(litmus_context, SHMEM_CTX_SESSION_BATCH, NULL, 0);
}

static void stop(void)
{
    shmem_ctx_session_stop(litmus_context);
}

static void put_to(struct litmus_run *run, long *word, int role)
{
    shmem_ctx_long_p(litmus_context, word, 1, run->pe[role]);
}

static void look(struct litmus_run *run)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = litmus_load(&run->at->x);
}

static void fence_within(struct litmus_run *run)
{
    if (run->role == 0) {
        start();
        LITMUS_IN_ORDER(run, put_to(run, &run->at->x, 1), shmem_ctx_fence(litmus_context),
                        put_to(run, &run->at->y, 1));
        stop();
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void fence_across_stop(struct litmus_run *run)
{
    if (run->role == 0) {
        start();
        LITMUS_IN_ORDER(run, put_to(run, &run->at->x, 1), (shmem_ctx_fence(litmus_context), stop()),
                        put_to(run, &run->at->y, 1));
        stop();
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void look_elsewhere(struct litmus_run *run)
{
    run->saw[0] = shmem_long_test(&run->at->y, SHMEM_CMP_EQ, 1);
    run->saw[1] = shmem_long_g(&run->at->x, run->pe[1]);
}

static void quiet_after_stop(struct litmus_run *run)
{
    if (run->role == 0) {
        start();
        LITMUS_IN_ORDER(run, put_to(run, &run->at->x, 1), (stop(), shmem_ctx_quiet(litmus_context)),
                        put_to(run, &run->at->y, 2));
        stop();
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 2) {
        look_elsewhere(run);
    }
}

static void stop_alone(struct litmus_run *run)
{
    if (run->role == 0) {
        start();
        put_to(run, &run->at->x, 1);
        stop();
        put_to(run, &run->at->y, 1);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void start_alone(struct litmus_run *run)
{
    if (run->role == 0) {
        put_to(run, &run->at->x, 1);
        start();
        put_to(run, &run->at->y, 1);
        stop();
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 1) {
        look(run);
    }
}

static void stop_for_quiet(struct litmus_run *run)
{
    if (run->role == 0) {
        start();
        put_to(run, &run->at->x, 1);
        stop();
        put_to(run, &run->at->y, 2);
        shmem_ctx_quiet(litmus_context);
    } else if (run->role == 2) {
        look_elsewhere(run);
    }
}

int main(int argc, char **argv)
{
    static const struct litmus_shape shapes[] = {
        {"session_start, put, fence, put", FLAG_ALONE, 2, fence_within, litmus_has_flag_alone, SWAPPED, false},
        {"session_start, put, fence, session_stop, put", FLAG_ALONE, 2, fence_across_stop, litmus_has_flag_alone,
         SWAPPED, false},
        {"session_start, put, session_stop, quiet, put to a third PE", FLAG_ALONE, 3, quiet_after_stop,
         litmus_third_has_flag_alone, SWAPPED, false},
        LITMUS_ALLOWED("session_start, put, session_stop, put", 2, stop_alone, litmus_has_flag_alone),
        LITMUS_ALLOWED("put, session_start, put", 2, start_alone, litmus_has_flag_alone),
        LITMUS_ALLOWED("session_start, put, session_stop, put to a third PE", 3, stop_for_quiet,
                       litmus_third_has_flag_alone),
        {0},
    };
    return litmus_main(argc, argv, shapes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The conjugate gradient benchmark of the NAS parallel benchmarks, over PEs. See README.md.
 */
#include "app.h"
#include "task.h"

struct state {
    struct task task;
    struct solver solver;
    uint64_t *arrived; /* symmetric: parts of `whole` that others have put here */
    uint64_t expected;
};

/* Each PE begins with its successor, so that not all write to the same one. */
static void share(struct solver *solver)
{
    struct state *state = solver->caller;
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const double *mine = solver->whole + solver->first;
    for (int i = 1; i < pes; i++)
        shmem_putmem_signal_nbi((void *)mine, mine, (size_t)solver->count * sizeof(double), state->arrived,
                                1, SHMEM_SIGNAL_ADD, (me + i) % pes);
    state->expected += (uint64_t)(pes - 1);
    shmem_signal_wait_until(state->arrived, SHMEM_CMP_GE, state->expected);
}

/* Once all are in the sum they have what was put; the quiet, which then has nothing to wait for, lets it be
 * overwritten. */
static double add_up(struct solver *solver, double mine)
{
    (void)solver;
    const double sum = app_sum_double(mine);
    shmem_quiet();
    return sum;
}

/* Collective. 0, or 1 on all PEs and the reason is printed. */
static int create(struct state *state)
{
    struct solver *solver = &state->solver;
    const struct problem *problem = state->task.problem;
    *solver = (struct solver){.caller = state, .share = share, .add_up = add_up};
    if (app_agree(solver_create(solver, problem, shmem_my_pe(), shmem_n_pes()) != 0) != 0)
        return app_fail("not enough memory for class %c", problem->class);
    solver->whole = app_allocate((size_t)problem->order, sizeof(double), "the vector");
    if (solver->whole != NULL)
        state->arrived = app_allocate(1, sizeof *state->arrived, "a signal");
    return state->arrived == NULL;
}

static void destroy(struct state *state)
{
    shmem_free(state->arrived);
    shmem_free(state->solver.whole);
    solver_destroy(&state->solver);
}

static void work(void *argument)
{
    struct state *state = argument;
    state->task.zeta = solver_run(&state->solver);
}

static int run(int argc, char **argv)
{
    struct state state = {0};
    int status = task_start(argc, argv, &state.task);
    if (status != APP_RUN)
        return status;
    status = create(&state);
    if (status == 0)
        status = task_end(&state.task, app_timed(work, &state, state.task.rounds));
    destroy(&state);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    const int status = run(argc, argv);
    shmem_finalize();
    return status;
}

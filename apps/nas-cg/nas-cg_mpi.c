/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same iterations with MPI, to compare with.
 */
#include "task.h"

#include <mpi.h>

#include <stdlib.h>

struct state {
    struct task task;
    struct solver solver;
    int *counts, *firsts; /* every rank's rows */
};

static void share(struct solver *solver)
{
    const struct state *state = solver->caller;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, solver->whole, state->counts, state->firsts, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

static double add_up(struct solver *solver, double mine)
{
    (void)solver;
    return app_sum_double(mine);
}

/* Collective. 0, or 1 on all ranks and the reason is printed. */
static int create(struct state *state)
{
    struct solver *solver = &state->solver;
    const struct problem *problem = state->task.problem;
    const int ranks = app_workers();
    *solver = (struct solver){.caller = state, .share = share, .add_up = add_up};
    solver->whole = calloc((size_t)problem->order, sizeof *solver->whole);
    state->counts = calloc(2 * (size_t)ranks, sizeof *state->counts);
    state->firsts = state->counts + ranks;
    const bool lacking = solver_create(solver, problem, app_rank(), ranks) != 0;
    if (app_agree(lacking || solver->whole == NULL || state->counts == NULL) != 0)
        return app_fail("not enough memory for class %c", problem->class);
    for (int rank = 0; rank < ranks; rank++) {
        state->firsts[rank] = (int)app_block_first(problem->order, rank, ranks);
        state->counts[rank] = (int)app_block_first(problem->order, rank + 1, ranks) - state->firsts[rank];
    }
    return 0;
}

static void destroy(struct state *state)
{
    solver_destroy(&state->solver);
    free(state->counts);
    free(state->solver.whole);
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
    MPI_Init(&argc, &argv);
    const int status = run(argc, argv);
    MPI_Finalize();
    return status;
}

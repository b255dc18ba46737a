/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same iterations with OpenMP, to compare with: every thread has its rows, and all share the vector
 * that is multiplied.
 */
#include "task.h"

#include <omp.h>

#include <stdlib.h>

/* What a thread adds to a sum, in a cache line of its own; sums take turns with two of them. */
struct share {
    _Alignas(64) double value[2];
};

struct part {
    struct solver solver;
    int turn;
};

struct state {
    struct task task;
    double *whole;
    struct part *parts;
    struct share *shares;
    int threads;
};

static void share(struct solver *solver)
{
    (void)solver;
#pragma omp barrier
}

static double add_up(struct solver *solver, double mine)
{
    const struct state *state = solver->caller;
    const int me = omp_get_thread_num();
    const int turn = state->parts[me].turn ^= 1;
    double sum = 0;
    state->shares[me].value[turn] = mine;
#pragma omp barrier
    for (int thread = 0; thread < state->threads; thread++)
        sum += state->shares[thread].value[turn];
    return sum;
}

static int create(struct state *state)
{
    const struct problem *problem = state->task.problem;
    const int threads = state->threads;
    int lacking = 0, given = 0;
    state->whole = calloc((size_t)problem->order, sizeof *state->whole);
    state->parts = calloc((size_t)threads, sizeof *state->parts);
    state->shares = aligned_alloc(sizeof *state->shares, (size_t)threads * sizeof *state->shares);
    if (state->whole == NULL || state->parts == NULL || state->shares == NULL)
        return app_fail("not enough memory for class %c", problem->class);
#pragma omp parallel num_threads(threads) reduction(max : lacking, given)
    {
        const int me = omp_get_thread_num();
        struct solver *solver = &state->parts[me].solver;
        given = omp_get_num_threads();
        *solver = (struct solver){.caller = state, .whole = state->whole, .share = share, .add_up = add_up};
        lacking = solver_create(solver, problem, me, threads) != 0;
    }
    if (given != threads)
        return app_fail("OpenMP gives %d threads of %d: see OMP_THREAD_LIMIT and OMP_DYNAMIC", given,
                        threads);
    return lacking ? app_fail("not enough memory for class %c", problem->class) : 0;
}

static void destroy(struct state *state)
{
    for (int thread = 0; state->parts != NULL && thread < state->threads; thread++)
        solver_destroy(&state->parts[thread].solver);
    free(state->shares);
    free(state->parts);
    free(state->whole);
}

static void work(void *argument)
{
    struct state *state = argument;
#pragma omp parallel num_threads(state->threads)
    {
        const double zeta = solver_run(&state->parts[omp_get_thread_num()].solver);
#pragma omp master
        state->task.zeta = zeta;
    }
}

int main(int argc, char **argv)
{
    struct state state = {.threads = app_workers()};
    int status = task_start(argc, argv, &state.task);
    if (status != APP_RUN)
        return status;
    status = create(&state);
    if (status == 0)
        status = task_end(&state.task, app_timed(work, &state, state.task.rounds));
    destroy(&state);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same cycles with OpenMP, to compare with. A thread works on a slab of planes of cubes that all share:
 * the planes of its halo are its neighbours'. What every PE holds whole, every thread has for itself.
 */
#include "task.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct task task;
    struct box cubes[MULTIGRID_MOST_LEVELS][2]; /* of the levels that are cut */
    double *shares;                             /* of all threads, one behind the other */
    struct charges *charges;                    /* what each thread found */
    struct multigrid *grids;                    /* one per thread */
};

/* The slowest axis alone is cut. A thread that has the last plane shows it below the first one, and the
 * other way round. */
static void send(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    (void)axis;
    const struct state *state = grid->caller;
    struct box all = state->cubes[level][array];
    const long last = all.count[0];
    const size_t bytes = (size_t)all.plane * sizeof(double);
    if (grid->lower_halo)
        memcpy(box_row(&all, last + 1, 0), box_row(&all, 1, 0), bytes);
    if (grid->upper_halo && !upper)
        memcpy(box_row(&all, 0, 0), box_row(&all, last, 0), bytes);
}

/* The neighbours' planes are the halo. */
static void receive(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    (void)grid, (void)level, (void)array, (void)axis, (void)upper;
#pragma omp barrier
}

static void gather(struct multigrid *grid, struct box *whole)
{
    const struct state *state = grid->caller;
    multigrid_pack(grid, state->shares + grid->part * multigrid_most(grid));
#pragma omp barrier
    multigrid_unpack(grid, state->shares, whole);
}

static void spread(struct multigrid *grid)
{
    (void)grid;
#pragma omp barrier
}

static int create_cubes(struct state *state)
{
    for (int level = state->task.split.whole + 1; level <= state->task.problem->levels; level++)
        for (int array = 0; array < 2; array++) {
            const long count[3] = {1L << level, 1L << level, 1L << level};
            double *cells = malloc((size_t)box_cells(count) * sizeof *cells);
            state->cubes[level][array] = box_of(count, count, cells);
            if (cells == NULL)
                return -1;
        }
    return 0;
}

/* A thread is the first to touch its planes. */
static int create_slabs(struct state *state, struct multigrid *grid)
{
    for (int level = grid->split.whole + 1; level <= grid->problem->levels; level++)
        for (int array = 0; array < 2; array++) {
            long first[3], count[3];
            split_block(&grid->split, grid->part, level, first, count);
            struct box slab = box_part(&state->cubes[level][array], first, count);
            grid->arrays[level][array] = slab;
            memset(box_row(&slab, !grid->lower_halo, 0), 0,
                   (size_t)((count[0] + grid->lower_halo + grid->upper_halo) * slab.plane) *
                       sizeof(double));
        }
    if (task_create_v(&state->task, grid->part, &grid->v) != 0)
        return -1;
    task_find_charges(&state->task, grid->part, &state->charges[grid->part]);
    return multigrid_create(grid);
}

static int create(struct state *state)
{
    const int threads = app_workers();
    int lacking = 0, given = 0;
    const long most = multigrid_most(&(struct multigrid){.split = state->task.split});
    state->grids = calloc((size_t)threads, sizeof *state->grids);
    state->charges = calloc((size_t)threads, sizeof *state->charges);
    state->shares = calloc((size_t)(threads * most), sizeof *state->shares);
    if (state->grids == NULL || state->charges == NULL || state->shares == NULL || create_cubes(state) != 0)
        return app_fail("not enough memory for class %c", state->task.problem->class);
#pragma omp parallel num_threads(threads) reduction(max : lacking, given)
    {
        const int me = omp_get_thread_num();
        given = omp_get_num_threads();
        state->grids[me] = (struct multigrid){.problem = state->task.problem,
                                              .split = state->task.split,
                                              .part = me,
                                              .caller = state,
                                              .send = send,
                                              .receive = receive,
                                              .gather = gather,
                                              .spread = spread,
                                              .lower_halo = me == 0,
                                              .upper_halo = me == threads - 1};
        lacking = create_slabs(state, &state->grids[me]) != 0;
    }
    if (given != threads)
        return app_fail("OpenMP gives %d threads of %d: see OMP_THREAD_LIMIT and OMP_DYNAMIC", given,
                        threads);
    if (lacking)
        return app_fail("not enough memory for class %c", state->task.problem->class);
    for (int thread = 1; thread < threads; thread++)
        charges_join(&state->charges[0], &state->charges[thread]);
    for (int thread = 0; thread < threads; thread++)
        task_place_charges(&state->task, thread, &state->charges[0], &state->grids[thread].v);
    return 0;
}

static void destroy(struct state *state)
{
    for (int thread = 0; state->grids != NULL && thread < app_workers(); thread++) {
        multigrid_destroy(&state->grids[thread]);
        free(state->grids[thread].v.cells);
    }
    for (int level = 0; level < MULTIGRID_MOST_LEVELS; level++)
        for (int array = 0; array < 2; array++)
            free(state->cubes[level][array].cells);
    free(state->shares);
    free(state->charges);
    free(state->grids);
}

static void solve(void *argument)
{
    struct state *state = argument;
    double sum = 0, exchanged = HUGE_VAL;
#pragma omp parallel num_threads(app_workers()) reduction(+ : sum) reduction(min : exchanged)
    {
        struct multigrid *grid = &state->grids[omp_get_thread_num()];
        multigrid_solve(grid);
        sum = multigrid_square(grid);
        exchanged = grid->exchanged;
    }
    task_note(&state->task, sum, exchanged);
}

int main(int argc, char **argv)
{
    static struct state state;
    char slabs[32];
    snprintf(slabs, sizeof slabs, "%dx1x1", app_workers());
    state.task.grid_text = slabs;
    int status = task_start(argc, argv, NULL, &state.task);
    if (status != APP_RUN)
        return status;
    status = create(&state);
    if (status == 0)
        status = task_end(&state.task, app_timed(solve, &state, state.task.rounds));
    destroy(&state);
    return status;
}

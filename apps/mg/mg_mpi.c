/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same cycles with MPI, two-sided, to compare with: per axis both receives are posted before anything
 * is sent. A plane is sent from where it lies to where it belongs; a scattered face is packed.
 */
#include "face.h"
#include "task.h"

#include <mpi.h>

#include <stdlib.h>

struct state {
    struct task task;
    struct multigrid grid;
    double *packed[2][2]; /* of either side: what goes, what comes */
    MPI_Request requests[4];
    int under_way; /* of those */
    double *mine, *all;   /* shares of the whole level */
};

static bool is_contiguous(const struct face *face)
{
    return face->inner == 1 && face->outer == 1;
}

/* The halo on `side`, which comes from that side's neighbour. */
static struct face face_there(const struct box *box, int axis, int side)
{
    return face_of(box, axis, side == 1 ? box->count[axis] + 1 : 0);
}

static void send(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    struct state *state = grid->caller;
    const struct box *box = &grid->arrays[level][array];
    state->under_way = 0;
    for (int side = upper; side < 2; side++) {
        const struct face to = face_there(box, axis, side);
        MPI_Irecv(is_contiguous(&to) ? to.at : state->packed[side][1], (int)face_cells(&to), MPI_DOUBLE,
                  split_neighbour(&grid->split, grid->part, axis, side == 1 ? 1 : -1), side, MPI_COMM_WORLD,
                  &state->requests[state->under_way++]);
    }
    for (int side = upper; side < 2; side++) {
        const struct face from = face_of(box, axis, side == 1 ? 1 : box->count[axis]);
        if (!is_contiguous(&from))
            face_pack(&from, state->packed[side][0]);
        MPI_Isend(is_contiguous(&from) ? from.at : state->packed[side][0], (int)face_cells(&from),
                  MPI_DOUBLE,
                  split_neighbour(&grid->split, grid->part, axis, side == 1 ? -1 : 1), side, MPI_COMM_WORLD,
                  &state->requests[state->under_way++]);
    }
}

static void receive(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    struct state *state = grid->caller;
    MPI_Status statuses[4];
    MPI_Waitall(state->under_way, state->requests, statuses);
    for (int side = upper; side < 2; side++) {
        const struct face to = face_there(&grid->arrays[level][array], axis, side);
        if (!is_contiguous(&to))
            face_unpack(&to, state->packed[side][1]);
    }
}

static void gather(struct multigrid *grid, struct box *whole)
{
    const struct state *state = grid->caller;
    const int most = (int)multigrid_most(grid);
    multigrid_pack(grid, state->mine);
    MPI_Allgather(state->mine, most, MPI_DOUBLE, state->all, most, MPI_DOUBLE, MPI_COMM_WORLD);
    multigrid_unpack(grid, state->all, whole);
}

/* The room that the largest face of any axis takes in a row. */
static long most_packed(const struct split *split, int levels)
{
    long room[3];
    split_room(split, levels, room);
    return (room[0] + 2) * ((room[1] > room[2] ? room[1] : room[2]) + 2);
}

/* False when memory is lacking. */
static bool allocate(struct state *state)
{
    struct multigrid *grid = &state->grid;
    const size_t most = (size_t)multigrid_most(grid);
    const size_t packed = (size_t)most_packed(&grid->split, grid->problem->levels);
    bool there = true;
    for (int level = grid->split.whole + 1; level <= grid->problem->levels; level++)
        for (int array = 0; array < 2; array++) {
            long first[3], count[3];
            split_block(&grid->split, grid->part, level, first, count);
            double *cells = calloc((size_t)box_cells(count), sizeof *cells);
            grid->arrays[level][array] = box_of(count, count, cells);
            there = there && cells != NULL;
        }
    for (int i = 0; i < 4; i++) {
        state->packed[i / 2][i % 2] = malloc(packed * sizeof(double));
        there = there && state->packed[i / 2][i % 2] != NULL;
    }
    state->mine = malloc(most * sizeof *state->mine);
    state->all = malloc((size_t)app_workers() * most * sizeof *state->all);
    there = there && state->mine != NULL && state->all != NULL;
    return task_create_v(&state->task, grid->part, &grid->v) == 0 && multigrid_create(grid) == 0 && there;
}

/* Collective. 0, or 1 on all ranks and the reason is printed. */
static int create(struct state *state)
{
    const int me = app_rank(), ranks = app_workers();
    state->grid = (struct multigrid){.problem = state->task.problem,
                                     .split = state->task.split,
                                     .part = me,
                                     .caller = state,
                                     .send = send,
                                     .receive = receive,
                                     .gather = gather,
                                     .lower_halo = true,
                                     .upper_halo = true};
    struct charges mine, *all = calloc((size_t)ranks, sizeof *all);
    const bool there = allocate(state) && all != NULL;
    if (app_agree(!there) != 0) {
        free(all);
        return app_fail("not enough memory for class %c", state->task.problem->class);
    }
    task_find_charges(&state->task, me, &mine);
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (int rank = 1; rank < ranks; rank++)
        charges_join(all, &all[rank]);
    task_place_charges(&state->task, me, all, &state->grid.v);
    free(all);
    return 0;
}

static void destroy(struct state *state)
{
    struct multigrid *grid = &state->grid;
    for (int level = grid->split.whole + 1; level <= grid->problem->levels; level++)
        for (int array = 0; array < 2; array++)
            free(grid->arrays[level][array].cells);
    for (int i = 0; i < 4; i++)
        free(state->packed[i / 2][i % 2]);
    free(state->all);
    free(state->mine);
    free(grid->v.cells);
    multigrid_destroy(grid);
}

static void solve(void *argument)
{
    struct state *state = argument;
    multigrid_solve(&state->grid);
    const double sum = app_sum_double(multigrid_square(&state->grid));
    task_note(&state->task, sum, -app_max_double(-state->grid.exchanged));
}

static int run(int argc, char **argv)
{
    static struct state state;
    const struct app_option own[] = {TASK_GRID_OPTION(&state.task), {.kind = APP_END}};
    int status = task_start(argc, argv, own, &state.task);
    if (status != APP_RUN)
        return status;
    status = create(&state);
    if (status == 0)
        status = task_end(&state.task, app_timed(solve, &state, state.task.rounds));
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

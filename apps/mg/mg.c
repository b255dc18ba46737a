/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The multigrid benchmark of the NAS parallel benchmarks, over PEs. See README.md.
 */
#include "app.h"
#include "halo.h"
#include "task.h"

#include <stdlib.h>

struct state {
    struct task task;
    struct multigrid grid;
    struct halo halo;
};

/* Collective. Every PE looks for the extremes of its block; all choose from what all found. 0, or 1 on all
 * PEs. */
static int place_charges(struct state *state)
{
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    struct charges *mine = app_allocate(1, sizeof *mine, "charges");
    struct charges *all = mine != NULL ? app_allocate((size_t)pes, sizeof *all, "all charges") : NULL;
    if (all != NULL) {
        task_find_charges(&state->task, me, mine);
        shmem_fcollectmem(SHMEM_TEAM_WORLD, all, mine, sizeof *mine);
        for (int pe = 1; pe < pes; pe++)
            charges_join(all, &all[pe]);
        task_place_charges(&state->task, me, all, &state->grid.v);
    }
    shmem_free(all);
    shmem_free(mine);
    return all == NULL;
}

/* Collective. 0, or 1 on all PEs and the reason is printed. */
static int create(struct state *state)
{
    const int me = shmem_my_pe();
    state->grid =
        (struct multigrid){.problem = state->task.problem, .split = state->task.split, .part = me};
    const bool lacking =
        task_create_v(&state->task, me, &state->grid.v) != 0 || multigrid_create(&state->grid) != 0;
    if (app_agree(lacking) != 0)
        return app_fail("not enough memory for class %c", state->task.problem->class);
    if (halo_create(&state->halo, &state->grid) != 0)
        return 1;
    return place_charges(state);
}

static void destroy(struct state *state)
{
    halo_destroy(&state->halo, &state->grid);
    multigrid_destroy(&state->grid);
    free(state->grid.v.cells);
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
    int halo = HALO_AUTO;
    const struct app_option own[] = {
        {"--halo", APP_CHOICE, &halo, "how faces reach the neighbours", 0, 0, HALO_WAYS},
        TASK_GRID_OPTION(&state.task),
        {.kind = APP_END}};
    int status = task_start(argc, argv, own, &state.task);
    if (status != APP_RUN)
        return status;
    state.halo.way = (enum halo_way)halo;
    status = create(&state);
    if (status == 0)
        status = task_end(&state.task, app_timed(solve, &state, state.task.rounds));
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

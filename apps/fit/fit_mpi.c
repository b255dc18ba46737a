/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same fit with MPI, to compare with.
 */
#include "task.h"

#include <mpi.h>

static void fit(void *state)
{
    struct task *task = state;
    struct sums mine = points_sums(&task->mine);
    MPI_Allreduce(&mine, &task->sums, SUMS_COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    task->curve = sums_curve(&task->sums);
}

static int run(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, app_rank(), app_workers(), &task);
    if (status != APP_RUN)
        return status;
    points_make(&task.mine, task.first, task.points);
    status = task_run(&task, fit);
    task_end(&task);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = run(argc, argv);
    MPI_Finalize();
    return status;
}

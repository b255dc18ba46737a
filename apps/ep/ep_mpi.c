/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same with MPI, to compare with.
 */
#include "task.h"

#include <mpi.h>

static void count(void *argument)
{
    struct task *task = argument;
    const struct pairs mine = task_count(task, app_rank(), app_workers());
    MPI_Allreduce(&mine, &task->total, PAIRS_DOUBLES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct task task;
    int status = task_start(argc, argv, &task);
    if (status == APP_RUN)
        status = task_run(&task, count);
    MPI_Finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The embarrassingly parallel benchmark of the NAS parallel benchmarks, over PEs. See README.md.
 */
#include "task.h"

#include "openshmem.h"

static void count(void *argument)
{
    static struct pairs mine, all;
    struct task *task = argument;
    mine = task_count(task, shmem_my_pe(), shmem_n_pes());
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double *)&all, (double *)&mine, PAIRS_DOUBLES);
    task->total = all;
}

int main(int argc, char **argv)
{
    shmem_init();
    struct task task;
    int status = task_start(argc, argv, &task);
    if (status == APP_RUN)
        status = task_run(&task, count);
    shmem_finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fits an exponential curve to points that lie in all PEs' memory. See README.md.
 */
#include "app.h"
#include "task.h"

static void fit(void *state)
{
    static struct sums mine, all;
    struct task *task = state;
    mine = points_sums(&task->mine);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double *)&all, (double *)&mine, SUMS_COUNT);
    task->sums = all;
    task->curve = sums_curve(&all);
}

static int run(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, shmem_my_pe(), shmem_n_pes(), &task);
    if (status != APP_RUN)
        return status;
    points_make(&task.mine, task.first, task.points);
    status = task_run(&task, fit);
    task_end(&task);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}

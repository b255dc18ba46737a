/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same fit with OpenMP, to compare with. A thread makes the points that it adds up, so that they lie
 * near it.
 */
#include "task.h"

#include <omp.h>

/* The calling thread's points. */
static struct points share(const struct task *task)
{
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    return points_part(&task->mine, app_block_first(task->points, thread, threads),
                       app_block_first(task->points, thread + 1, threads));
}

static void fit(void *state)
{
    struct task *task = state;
    double count = 0, x = 0, y = 0, xx = 0, xy = 0;
#pragma omp parallel reduction(+ : count, x, y, xx, xy)
    {
        const struct points points = share(task);
        const struct sums sums = points_sums(&points);
        count = sums.count, x = sums.x, y = sums.y, xx = sums.xx, xy = sums.xy;
    }
    task->sums = (struct sums){count, x, y, xx, xy};
    task->curve = sums_curve(&task->sums);
}

static int run(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, 0, 1, &task);
    if (status != APP_RUN)
        return status;
#pragma omp parallel
    {
        const struct points points = share(&task);
        points_make(&points, points.x - task.mine.x, task.points);
    }
    status = task_run(&task, fit);
    task_end(&task);
    return status;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}

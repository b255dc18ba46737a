/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same with OpenMP, to compare with.
 */
#include "task.h"

#include <omp.h>

static void count(void *argument)
{
    struct task *task = argument;
    double sums[PAIRS_DOUBLES] = {0};
#pragma omp parallel reduction(+ : sums)
    {
        const struct pairs mine = task_count(task, omp_get_thread_num(), omp_get_num_threads());
        sums[0] = mine.x;
        sums[1] = mine.y;
        for (int ring = 0; ring < PAIRS_RINGS; ring++)
            sums[2 + ring] = mine.rings[ring];
    }
    task->total = (struct pairs){.x = sums[0], .y = sums[1]};
    for (int ring = 0; ring < PAIRS_RINGS; ring++)
        task->total.rings[ring] = sums[2 + ring];
}

int main(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, &task);
    if (status == APP_RUN)
        status = task_run(&task, count);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "task.h"

int task_start(int argc, char **argv, struct task *task)
{
    task->rounds = 1;
    const struct app_option options[] = {
        {"--class", APP_CHOICE, &task->class, "the problem's size", 0, 0, PROBLEM_CLASSES},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {.kind = APP_END}};
    const int status = app_start(
        argc, argv, "NAS benchmark CG: an eigenvalue of a sparse matrix by conjugate gradients.", options);
    task->problem = problem_of(task->class);
    return status;
}

int task_end(const struct task *task, double seconds)
{
    const struct problem *problem = task->problem;
    app_report(seconds, problem_operations(problem), "class %c, order %d, %d iterations", problem->class,
               problem->order, problem->iterations);
    if (!problem_is_solved(problem, task->zeta))
        return app_fail("zeta is %.13f; published for class %c: %.13f", task->zeta, problem->class,
                        problem->zeta);
    app_say("verified: zeta is %.13f, published: %.13f", task->zeta, problem->zeta);
    return 0;
}

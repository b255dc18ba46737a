/* SPDX-License-Identifier: BSD-3-Clause */
#include "task.h"

#include <math.h>

int task_start(int argc, char **argv, struct task *task)
{
    *task = (struct task){.rounds = 1};
    const struct app_option options[] = {
        {"--class", APP_CHOICE, &task->class, "the problem's size", 0, 0, PROBLEM_CLASSES},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {.kind = APP_END}};
    const int status = app_start(argc, argv, "NAS benchmark IS: ranks integers by buckets.", options);
    task->problem = problem_of(task->class);
    return status;
}

void task_time(const struct task *task, void (*work)(void *), void *state)
{
    const struct problem *problem = task->problem;
    const double seconds = app_timed(work, state, task->rounds);
    app_report(seconds, PROBLEM_ITERATIONS * exp2(problem->log_keys),
               "class %c, 2^%d keys below 2^%d, %d iterations", problem->class, problem->log_keys,
               problem->log_range, PROBLEM_ITERATIONS);
}

int task_verify(const struct task *task, long wrong, bool are_sorted)
{
    wrong = app_sum_long(wrong);
    if (wrong > 0)
        return app_fail(
            "%ld ranks differ from those published for class %c, or keys are not in their buckets", wrong,
            task->problem->class);
    if (app_agree(!are_sorted) != 0)
        return app_fail("the keys are not sorted by their ranks");
    app_say("verified: %d ranks in each iteration are as published, and sort the keys", PROBLEM_TESTS);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classes and sums: report RNR-94-007 (A, B) and the tables of NPB 2 and 3.
 */
#include "task.h"

#include <math.h>

#define CLASSES   "S|W|A|B|C"
#define TOLERANCE 1e-8

static const struct class
{
    char name;
    int logarithm; /* of the pairs */
    double x, y;
} classes[] = {{'S', 24, -3.247834652034740e+3, -6.958407078382297e+3},
               {'W', 25, -2.863319731645753e+3, -6.320053679109499e+3},
               {'A', 28, -4.295875165629892e+3, -1.580732573678431e+4},
               {'B', 30, 4.033815542441498e+4, -2.660669192809235e+4},
               {'C', 32, 4.764367927995374e+4, -8.084072988043731e+4}};

int task_start(int argc, char **argv, struct task *task)
{
    *task = (struct task){.rounds = 1};
    const struct app_option options[] = {
        {"--class", APP_CHOICE, &task->class, "the problem's size", 0, 0, CLASSES},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {.kind = APP_END}};
    const int status =
        app_start(argc, argv, "NAS benchmark EP: normal deviates, counted by rings.", options);
    task->pairs = 1L << classes[task->class].logarithm;
    return status;
}

struct pairs task_count(const struct task *task, int part, int parts)
{
    const long first = app_block_first(task->pairs, part, parts);
    return pairs_count(first, app_block_first(task->pairs, part + 1, parts) - first);
}

static bool is_near(double value, double published)
{
    return fabs(value - published) <= TOLERANCE * fabs(published);
}

int task_run(struct task *task, void (*work)(void *))
{
    const struct class *class = &classes[task->class];
    const struct pairs *total = &task->total;
    app_report(app_timed(work, task, task->rounds), (double)task->pairs, "class %c, 2^%d pairs",
               class->name, class->logarithm);
    if (!is_near(total->x, class->x) || !is_near(total->y, class->y))
        return app_fail("the sums are %.15e and %.15e; published for class %c: %.15e and %.15e", total->x,
                        total->y, class->name, class->x, class->y);
    double accepted = 0;
    for (int ring = 0; ring < PAIRS_RINGS; ring++)
        accepted += total->rings[ring];
    app_say("verified: the sums are %.12e and %.12e, as published; %.0f pairs accepted", total->x, total->y,
            accepted);
    return 0;
}

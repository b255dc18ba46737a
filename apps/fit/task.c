/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, memory, the verdict.
 */
#include "task.h"

#include <math.h>
#include <stdlib.h>

/* Allowed of the sums of x, whose values are known, relative; and of the curve beyond what noise explains.
 * The sums of 10^8 points were off by 1.4e-15; a point that is missing makes 1e-11 of the most points. */
#define ROUNDING 1e-12

/* How many standard deviations the curve may be off. */
#define DEVIATIONS 6

int task_start(int argc, char **argv, int part, int parts, struct task *task)
{
    *task = (struct task){.points = 100000000, .rounds = 1};
    const struct app_option options[] = {
        {"--points", APP_COUNT, &task->points, "points, of all PEs together", 2, 1e11, NULL},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {.kind = APP_END}};
    int status =
        app_start(argc, argv, "Fits y = a e^(b x) to points, by least squares of the logarithms.", options);
    if (status != APP_RUN)
        return status;
    task->first = app_block_first(task->points, part, parts);
    task->mine.count = app_block_first(task->points, part + 1, parts) - task->first;
    const size_t bytes = (size_t)(task->mine.count + 1) * sizeof(double);
    task->mine.x = malloc(bytes);
    task->mine.y = malloc(bytes);
    if (app_agree(task->mine.x == NULL || task->mine.y == NULL) == 0)
        return APP_RUN;
    task_end(task);
    return app_fail("not enough memory for %ld points of 16 bytes: fewer --points, or more hosts",
                    task->points);
}

void task_end(struct task *task)
{
    free(task->mine.x);
    free(task->mine.y);
}

static bool is_near(double value, double wanted)
{
    return fabs(value - wanted) <= ROUNDING * wanted;
}

/* Whether every point has been counted once: the sums of x and x^2 are known. */
static bool are_complete(const struct sums *sums, double points)
{
    const double width = POINTS_WIDTH;
    return sums->count == points && is_near(sums->x, points * width / 2) &&
           is_near(sums->xx, width * width * (4 * points * points - 1) / (12 * points));
}

/* Collective. */
static int verify(const struct task *task)
{
    const double points = (double)task->points, deviation = POINTS_NOISE / sqrt(3 * points);
    const double off_b = fabs(task->curve.b - POINTS_B);
    const double off_a = fabs(log(task->curve.a / POINTS_A));
    if (app_agree(!are_complete(&task->sums, points)) != 0)
        return app_fail("the sums are not those of %ld points: count %.0f, x %.17g, x^2 %.17g",
                        task->points, task->sums.count, task->sums.x, task->sums.xx);
    /* Of evenly spread x the slope's deviation is that of a mean times sqrt(12) / width; that of ln a twice
     * it. */
    const bool right = off_b <= DEVIATIONS * deviation * sqrt(12) / POINTS_WIDTH + ROUNDING &&
                       off_a <= DEVIATIONS * deviation * 2 + ROUNDING;
    if (app_agree(!right) != 0)
        return app_fail("the curve is %.9g e^(%.9g x), its points are of %g e^(%g x)", task->curve.a,
                        task->curve.b, POINTS_A, POINTS_B);
    app_say("verified: all points counted once; %.9g e^(%.9g x), the points are of %g e^(%g x)",
            task->curve.a, task->curve.b, POINTS_A, POINTS_B);
    return 0;
}

int task_run(struct task *task, void (*work)(void *))
{
    const double seconds = app_timed(work, task, task->rounds);
    app_report(seconds, (double)task->points, "%ld points", task->points);
    return verify(task);
}

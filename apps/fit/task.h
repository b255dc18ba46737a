/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the versions of this program are asked, the points that each PE holds, and whether the curve is
 * right.
 */
#ifndef TASK_H
#define TASK_H

#include "plain.h"
#include "points.h"

struct task {
    long points; /* of all PEs */
    long rounds;
    long first;         /* of mine */
    struct points mine; /* of an OpenMP version: all of them */
    struct sums sums;   /* of all PEs' points, in the end */
    struct curve curve;
};

/* Collective. The arguments of main, and memory for the points of each of so many parts of them. Returns
 * what app_start does. */
int task_start(int argc, char **argv, int part, int parts, struct task *task);
void task_end(struct task *task);

/* Collective. Runs the rounds of work, which takes the task and leaves sums and curve in it; reports,
 * verifies. */
int task_run(struct task *task, void (*work)(void *));

#endif

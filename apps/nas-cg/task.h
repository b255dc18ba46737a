/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all versions of this program are asked, what they tell, and whether the answer is right.
 */
#ifndef TASK_H
#define TASK_H

#include "plain.h"
#include "solver.h"

struct task {
    const struct problem *problem;
    int class;
    long rounds;
    double zeta; /* of the last round */
};

/* Collective, with the arguments of main. Returns what app_start does. */
int task_start(int argc, char **argv, struct task *task);

/* Says how long it took, and whether the answer is right: 0, or 1 and the reason is printed. */
int task_end(const struct task *task, double seconds);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the versions of this program are asked, what they tell, and whether the product is right.
 */
#ifndef TASK_H
#define TASK_H

#include "grid.h"
#include "plain.h"

struct task {
    long size, m, k, n; /* m, k, n: 0 for size */
    long rounds;
    struct grid grid;
    int row, column; /* of the grid: mine */
};

/* Collective. The arguments of main, and up to TASK_OWN_MOST options of this version alone, ended by
 * APP_END. Returns what app_start does. */
#define TASK_OWN_MOST 2
int task_start(int argc, char **argv, const struct app_option *own, struct task *task);

/* Says how long the product took. */
void task_report(const struct task *task, double seconds);

/* Collective. Whether everybody's block c of the product is right: 0 and a line, or 1 and the reason. */
int task_verify(const struct task *task, const double *c);

#endif

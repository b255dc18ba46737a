/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the versions of this program are asked, who holds what, and whether the product is right.
 */
#ifndef TASK_H
#define TASK_H

#include "matrix.h"
#include "plain.h"

enum method {
    METHOD_ROWS,   /* every part has rows of A and C, and needs all of B, which the first has */
    METHOD_COLUMNS /* every part has rows of A and C, and a block of columns of B; blocks are needed in turn
                    */
};

/* A is m x k, B is k x n, C is m x n. */
struct task {
    long size, m, k, n; /* m, k, n as options: 0 for size */
    long rounds;
    int method;
    bool limit;
};

/* Collective. The arguments of main, and up to TASK_OWN_MOST options of this version alone, ended by
 * APP_END. Returns what app_start does. */
#define TASK_OWN_MOST 1
int task_start(int argc, char **argv, const struct app_option *own, struct task *task);

struct span task_rows(const struct task *task, int part, int parts);    /* of A and C */
struct span task_columns(const struct task *task, int part, int parts); /* of B */
struct span task_inner(const struct task *task);                        /* all columns of A */

/* Memory for elements that are not symmetric, from a page's beginning on, as B is everywhere: a core takes
 * a load for one of what a store just before left when their places in their pages are the same, and with C
 * two elements behind B the product of order 1024 took 1.12 times as long. NULL without memory. */
double *task_allocate(long rows, long columns);

/* Collective. Rounds of work, which leaves rows of C in c: tells the time, and the limit where that was
 * asked for, and whether the rows are right. 0, or 1 and the reason. */
int task_run(const struct task *task, void (*work)(void *state), void *state, struct span rows,
             const double *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all versions of this program are asked, what they tell, and whether the answer is right.
 */
#ifndef TASK_H
#define TASK_H

#include "plain.h"
#include "ranks.h"

struct task {
    const struct problem *problem;
    int class;
    long rounds;
};

/* Collective, with the arguments of main. Returns what app_start does. */
int task_start(int argc, char **argv, struct task *task);

/* Says how long a round took: the median of task->rounds rounds of `work`. */
void task_time(const struct task *task, void (*work)(void *state), void *state);

/* Collective. With the number of tests that failed here and whether the keys here are sorted: 0 and a line,
 * or 1 and the reason. */
int task_verify(const struct task *task, long wrong, bool are_sorted);

#endif

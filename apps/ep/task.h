/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all versions of this program are asked, what they tell, and whether the answer is right.
 */
#ifndef TASK_H
#define TASK_H

#include "pairs.h"
#include "plain.h"

struct task {
    int class;
    long rounds;
    long pairs;         /* of all parts */
    struct pairs total; /* of the last round */
};

/* Collective, with the arguments of main. Returns what app_start does. */
int task_start(int argc, char **argv, struct task *task);

/* What part `part` of so many is to count. */
struct pairs task_count(const struct task *task, int part, int parts);

/* Runs the rounds; 0 and their time, or 1 and the reason why the sums are wrong. */
int task_run(struct task *task, void (*work)(void *task));

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all versions of this program are asked, what they tell, and whether the answer is right.
 */
#ifndef TASK_H
#define TASK_H

#include "multigrid.h"
#include "plain.h"

struct task {
    const struct problem *problem;
    int class;
    long rounds;
    const char *grid_text;
    struct split split;
    double norm;      /* of the residual, of the round that was furthest off */
    double exchanged; /* seconds of all rounds in exchanges, of the part that spent the least */
};

/* Collective. The arguments of main, and up to TASK_OWN_MOST options of this version alone, ended by
 * APP_END. Returns what app_start does. */
#define TASK_OWN_MOST 2
int task_start(int argc, char **argv, const struct app_option *own, struct task *task);

/* The option of versions whose grid of parts can be chosen; the default is task_start's. */
#define TASK_GRID_OPTION(task)                                                                             \
    {                                                                                                      \
        "--grid", APP_TEXT, &(task)->grid_text,                                                            \
            "parts along each axis, as 2x2x1; without: the least to send", 0, 0, NULL                      \
    }

/* The part's block of the right-hand side, without values: 0, or -1 when there is no memory. Freed by the
 * caller. */
int task_create_v(const struct task *task, int part, struct box *v);

/* The extremes of that block, and their values once all parts' are joined. */
void task_find_charges(const struct task *task, int part, struct charges *charges);
void task_place_charges(const struct task *task, int part, const struct charges *charges, struct box *v);

/* Notes a round: the norm, of the sum of all shares, and the least time that a part spent in exchanges. */
void task_note(struct task *task, double sum, double exchanged);

/* Says how long it took, and whether every round's answer was right: 0, or 1 and the reason is printed. */
int task_end(const struct task *task, double seconds);

#endif

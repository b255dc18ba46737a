/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all versions have in common: options, shares, rounds with a clock, and the comparison with one
 * process.
 */
#ifndef TASK_H
#define TASK_H

#include "plain.h"
#include "transform.h"

struct task {
    long size, count, rounds;
    bool many; /* count transforms, each by one PE, in place of one by all */
    int exchange; /* of the OpenSHMEM version */
    const char *wisdom; /* the file of plans that all runs share, or NULL */
    struct transform transform;
    fftw_plan plan; /* of a whole transform in place, with many of them */
    number *mine;   /* with many: first .. first + mine_count - 1 of them lie here */
    long first, mine_count;
};

/* Shares of PEs: rows of the matrix and of the result, and blocks of columns. */
static inline long task_row(const struct task *task, int pe)
{
    return app_block_first(task->transform.n1, pe, app_workers());
}

static inline long task_column(const struct task *task, int pe)
{
    const long n2 = task->transform.n2, first = WIDTH * app_block_first((n2 + WIDTH - 1) / WIDTH, pe, app_workers());
    return first < n2 ? first : n2;
}

/* Collective. The options of all, and those of this version. As app_start. */
int task_start(int argc, char **argv, const struct app_option *more, struct task *task);
void task_end(struct task *task);

/* Row i1 of the input. */
void task_input_row(const struct task *task, long i1, number *row);

/* Collective. Times one transform by all PEs. */
void task_run(struct task *task, void (*work)(void *state), void *state);

/* Collective. On PE 0 whole is row after row of the result; there must be so much memory. 0, or 1 on all
 * PEs. */
int task_verify(const struct task *task, const number *whole);

/* Collective. Times many transforms, of which work does this PE's, and verifies them. first and count are
 * this PE's; with OpenMP all. 0, or 1 on all PEs. */
int task_many(struct task *task, long first, long count, void (*work)(void *state));

#endif

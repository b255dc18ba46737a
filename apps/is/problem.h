/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The benchmark's classes, its keys, and the published ranks of some of them. Plain C, used by all three
 * versions.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stdint.h>

#define PROBLEM_CLASSES    "S|W|A|B|C"
#define PROBLEM_ITERATIONS 10
#define PROBLEM_TESTS      5 /* keys whose ranks are published */

struct problem {
    char class;
    int log_keys, log_range; /* so many keys, below such a limit: powers of two */
    long places[PROBLEM_TESTS];
    long ranks[PROBLEM_TESTS];  /* in an iteration numbered 0 would be */
    long shifts[PROBLEM_TESTS]; /* what each iteration adds to the rank: 1 or -1 */
};

/* The class of this place in PROBLEM_CLASSES. */
const struct problem *problem_of(int class);

/* Keys first .. first + count - 1 as they are before the first iteration. */
void problem_make_keys(const struct problem *problem, long first, long count, uint32_t *keys);

/* What the test's key ranks in an iteration, from 1 on. */
long problem_rank(const struct problem *problem, int test, int iteration);

/* An iteration changes two keys: of a part that holds first .. first + count - 1 those that are its own. */
void problem_change_keys(const struct problem *problem, int iteration, long first, long count,
                         uint32_t *keys);

/* Undoes all such changes. */
void problem_restore_keys(const struct problem *problem, long first, long count, uint32_t *keys);

#endif

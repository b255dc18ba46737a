/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Normal deviates from pairs of uniform ones, and what is counted of them. Plain C, used by all three
 * versions.
 */
#ifndef PAIRS_H
#define PAIRS_H

#define PAIRS_RINGS 10

struct pairs {
    double x, y;               /* sums of the deviates */
    double rings[PAIRS_RINGS]; /* pairs with l <= max(|X|, |Y|) < l + 1 */
};

#define PAIRS_DOUBLES (2 + PAIRS_RINGS)
_Static_assert(sizeof(struct pairs) == PAIRS_DOUBLES * sizeof(double), "summed as an array of doubles");

/* Of pairs first .. first + count - 1 of the sequence. */
struct pairs pairs_count(long first, long count);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Points of a curve y = a e^(b x) with some noise, and the sums that a straight line through their
 * logarithms follows from. A point depends on its index alone, so any PE can make any of them. Knows no
 * library.
 */
#ifndef POINTS_H
#define POINTS_H

/* What the points are made from. x goes evenly from 0 to POINTS_WIDTH; ln y is off by less than
 * POINTS_NOISE, uniformly to both sides. */
#define POINTS_A     1.5
#define POINTS_B     0.75
#define POINTS_WIDTH 4.0
#define POINTS_NOISE 0.125

struct points {
    long count;
    double *x, *y;
};

struct sums {
    double count, x, y, xx, xy; /* y: the logarithms */
};
#define SUMS_COUNT 5 /* doubles in it */

struct curve {
    double a, b;
};

/* Makes the points first .. first + count - 1 of so many. */
void points_make(const struct points *points, long first, long all);

struct sums points_sums(const struct points *points);

/* The points from .. until - 1 of these. */
struct points points_part(const struct points *points, long from, long until);

struct curve sums_curve(const struct sums *sums);

#endif

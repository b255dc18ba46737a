/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Points and their sums.
 */
#include "points.h"

#include "plain.h"

#include <math.h>

/* So many points are added up by themselves: rounding grows with their number and that of such groups, not
 * with their product. */
#define GROUP 4096

/* Uniform in -1 .. 1. */
static double noise(long index)
{
    uint64_t state = (uint64_t)index;
    return (double)(app_random(&state) >> 11) * 0x1p-52 - 1;
}

void points_make(const struct points *points, long first, long all)
{
    for (long i = 0; i < points->count; i++) {
        const double x = POINTS_WIDTH * ((double)(first + i) + 0.5) / (double)all;
        points->x[i] = x;
        points->y[i] = POINTS_A * exp(POINTS_B * x + POINTS_NOISE * noise(first + i));
    }
}

struct points points_part(const struct points *points, long from, long until)
{
    return (struct points){until - from, points->x + from, points->y + from};
}

static struct sums group_sums(const double *x, const double *y, long count)
{
    struct sums sums = {.count = (double)count};
    for (long i = 0; i < count; i++) {
        const double logarithm = log(y[i]);
        sums.x += x[i];
        sums.y += logarithm;
        sums.xx += x[i] * x[i];
        sums.xy += x[i] * logarithm;
    }
    return sums;
}

struct sums points_sums(const struct points *points)
{
    struct sums all = {0};
    for (long first = 0; first < points->count; first += GROUP) {
        const long left = points->count - first;
        const struct sums sums =
            group_sums(points->x + first, points->y + first, left < GROUP ? left : GROUP);
        all.count += sums.count;
        all.x += sums.x;
        all.y += sums.y;
        all.xx += sums.xx;
        all.xy += sums.xy;
    }
    return all;
}

struct curve sums_curve(const struct sums *sums)
{
    const double b =
        (sums->count * sums->xy - sums->x * sums->y) / (sums->count * sums->xx - sums->x * sums->x);
    return (struct curve){exp((sums->y - b * sums->x) / sums->count), b};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include "nas.h"

#include <math.h>

#define SEED  UINT64_C(271828183)
#define GROUP 512 /* pairs; those of a group that are accepted lie in the first-level cache */

struct accepted {
    long count;
    double x[GROUP], y[GROUP], t[GROUP];
};

/* The pairs within the unit circle. A branch on whether one is would be mispredicted for every fifth. */
static uint64_t draw(uint64_t seed, long count, struct accepted *accepted)
{
    long place = 0;
    for (long i = 0; i < count; i++) {
        const uint64_t first = nas_next(seed);
        seed = nas_next(first);
        const double x = 2.0 * nas_fraction(first) - 1.0, y = 2.0 * nas_fraction(seed) - 1.0,
                     t = x * x + y * y;
        accepted->x[place] = x;
        accepted->y[place] = y;
        accepted->t[place] = t;
        place += t <= 1.0;
    }
    accepted->count = place;
    return seed;
}

static void add(struct pairs *pairs, struct accepted *accepted)
{
    for (long i = 0; i < accepted->count; i++)
        accepted->t[i] = sqrt(-2.0 * log(accepted->t[i]) / accepted->t[i]);
    for (long i = 0; i < accepted->count; i++) {
        const double x = accepted->x[i] * accepted->t[i], y = accepted->y[i] * accepted->t[i];
        const int ring = (int)fmax(fabs(x), fabs(y));
        pairs->x += x;
        pairs->y += y;
        pairs->rings[ring < PAIRS_RINGS ? ring : PAIRS_RINGS - 1]++;
    }
}

/* Sums of groups are added up, so that rounding does not grow with the number of pairs. */
struct pairs pairs_count(long first, long count)
{
    struct pairs all = {0};
    struct accepted accepted;
    uint64_t seed = nas_jump(SEED, 2 * (uint64_t)first);
    for (long done = 0; done < count; done += GROUP) {
        struct pairs group = {0};
        seed = draw(seed, count - done < GROUP ? count - done : GROUP, &accepted);
        add(&group, &accepted);
        all.x += group.x;
        all.y += group.y;
        for (int ring = 0; ring < PAIRS_RINGS; ring++)
            all.rings[ring] += group.rings[ring];
    }
    return all;
}

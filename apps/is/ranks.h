/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranking keys by buckets: each part counts its keys by bucket, brings those of a bucket together, and
 * ranks the keys of all parts in the buckets that are its own. Plain C, used by all three versions: how a
 * part gets at others' keys is theirs.
 */
#ifndef RANKS_H
#define RANKS_H

#include "problem.h"

#include <stdbool.h>

#define RANKS_LOG_BUCKETS 10
#define RANKS_BUCKETS     (1 << RANKS_LOG_BUCKETS)

struct ranks {
    const struct problem *problem;
    int parts, part;
    long first, count;  /* my keys: their places among all */
    uint32_t *keys;     /* as they are */
    uint32_t *grouped;  /* by bucket; the caller's, as are the two below */
    int32_t *mine;      /* my keys per bucket */
    const int32_t *all; /* those of every part, RANKS_BUCKETS behind each other */
    int *borders;       /* part p's buckets are borders[p] .. borders[p + 1] - 1 */
    long below;         /* keys of all parts in the buckets below these */
    long total;         /* keys of all parts in them */
    uint32_t low;       /* my smallest possible key */
    uint32_t *smaller;  /* of all keys, by key - low */
    uint32_t tests[PROBLEM_TESTS];
    long wrong; /* tests that failed, and keys that are not in my buckets */
};

/* All memory but the caller's, and the keys. 0, or -1 when there is none; destroy in any case. */
int ranks_create(struct ranks *ranks, const struct problem *problem, int part, int parts);
void ranks_destroy(struct ranks *ranks);

/* For an iteration: changes the keys, and counts them in `mine`. */
void ranks_count(struct ranks *ranks, int iteration);

/* With `all`: groups the keys, and chooses everybody's buckets. */
void ranks_group(struct ranks *ranks);

/* Where another's keys of my buckets begin in its `grouped`, and how many there are; and mine of its
 * buckets. */
struct segment {
    long first, count;
};
struct segment ranks_segment_of(const struct ranks *ranks, int part);
struct segment ranks_segment_for(const struct ranks *ranks, int part);

/* Clears the table, takes each part's segment, and ranks: after ranks_finish `smaller` is complete, and the
 * tests of this iteration are done. */
void ranks_clear(struct ranks *ranks);
void ranks_add(struct ranks *ranks, const uint32_t *keys, long count);
void ranks_finish(struct ranks *ranks, int iteration);

/* Places every key by its rank: once after the last iteration, with each part's segment. sorted has room
 * for `total` keys, all bits set before. Whether they are all there, in order. */
void ranks_place(struct ranks *ranks, const uint32_t *keys, long count, uint32_t *sorted);
bool ranks_are_sorted(const struct ranks *ranks, const uint32_t *sorted);

#endif

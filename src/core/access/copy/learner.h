/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which way of copying is fastest here, learned from the times of a program's own long copies of about
 * one length. No table knows: a guest has only a part of the cache that its processor tells of, other
 * guests take the memory's rate, and the same length is in the caches in one program and not in
 * another. Numbers in, numbers out: this file knows no clock, processor or PE, so that a test
 * simulates all three.
 *
 * A trial makes some copies by each way and keeps the fastest. Until the next trial copies go that
 * way, and the loss of a trial is below a hundredth of their time. Now and then a copy is timed
 * meanwhile: when the way takes another time than it did, the next trial comes sooner.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_LEARNER_H
#define SHEAF_CORE_ACCESS_COPY_LEARNER_H

#include "base/atomic.h"
#include "base/settings/names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shorter copies are memcpy's: to choose takes 10 ns, of 16 KiB in the caches 6 %. */
#define SHEAF_COPY_LEAST_LEARNED ((size_t)32 << 10)

/* So many copies by each way make a trial. The first one finds the caches as the way before has left
 * them, and does not count; neither does the slowest, in which something else may have run. */
#define SHEAF_COPY_TRIES 8

/* A copy of twice this length and more is cut into such pieces in a trial, so that few copies make one. The
 * pieces are long enough for libc's memcpy to go past the caches by itself, where it does so. */
#define SHEAF_COPY_PIECE ((size_t)16 << 20)

/* Bytes between two timed copies outside of trials; between two trials at least; and at most, since a
 * time in which the process did not run may be counted as a loss. */
#define SHEAF_COPY_LOOK      ((int64_t)1 << 20)
#define SHEAF_COPY_PAUSE     ((int64_t)256 << 20)
#define SHEAF_COPY_MOST_PAUSE ((int64_t)8 << 30)

/* What one PE knows of copies of one class of lengths. Threads may read way and left at any time; one
 * thread at a time calls the functions of learner.c. */
struct sheaf_copy_learner {
    int64_t left;           /* bytes until a copy is timed */
    uint32_t way;           /* enum sheaf_copy_algorithm: of the copies that are not timed */
    uint32_t ways;          /* a bit for each way that may be taken */
    bool is_early;          /* the trial under way, or the last one, came before its time */
    uint32_t trying;        /* the way on trial; 0: none is */
    uint32_t tries;         /* made by it; before the first trial: copies that were timed */
    uint64_t fastest, slowest; /* of them, ns for a MiB */
    uint64_t sum;           /* of those that count */
    uint64_t rate[SHEAF_COPY_ALGORITHMS]; /* ns for a MiB, by the last trial */
    uint64_t trial_bytes, trial_ns;
    uint32_t repeats;       /* of an interrupted trial, in a row */
    int64_t pause;          /* bytes from one trial to the next */
    int64_t since;          /* bytes since the last trial */
    int64_t soonest;        /* an early trial may follow after so many */
    uint32_t strange;       /* timed copies in a row that took another time than on trial */
};

/* ways: a bit for each way that may be taken. way: taken until the first trial. */
void sheaf_learner_begin(struct sheaf_copy_learner *learner, unsigned ways, int way);

/* Whether the next copy, of so many bytes, is to be timed. */
static inline bool sheaf_learner_is_due(struct sheaf_copy_learner *learner, size_t bytes)
{
    int64_t left = sheaf_load_relaxed(&learner->left) - (int64_t)bytes;
    sheaf_store_relaxed(&learner->left, left);
    return left < 0;
}

/* How much of a copy that is to be timed goes by one way, and which. */
size_t sheaf_learner_piece(const struct sheaf_copy_learner *learner, size_t bytes);
int sheaf_learner_way(const struct sheaf_copy_learner *learner);

/* That piece took so long. */
void sheaf_learner_took(struct sheaf_copy_learner *learner, size_t bytes, uint64_t ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging: a member copies the source of a collective to memory of the library, and the others read it
 * there. Without it they read the source itself. The source then lies in their caches too, and the
 * program's next store to each of its lines waits until they have given it up. Which way costs a program
 * less shows only in the time from one call to the next, its own stores included. So it is learned from
 * that time, where a program does little else between such calls; elsewhere nothing is staged.
 *
 * The copy goes through the caches, or it is streamed: its stores go past the caches, and the readers
 * fetch the lines from memory. Streamed it waits for no cache that has the lines from the call before,
 * which is most of the time where the processors have no cache in common.
 *
 * Measured with two processes (EPYC, Zen 4), from one call to the next, over the time in place
 * (bench/limits/staged.c), fcollect and broadcast of 128 KiB: where they share a third-level cache 0.71 and
 * 0.48 through the caches, and where the program writes 4 MiB between the calls 1.38 and 1.35; where they
 * share no cache 0.38 and 0.27 streamed, with 4 MiB between 0.39 and 0.28, and through the caches more than
 * in place.
 *
 * For the members of a team on one node. A member tells by its note where the others read.
 */
#ifndef SHEAF_COLL_STAGING_H
#define SHEAF_COLL_STAGING_H

#include "core/team/team.h"

#include <stddef.h>
#include <stdint.h>

enum sheaf_staged_call {
    SHEAF_STAGED_BROADCAST,
    SHEAF_STAGED_FCOLLECT,
    SHEAF_STAGED_ALLTOALL,
    SHEAF_STAGED_REDUCE,
    SHEAF_STAGED_CALLS
};

/* One call of this PE that has data for others. */
struct sheaf_staging {
    struct sheaf_staging_class *class; /* NULL: the call is neither staged nor timed */
    size_t bytes;
    char *place;                       /* where the others read; NULL: in the source */
    bool streams;                      /* past the caches */
    uint64_t begun_ns;                 /* 0: the call is not timed */
    bool leads;                        /* rank 0 of a call in which all have data */
};

/* Whether so many bytes may be staged at all. */
bool sheaf_staging_takes(size_t bytes);

/* Decides whether bytes of this call are staged. The root of a broadcast decides for itself. Where all
 * members have data they gain by staging together: rank 0 learns, and its note says what all do in the
 * next call. end: the others have read the bytes, after sheaf_coll_leave(). */
void sheaf_staging_begin(struct sheaf_staging *staging, struct sheaf_team *team,
                         enum sheaf_staged_call call, size_t bytes);
void sheaf_staging_end(const struct sheaf_staging *staging);

/* Copies bytes of the source to a part of the place. */
void sheaf_staging_copy(const struct sheaf_staging *staging, char *to, const char *from, size_t bytes);

/* Stages the total bytes of a source of equal blocks, one for each rank, but this PE's own at `at`. */
void sheaf_staging_copy_blocks(const struct sheaf_staging *staging, const char *source, size_t total,
                               size_t at, size_t bytes);

/* Where the block for rank is among those that member has staged. */
static inline size_t sheaf_staging_block_at(int rank, int member, size_t bytes)
{
    return (size_t)(rank < member ? rank : rank - 1) * bytes;
}

/* Copies bytes that another member has staged; total: all that this PE writes in the call. */
void sheaf_staging_read(char *to, const char *from, size_t bytes, size_t total);

/* Posts the note that says where the others read. */
void sheaf_staging_announce(struct sheaf_team *team, const struct sheaf_staging *staging);

/* Waits for the note of rank. Returns where its bytes are staged; NULL: they are in its source. */
const char *sheaf_staging_await(struct sheaf_team *team, int rank);

/* Called by sheaf_coll_prepare(), at each initialization. */
void sheaf_staging_reset(void);

#endif

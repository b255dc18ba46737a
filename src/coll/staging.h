/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging: a member copies the source of a collective to memory of the library, and the others read it
 * there. Without it they read the source itself. The source then lies in their caches too, and the
 * program's next store to each of its lines waits until they have given it up. Which way costs a program
 * less shows only in the time from one call to the next, its own stores included. So it is learned from
 * that time, where a program does little else between such calls; elsewhere nothing is staged.
 *
 * Measured with two processes that share a third-level cache (EPYC, Zen 4), from one call to the next
 * (bench/limits/staged.c): staged, fcollect and broadcast of 128 KiB take 0.64 and 0.48 of the time; where
 * the program writes 4 MiB between the calls 1.61 and 1.65; with no cache in common 1.37 and 1.52.
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
    SHEAF_STAGED_CALLS
};

/* One call of this PE that has data for others. */
struct sheaf_staging {
    struct sheaf_staging_class *class; /* NULL: the call is neither staged nor timed */
    size_t bytes;
    char *place;                       /* where the others read; NULL: in the source */
    uint64_t begun_ns;                 /* 0: the call is not timed */
    bool leads;                        /* rank 0 of a call in which all have data */
};

/* Decides whether bytes of this call are staged. The root of a broadcast decides for itself. Where all
 * members have data they gain by staging together: rank 0 learns, and its note says what all do in the
 * next call. end: the others have read the bytes, after sheaf_coll_leave(). */
void sheaf_staging_begin(struct sheaf_staging *staging, struct sheaf_team *team,
                         enum sheaf_staged_call call, size_t bytes);
void sheaf_staging_end(const struct sheaf_staging *staging);

/* Posts the note that says where the others read. */
void sheaf_staging_announce(struct sheaf_team *team, const struct sheaf_staging *staging);

/* Waits for the note of rank. Returns where its bytes are staged; NULL: they are in its source. */
const char *sheaf_staging_await(struct sheaf_team *team, int rank);

/* Called by sheaf_coll_prepare(), at each initialization. */
void sheaf_staging_reset(void);

#endif

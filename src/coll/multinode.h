/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The collectives of teams whose members are on several nodes. The file of each collective calls them,
 * with arguments that it has checked. Data travels between two nodes once, between their representatives.
 * Within a node it is read and written in place.
 */
#ifndef SHEAF_COLL_MULTINODE_H
#define SHEAF_COLL_MULTINODE_H

#include "coll/reduce.h"
#include "core/team/message.h"
#include "core/team/multinode.h"

/* The end of a collective in which some member only sends. Every 32nd one has a barrier, so that
 * messages do not accumulate at a slow receiver. */
#define SHEAF_MOST_UNANSWERED 32
static inline void sheaf_multinode_leave_unanswered(struct sheaf_team *team)
{
    if (++team->multinode->unanswered % SHEAF_MOST_UNANSWERED == 0)
        sheaf_coll_leave(team);
}

void sheaf_multinode_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes,
                          int root, bool on_root);
void sheaf_multinode_fcollect(struct sheaf_team *team, char *dest, const char *source, size_t bytes);
void sheaf_multinode_collect(struct sheaf_team *team, char *dest, const char *source, size_t bytes);
void sheaf_multinode_alltoall(struct sheaf_team *team, char *dest, const char *source, size_t bytes);
void sheaf_multinode_reduce(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                            enum sheaf_family family);

/* Strides are in bytes; block k begins at k * stride * count. */
struct sheaf_strided_call {
    char *dest;
    const char *source;
    ptrdiff_t dest_stride;
    ptrdiff_t source_stride;
    size_t count;
    size_t element_bytes;
};
void sheaf_multinode_alltoalls(struct sheaf_team *team, const struct sheaf_strided_call *call);

/* Scans call->count elements; exclusive: without the own element. */
void sheaf_multinode_scan(struct sheaf_team *team, const struct sheaf_reduce_call *call, bool exclusive);

#endif

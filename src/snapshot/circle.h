/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cyclic order of hosts: the leader of each host, and the member of the next host that holds each
 * member's copy. Steps and memory grow with the members and the hosts, not with pairs of them.
 */
#ifndef SHEAF_SNAPSHOT_CIRCLE_H
#define SHEAF_SNAPSHOT_CIRCLE_H

/* By rank, in one piece of memory, which the caller frees through leader. */
struct sheaf_circle {
    int *leader;         /* the lowest rank on the member's host */
    int *buddy;          /* the member at the same position of the next host; cyclically where that has
                            fewer */
    int *leaders, hosts; /* the leaders' ranks, ascending */
};

/* node: the node of each member, 0 to nodes - 1. Returns -1 without memory. */
int sheaf_circle_make(struct sheaf_circle *circle, const int *node, int size, int nodes);

#endif

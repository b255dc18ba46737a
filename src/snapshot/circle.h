/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hosts in a circle: which member leads each, and which member of the next one keeps whose copy. Arithmetic
 * alone, in steps and memory that grow with the members and the hosts, not with pairs of them.
 */
#ifndef SHEAF_SNAPSHOT_CIRCLE_H
#define SHEAF_SNAPSHOT_CIRCLE_H

/* By rank, in one piece of memory that the caller frees as leader. */
struct sheaf_circle {
    int *leader;         /* the lowest rank on the member's host */
    int *buddy;          /* the member at the same place of the next host; by turns where it has fewer */
    int *leaders, hosts; /* the ranks that lead, ascending */
};

/* node: each member's, 0 to nodes - 1. -1: no memory. */
int sheaf_circle_make(struct sheaf_circle *circle, const int *node, int size, int nodes);

#endif

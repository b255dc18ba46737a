/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of teams without a parent: active sets and lists of PEs. The first member to call on a node puts
 * the block into a list in the control area, where the others find it.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_LISTING_H
#define SHEAF_CORE_TEAM_LISTED_LISTING_H

#include "core/team/team.h"

enum sheaf_listing_kind { SHEAF_LISTING_ACTIVE_SET, SHEAF_LISTING_PES };

/* The key by which members find their team's block. */
struct sheaf_listing {
    enum sheaf_listing_kind kind;
    const int *key;
    int length; /* of the key */
    int takers; /* the entry is removed once this many members have found it; 0: it stays */
    bool is_reordered; /* set where another entry has the same PEs in another order */
};

/* Arena offset of the block of team, whose multinode data is set; 0 when the arena is full. A block
 * that only this PE uses on the node is not listed. */
uint64_t sheaf_listing_block(const struct sheaf_team *team, struct sheaf_listing *wanted);

/* Called by init.c. Frees the entries of earlier initializations, on one PE, while no PE of the node is
 * initialized. */
void sheaf_listing_forget(void);

#endif

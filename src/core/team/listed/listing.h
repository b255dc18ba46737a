/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of teams that no parent makes: of active sets and lists of PEs. The first member on a node to come
 * puts one into a list in the control area, where the others find it.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_LISTING_H
#define SHEAF_CORE_TEAM_LISTED_LISTING_H

#include "core/team/team.h"

enum sheaf_listing_kind { SHEAF_LISTING_ACTIVE_SET, SHEAF_LISTING_PES };

/* What members know their team by. */
struct sheaf_listing {
    enum sheaf_listing_kind kind;
    const int *key;
    int length; /* of the key */
    int takers; /* the entry goes when so many members have taken the block; 0: it stays */
    bool is_reordered; /* found out: others wait for members of the same numbers in another order */
};

/* Arena offset of the block of team, whose parts (multinode.h) are made; 0 when the arena is full. A block
 * that nobody else on this node uses is not listed. */
uint64_t sheaf_listing_block(const struct sheaf_team *team, struct sheaf_listing *wanted);

/* By init.c. Gives back what earlier initializations listed: by one PE, while no PE of the node is
 * initialized. */
void sheaf_listing_forget(void);

#endif

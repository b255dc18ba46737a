/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier of a team; collectives are built of it and of note.h. It completes stores only: the caller
 * has to call quiet for other operations.
 */
#ifndef SHEAF_CORE_TEAM_SYNC_H
#define SHEAF_CORE_TEAM_SYNC_H

#include "base/settings/names.h"
#include "core/team/team.h"

/* Sets the function that chooses a team's barrier, never SHEAF_BARRIER_AUTO, and by_note, by the team's
 * size; for teams that get their block from now on. Called at each initialization by the collectives, which
 * have the table. */
typedef void sheaf_sync_choose(struct sheaf_team *team);
void sheaf_sync_set_choice(sheaf_sync_choose *choose);

/* Where the member of this rank runs; team is what the maker of the tree was given. */
typedef struct sheaf_domains sheaf_tree_domains_of(const void *team, int rank);

/* Sets the neighbours of a rank in the tree of size members. Without domains_of it is a tree by ranks. With
 * it the lowest ranks of the sockets make a tree, within each socket those of its NUMA nodes, then of the
 * caches, and within these all: so 1 edge less than there are sockets leads from one socket to another. */
void sheaf_tree_make(struct sheaf_tree *tree, int size, int rank, sheaf_tree_domains_of *domains_of,
                     const void *team);

/* Whether the members run in several domains, in two or more each on average, and all domains are known. */
bool sheaf_tree_is_spread(int size, sheaf_tree_domains_of *domains_of, const void *team);

/* The member from which a rank takes the message of root, -1 for root itself: its parent. Rank 0 takes it
 * from root, so that no rank has to know another tree: one edge more where these are in two domains. */
static inline int sheaf_tree_source(const struct sheaf_tree *tree, int rank, int root)
{
    if (rank == root)
        return -1;
    return rank == 0 ? root : tree->parent;
}

/* Makes the team's tree by the host's levels; false and none where the team is not spread. All members get
 * the same answer. */
bool sheaf_tree_make_levels(struct sheaf_team *team);

/* Chooses team's barrier and makes its tree, for sheaf_team_attach_block(). */
void sheaf_sync_attach(struct sheaf_team *team);

/* team->barrier of a team that spans nodes. */
#define SHEAF_BARRIER_SPANNING SHEAF_BARRIER_ALGORITHMS

/* Returns when every member has called it. Stores that a member made before it are visible to all
 * members after it. A note that a member reads only after it must belong to a later exchange: see
 * team->read. */
void sheaf_sync(struct sheaf_team *team);

/* The same for a call of the program, which the flight recorder records. A team of one has nothing to
 * record. */
void sheaf_sync_recorded(struct sheaf_team *team);
static inline void sheaf_sync_called(struct sheaf_team *team)
{
    if (sheaf_likely(team->size != 1))
        sheaf_sync_recorded(team);
}

#endif

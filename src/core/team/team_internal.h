/* SPDX-License-Identifier: BSD-3-Clause
 * What team.c, split.c and active_set.c share.
 */
#ifndef SHEAF_CORE_TEAM_TEAM_INTERNAL_H
#define SHEAF_CORE_TEAM_TEAM_INTERNAL_H

#include "core/team/team.h"

/* Arena offset of a zeroed block for the team, whose multinode data is set; 0 when the arena is full. */
uint64_t sheaf_team_block_allocate(const struct sheaf_team *team);
size_t sheaf_team_block_bytes(const struct sheaf_team *team);

void sheaf_team_block_release(uint64_t offset, const struct sheaf_team *team);

int sheaf_team_attach_block(struct sheaf_team *team, uint64_t offset);

/* Gives team, whose fields are zero, these members. Where they are evenly spaced, it becomes a triplet
 * and pes is freed; else pes becomes its table. */
void sheaf_team_list(struct sheaf_team *team, int *pes, int size);

/* Records for the other PEs of the node where this PE runs. Returns 0, or prints the reason and returns -1.
 * Between two control barriers, before the first team. */
int sheaf_tree_record_domains(void);

/* Returns a team with all fields zero; NULL without memory. drop frees a team that has no block yet. */
struct sheaf_team *sheaf_team_new(void);
void sheaf_team_drop(struct sheaf_team *team);

/* Restarts the predefined teams in these blocks. The deaths up to born are of processes that are no
 * members. */
void sheaf_team_renew(uint64_t world_block, uint64_t shared_block, uint32_t born, uint64_t tag);
struct sheaf_team *sheaf_team_shared(void);

/* Adds a user team to the list that finalize empties. */
void sheaf_team_enlist(struct sheaf_team *team);

/* Frees a team that is on no list, with its contexts. */
void sheaf_team_discard(struct sheaf_team *team);

#endif

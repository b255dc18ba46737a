/* SPDX-License-Identifier: BSD-3-Clause
 * See shrink.h.
 */
#include "core/team/survive/shrink.h"

#include "base/log.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "core/team/failed.h"
#include "core/team/history.h"
#include "core/team/survive/agreement.h"
#include "core/team/team_internal.h"

#include <stdlib.h>

/* In the parent's order; returns how many. */
static int list_living(const struct sheaf_team *parent, uint32_t deaths, int *pes)
{
    int count = 0;
    for (int rank = 0; rank < parent->size; rank++)
        if (!sheaf_failed_by(parent, rank, deaths))
            pes[count++] = sheaf_team_world_pe(parent, rank);
    return count;
}

static struct sheaf_team *list(const struct sheaf_team *parent, uint32_t deaths)
{
    struct sheaf_team *team = sheaf_team_new();
    int *pes = malloc((size_t)parent->size * sizeof *pes);
    if (!team || !pes)
        sheaf_fatal("%s: no memory for a team of up to %d PEs", sheaf_call.name, parent->size);
    sheaf_team_list(team, pes, list_living(parent, deaths, pes));
    team->rank = sheaf_team_rank_of(team, sheaf_job.pe);
    team->node_domain = parent->node_domain;
    team->num_contexts = parent->num_contexts;
    return team;
}

/* A place that nobody has said: whoever was to say it has died before. */
#define UNSAID UINT64_MAX

/* The block of the new team, whose first member makes it: the same on all, or UNSAID. */
static uint64_t agree_on_block(struct sheaf_team *parent, const struct sheaf_team *team)
{
    uint64_t block = team->rank == 0 ? sheaf_team_block_allocate(team) : UNSAID;
    sheaf_agreement_to_repair(parent, &block);
    return block;
}

static int attach(struct sheaf_team *team, uint64_t block, uint32_t deaths, shmem_team_t *made)
{
    team->identity = sheaf_history_identity(NULL, block, deaths, (uint64_t)team->size);
    if (block == 0 || sheaf_team_attach_block(team, block) != 0) {
        sheaf_team_drop(team);
        return -1;
    }
    sheaf_team_enlist(team);
    *made = team;
    return 0;
}

static int shrink_near(struct sheaf_team *parent, shmem_team_t *made)
{
    for (;;) {
        uint64_t nothing = 0;
        uint32_t deaths = sheaf_agreement_to_repair(parent, &nothing);
        struct sheaf_team *team = list(parent, deaths);
        uint64_t block = agree_on_block(parent, team);
        if (block != UNSAID)
            return attach(team, block, deaths, made);
        sheaf_team_drop(team);
    }
}

/* Without deaths to fear it is a split that leaves nobody out. */
int sheaf_team_shrink(struct sheaf_team *parent, shmem_team_t *made)
{
    *made = SHMEM_TEAM_INVALID;
    if (parent->multinode || !sheaf_job.control)
        return sheaf_team_split_strided(parent, 0, 1, parent->size, NULL, 0, made);
    return shrink_near(parent, made);
}

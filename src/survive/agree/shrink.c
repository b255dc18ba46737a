/* SPDX-License-Identifier: BSD-3-Clause
 * See shrink.h.
 */
#include "survive/agree/shrink.h"

#include "base/log.h"
#include "boot/boot.h"
#include "boot/replicated_log/agent_client.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "survive/failed.h"
#include "core/team/history.h"
#include "core/team/multinode.h"
#include "survive/agree/agreement.h"
#include "core/team/tag.h"
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
        sheaf_fatal("SH301 %s: no memory for a team of up to %d PEs", sheaf_call.name, parent->size);
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

/* What a new team's lowest member on a node makes for those there. */
static void offer_block(struct sheaf_team *team)
{
    struct sheaf_pe *mine = sheaf_control_pe(sheaf_job.control, sheaf_boot.slot);
    if (sheaf_team_near(team)->rank != 0)
        return;
    sheaf_store_relaxed(&mine->offered_block, sheaf_team_block_allocate(team));
    sheaf_store_release(&mine->offered_team, team->identity);
}

/* 0: there was no memory. UNSAID: whoever was to offer it has died before. */
static uint64_t offered_block(struct sheaf_team *team)
{
    int first = sheaf_team_world_pe(sheaf_team_near(team), 0);
    struct sheaf_pe *entry = sheaf_control_pe(sheaf_job.control, sheaf_boot_slot_of(first));
    bool is_there = sheaf_load_acquire(&entry->offered_team) == team->identity;
    return is_there ? sheaf_load_relaxed(&entry->offered_block) : UNSAID;
}

enum { ALL_THERE = 1, ALL_MEMORY = 2 };

/* By the parent: which of these holds on all. The team's first member has chosen the tag of its
 * messages. */
static uint64_t agree_on_parts(struct sheaf_team *parent, struct sheaf_team *team)
{
    bool leads = team->multinode && team->rank == 0;
    uint64_t tag = leads ? sheaf_tag_new() : UNSAID;
    sheaf_agreement_to_repair(parent, &tag); /* all offers that come have been made */
    uint64_t block = offered_block(team);
    bool has_tag = !team->multinode || tag != UNSAID;
    if (team->multinode)
        team->multinode->tag = tag;
    uint64_t said = ~UINT64_C(0);
    if (block == UNSAID || !has_tag)
        said &= ~(uint64_t)ALL_THERE;
    if (block == 0)
        said &= ~(uint64_t)ALL_MEMORY;
    sheaf_agreement_to_repair(parent, &said);
    return said;
}

static void withdraw_block(struct sheaf_team *team)
{
    uint64_t block = offered_block(team);
    if (sheaf_team_near(team)->rank == 0 && block != 0 && block != UNSAID)
        sheaf_team_block_release(block, team);
}

/* On several nodes: a block on each, and a tag. */
static int shrink_far(struct sheaf_team *parent, shmem_team_t *made)
{
    for (;;) {
        uint64_t nothing = 0;
        uint32_t deaths = sheaf_agreement_to_repair(parent, &nothing);
        struct sheaf_team *team = list(parent, deaths);
        if (sheaf_multinode_make(team) != 0)
            sheaf_fatal("SH301 %s: no memory for a team of %d PEs", sheaf_call.name, team->size);
        team->identity = sheaf_history_identity(NULL, parent->identity, deaths,
                                                parent->agreements[SHEAF_AGREE_PROGRAM]);
        offer_block(team);
        uint64_t said = agree_on_parts(parent, team), block = offered_block(team);
        if ((said & ALL_THERE) && (said & ALL_MEMORY) && sheaf_team_attach_block(team, block) == 0) {
            sheaf_team_enlist(team);
            *made = team;
            return 0;
        }
        withdraw_block(team);
        sheaf_team_drop(team);
        if (said & ALL_THERE)
            return -1;
    }
}

/* Without deaths to fear it is a split that leaves nobody out. */
int sheaf_team_shrink(struct sheaf_team *parent, shmem_team_t *made)
{
    *made = SHMEM_TEAM_INVALID;
    if (sheaf_agent_is_used())
        return shrink_far(parent, made);
    if (parent->multinode || !sheaf_job.control)
        return sheaf_team_split_strided(parent, 0, 1, parent->size, NULL, 0, made);
    return shrink_near(parent, made);
}

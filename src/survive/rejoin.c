/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See rejoin.h. The living agree on blocks for the predefined teams and on what the allocator knows, and
 * each writes them down for those who come; from there all are members of the new world.
 */
#include "survive/rejoin.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "boot/replicated_log/agent_client.h"
#include "core/memory/blocks.h"
#include "core/pe/arena.h"
#include "survive/failure.h"
#include "core/pe/wait.h"
#include "survive/rejoin_far.h"
#include "survive/rejoin_internal.h"
#include "core/team/listed/active_set.h"
#include "survive/agree/agreement.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"
#include "image/image.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSAID UINT64_MAX

static struct sheaf_control *area(void)
{
    return sheaf_job.control;
}

bool sheaf_is_respawned(void)
{
    return sheaf_boot.is_respawned;
}

static bool take_spare(void)
{
    int32_t left = sheaf_load_relaxed(&area()->spares);
    while (left > 0)
        if (__atomic_compare_exchange_n(&area()->spares, &left, left - 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return true;
    return false;
}

int sheaf_respawn(int pe)
{
    uint32_t dead = SHEAF_PE_DEAD;
    if (sheaf_agent_is_used())
        return sheaf_respawn_far(pe);
    if (!sheaf_failure_is_reported || !take_spare())
        return -1;
    if (!__atomic_compare_exchange_n(&sheaf_control_pe(area(), pe)->presence, &dead, SHEAF_PE_WANTED,
                                     false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&area()->spares, 1, __ATOMIC_ACQ_REL);
        return -1;
    }
    __atomic_fetch_add(&area()->respawns, 1, __ATOMIC_ACQ_REL);
    return 0;
}

/* In the arena; 0 when that is full. */
static uint64_t save_heap(void)
{
    size_t bytes;
    struct sheaf_block_list list = sheaf_rejoin_list_heap(&bytes);
    uint64_t saved = sheaf_arena_allocate(bytes);
    if (saved)
        sheaf_rejoin_save_heap(sheaf_arena_at(saved), &list);
    free(list.blocks);
    return saved;
}

static uint64_t agree_on(struct sheaf_team *world, bool is_mine, uint64_t place)
{
    uint64_t said = is_mine ? place : UNSAID;
    sheaf_agreement_to_repair(world, &said);
    return said;
}

/* Where all rejoin. */
struct rejoin {
    uint64_t world, shared, heap;
    uint32_t deaths;
};

/* False where whoever was to make the blocks has died. */
static bool arrange(struct sheaf_team *world, struct rejoin *rejoin)
{
    bool mine = sheaf_rejoin_leader(world, rejoin->deaths) == world->rank;
    struct sheaf_team *shared = sheaf_team_shared();
    rejoin->world = agree_on(world, mine, mine ? sheaf_team_block_allocate(world) : 0);
    rejoin->shared = agree_on(world, mine, mine ? sheaf_team_block_allocate(shared) : 0);
    rejoin->heap = agree_on(world, mine, mine ? save_heap() : 0);
    if (rejoin->world == 0 || rejoin->shared == 0 || rejoin->heap == 0)
        sheaf_fatal("SH131 %s: the job's control area is full", sheaf_call.name);
    return rejoin->heap != UNSAID && rejoin->shared != UNSAID && rejoin->world != UNSAID;
}

/* All living PEs write the same: one of them is enough. */
static void announce(const struct rejoin *rejoin)
{
    sheaf_store_relaxed(&area()->joined_world, rejoin->world);
    sheaf_store_relaxed(&area()->joined_shared, rejoin->shared);
    sheaf_store_relaxed(&area()->joined_heap, rejoin->heap);
    sheaf_store_release(&area()->joined, rejoin->deaths);
    sheaf_os_futex_wake(&area()->joined);
}

static void describe(const void *object, char *text, size_t size)
{
    (void)object;
    snprintf(text, size, "the other PEs, to call shmemx_rejoin");
}

/* A respawned PE: where those rejoin who know of its forerunner's death. */
static struct rejoin await_rejoin(void)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, NULL, describe);
    uint32_t died = sheaf_load_acquire(&sheaf_control_pe(area(), sheaf_job.pe)->died), joined,
        sleepers = 0;
    wait.bears_deaths = true;
    while ((joined = sheaf_load_acquire(&area()->joined)) < died)
        sheaf_wait_turn(&area()->joined, &sleepers, joined, &wait);
    sheaf_wait_done(&wait);
    return (struct rejoin){sheaf_load_relaxed(&area()->joined_world),
                           sheaf_load_relaxed(&area()->joined_shared),
                           sheaf_load_relaxed(&area()->joined_heap), joined};
}

/* From here on this PE is a member of the new world, whoever dies. */
static int rejoin_all(const struct rejoin *rejoin)
{
    struct sheaf_team *world = sheaf_team_world();
    uint64_t nothing = 0;
    sheaf_active_sets_fini();
    sheaf_team_renew(rejoin->world, rejoin->shared, rejoin->deaths, SHEAF_TAG_OF_WORLD);
    if (sheaf_failure_is_outside) {
        if (sheaf_rejoin_adopt_heap(sheaf_arena_at(rejoin->heap)) != 0)
            sheaf_fatal("SH301 %s: no memory for the symmetric heap's bookkeeping", sheaf_call.name);
        sheaf_store_release(&sheaf_control_pe(area(), sheaf_job.pe)->presence, SHEAF_PE_THERE);
        sheaf_failure_is_outside = false;
    } else {
        sheaf_blocks_settle();
    }
    uint32_t deaths = sheaf_agreement_to_repair(world, &nothing);
    return sheaf_failed_count_by(world, deaths);
}

int sheaf_rejoin(void)
{
    struct sheaf_team *world = sheaf_team_world();
    struct rejoin rejoin;
    if (sheaf_agent_is_used())
        return sheaf_rejoin_far();
    if (sheaf_failure_is_outside) {
        rejoin = await_rejoin();
        return rejoin_all(&rejoin);
    }
    do {
        uint64_t nothing = 0;
        rejoin.deaths = sheaf_agreement_to_repair(world, &nothing);
        uint64_t all_wanted = sheaf_rejoin_all_are_wanted(); /* later deaths are the new world's */
        sheaf_agreement_to_repair(world, &all_wanted);
        if (!all_wanted)
            return -1;
        if (sheaf_failed_count_by(world, rejoin.deaths) == 0)
            return 0;
    } while (!arrange(world, &rejoin));
    announce(&rejoin);
    return rejoin_all(&rejoin);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See rejoin_far.h. The lowest living PE writes the list of the heap's blocks into the log, and that the
 * rejoin begins. Both are entries, as are the deaths before and after them, and the arrival of each new
 * process. Each node makes its own blocks of the predefined teams.
 */
#include "survive/rejoin_far.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "boot/replicated_log/agent_client.h"
#include "core/memory/blocks.h"
#include "core/pe/arena.h"
#include "core/pe/network.h"
#include "core/pe/wait.h"
#include "survive/rejoin_internal.h"
#include "core/team/history.h"
#include "core/team/listed/active_set.h"
#include "survive/agree/agreement.h"
#include "survive/network.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sheaf_control *area(void)
{
    return sheaf_job.control;
}

static void describe_answer(const void *object, char *text, size_t size)
{
    (void)object;
    snprintf(text, size, "this host's agent, to say whether a new process is granted");
}

static uint32_t await_answer(struct sheaf_respawn_answer *answer, uint32_t number)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, NULL, describe_answer);
    uint32_t now, sleepers = 0;
    wait.bears_deaths = true;
    while ((now = sheaf_load_acquire(&answer->number)) != number)
        sheaf_wait_turn(&answer->number, &sleepers, now, &wait);
    sheaf_wait_done(&wait);
    return sheaf_load_relaxed(&answer->is_granted);
}

static uint32_t ask(int pe)
{
    static __thread uint64_t box;
    static __thread uint32_t number;
    if (!box)
        box = sheaf_arena_allocate(sizeof(struct sheaf_respawn_answer));
    if (!box)
        sheaf_fatal("SH131 %s: the job's control area is full", sheaf_call.name);
    struct sheaf_respawn call = {.pe = pe, .asker = sheaf_job.pe, .box = box, .number = ++number};
    sheaf_agent_respawn(&call);
    return await_answer(sheaf_arena_at(box), number);
}

int sheaf_respawn_far(int pe)
{
    if (!sheaf_agent_has_addresses()) {
        sheaf_warn("SH606 shmemx_respawn: on several hosts it needs processes in reserve (oshrun --spare "
                   "N --hosts ...): go on with the living");
        return -1;
    }
    uint32_t said = sheaf_failure_presence(pe) == SHEAF_PE_DEAD ? ask(pe) : SHEAF_RESPAWN_REFUSED;
    if (said == SHEAF_RESPAWN_IS_LOST)
        sheaf_warn("SH606 shmemx_respawn: host %s, where PE %d was, is lost, and no other has processes in "
                   "reserve: go on with the living, or start again from a snapshot", sheaf_boot_host_of(pe),
                   pe);
    if (said == SHEAF_RESPAWN_DIFFERS)
        sheaf_warn("SH606 shmemx_respawn: host %s, where PE %d was, is lost, and other hosts may run "
                   "another program than that PE: go on with the living, or start again from a snapshot",
                   sheaf_boot_host_of(pe), pe);
    return said == SHEAF_RESPAWN_GRANTED ? 0 : -1;
}

static void announce(uint32_t deaths)
{
    size_t bytes;
    struct sheaf_block_list list = sheaf_rejoin_list_heap(&bytes);
    struct sheaf_saved_heap *heap = malloc(bytes);
    if (!heap)
        sheaf_fatal("SH301 %s: no memory for what the heap holds", sheaf_call.name);
    sheaf_rejoin_save_heap(heap, &list);
    free(list.blocks);
    sheaf_agent_begin_rejoin(deaths, heap, bytes);
    free(heap);
}

static int adopt_heap(void)
{
    void *bytes;
    size_t length;
    if (sheaf_agent_heap(&bytes, &length) != 0)
        return -1;
    struct sheaf_saved_heap *heap = bytes;
    bool is_whole = length >= sizeof *heap &&
                    length == sizeof *heap + heap->count * sizeof heap->blocks[0];
    int failed = !is_whole || sheaf_rejoin_adopt_heap(heap) != 0;
    free(bytes);
    return failed ? -1 : 0;
}

static void describe(const void *object, char *text, size_t size)
{
    (void)object;
    snprintf(text, size, "the other PEs, to call shmemx_rejoin");
}

/* Whether the rejoin of those who have met so many deaths has begun; false once PE leader, which begins
 * it, has died and has not (-1: nobody's death matters). */
static bool await_rejoin(uint32_t deaths, int leader)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, NULL, describe);
    uint32_t joined, sleepers = 0;
    bool is_dead = false;
    wait.bears_deaths = true;
    while ((joined = sheaf_load_acquire(&area()->joined)) < deaths && !is_dead) {
        is_dead = leader >= 0 && sheaf_control_died(area(), leader) > deaths;
        if (!is_dead)
            sheaf_wait_turn(&area()->joined, &sleepers, joined, &wait);
    }
    sheaf_wait_done(&wait);
    return sheaf_load_acquire(&area()->joined) >= deaths;
}

/* Of the lowest slot's PE that lives and takes part: its forerunners' deaths have been met. */
static int first_slot(uint32_t deaths)
{
    int slot = 0;
    while (slot < sheaf_boot.slot && sheaf_control_died(area(), sheaf_boot_pe_at(slot)) > deaths)
        slot++;
    return slot;
}

static struct sheaf_pe *find_offer(uint64_t identity)
{
    for (int slot = 0; slot < area()->npes; slot++) {
        struct sheaf_pe *entry = sheaf_control_pe(area(), slot);
        if (sheaf_load_acquire(&entry->offered_team) == identity)
            return entry;
    }
    return NULL;
}

static void offer(uint64_t identity)
{
    struct sheaf_pe *mine = sheaf_control_pe(area(), sheaf_boot.slot);
    sheaf_store_relaxed(&mine->offered_block, sheaf_team_block_allocate(sheaf_team_world()));
    sheaf_store_relaxed(&mine->offered_shared, sheaf_team_block_allocate(sheaf_team_shared()));
    if (!mine->offered_block || !mine->offered_shared)
        sheaf_fatal("SH131 %s: the job's control area is full", sheaf_call.name);
    sheaf_store_release(&mine->offered_team, identity);
    __atomic_fetch_add(&area()->offers, 1, __ATOMIC_ACQ_REL);
    sheaf_os_futex_wake(&area()->offers);
}

/* The first of the node's PEs makes the blocks. Whoever takes another's place as the first has seen that
 * one's death, and so whether it has made them. */
static const struct sheaf_pe *find_blocks(uint32_t deaths)
{
    uint64_t identity = sheaf_history_identity(NULL, deaths, UINT64_MAX, 4);
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, NULL, describe);
    struct sheaf_pe *found = NULL;
    uint32_t sleepers = 0;
    wait.bears_deaths = true;
    while (!found) {
        uint32_t offers = sheaf_load_acquire(&area()->offers);
        int first = first_slot(deaths);
        found = find_offer(identity);
        if (!found && first == sheaf_boot.slot)
            offer(identity);
        else if (!found)
            sheaf_wait_turn(&area()->offers, &sleepers, offers, &wait);
    }
    sheaf_wait_done(&wait);
    return found;
}

/* This process takes its part from now on. */
static void settle(uint32_t deaths)
{
    if (adopt_heap() != 0)
        sheaf_fatal("SH301 %s: no memory for the symmetric heap's bookkeeping", sheaf_call.name);
    sheaf_agent_settle(deaths);
    sheaf_failure_is_outside = false;
}

/* From here on this PE is a member of the new world, whoever dies. All have said where they are reached
 * once all have agreed. */
static int rejoin_all(uint32_t deaths)
{
    struct sheaf_team *world = sheaf_team_world();
    uint64_t nothing = 0;
    const struct sheaf_pe *blocks = find_blocks(deaths);
    sheaf_active_sets_fini();
    sheaf_team_renew(blocks->offered_block, blocks->offered_shared, deaths, sheaf_tag_of_world(deaths));
    if (sheaf_failure_is_outside)
        settle(deaths);
    else
        sheaf_blocks_settle();
    uint32_t later = sheaf_agreement_to_repair(world, &nothing);
    sheaf_survive_renew_engine();
    return sheaf_failed_count_by(world, later);
}

/* By a new process: of those who have met the death of its forerunner. */
static int rejoin_as_new(void)
{
    await_rejoin(sheaf_control_died(area(), sheaf_job.pe), -1);
    return rejoin_all(sheaf_load_acquire(&area()->joined));
}

int sheaf_rejoin_far(void)
{
    struct sheaf_team *world = sheaf_team_world();
    uint32_t deaths;
    int leader;
    if (sheaf_network)
        sheaf_network->forget_dead();
    if (sheaf_failure_is_outside)
        return rejoin_as_new();
    do {
        uint64_t nothing = 0;
        deaths = sheaf_agreement_to_repair(world, &nothing);
        uint64_t all_wanted = sheaf_rejoin_all_are_wanted(); /* later deaths are the new world's */
        sheaf_agreement_to_repair(world, &all_wanted);
        if (!all_wanted)
            return -1;
        if (sheaf_failed_count_by(world, deaths) == 0)
            return 0;
        leader = sheaf_rejoin_leader(world, deaths);
        if (leader == sheaf_job.pe)
            announce(deaths);
    } while (!await_rejoin(deaths, leader));
    return rejoin_all(deaths);
}

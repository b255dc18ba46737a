/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier of a team, with seven algorithms: see sync.h. A team's algorithm is chosen once, when the
 * team gets its block, so that a block never sees two of them. Each algorithm has words of its own in the
 * block, which notes and collectives do not use.
 */
#include "core/team/sync.h"

#include "base/probe.h"
#include "core/team/history.h"
#include "core/team/multinode.h"
#include "core/team/near.h"

/* The bits that count the rounds of one dissemination: a team has fewer than 2^32 members. */
#define ROUND_BITS 5

static sheaf_sync_choose *choose;

void sheaf_sync_set_choice(sheaf_sync_choose *choice)
{
    choose = choice;
}

void sheaf_sync_attach(struct sheaf_team *team)
{
    team->barrier = SHEAF_BARRIER_CENTRAL;
    team->note_bytes = team->multinode || team->size == 1 ? 0 : SHEAF_NOTE_BYTES;
    if (choose)
        choose(team);
    if (team->multinode)
        team->barrier = SHEAF_BARRIER_SPANNING;
    team->has_levels = !team->multinode && team->barrier != SHEAF_BARRIER_TREE &&
                       sheaf_tree_make_levels(team);
    if (team->barrier == SHEAF_BARRIER_TREE)
        sheaf_tree_make(&team->tree, team->size, team->rank, NULL, NULL);
    else if (team->barrier == SHEAF_BARRIER_LEVELS && !team->has_levels)
        team->barrier = SHEAF_BARRIER_CENTRAL;
}

/* Two members, the shortest dissemination: each stores its own flag and waits for the other's. */
static void sync_pair(struct sheaf_team *team, uint32_t epoch)
{
    struct sheaf_team_block *block = team->block;
    union sheaf_step *mine = &block->members[team->rank].arrived;
    union sheaf_step *other = &block->members[1 - team->rank].arrived;

    uint64_t step = sheaf_history_step(team, epoch);

    sheaf_near_store_step(team, mine, step);
    sheaf_near_match_step(team, other, step);
}

/* Every member adds 1 to a counter; the last one starts the next epoch. Of all algorithms this one
 * needs the fewest switches between processes where PEs outnumber CPUs. */
static void sync_central(struct sheaf_team *team, uint32_t epoch)
{
    struct sheaf_team_block *block = team->block;
    uint32_t missing = sheaf_history_arrive(team, &block->arrived);
    if (missing == 0) {
        sheaf_store_relaxed(&block->arrived, 0);
        sheaf_near_store_word(team, &block->epoch, epoch);
    } else {
        sheaf_near_await_last(team, &block->epoch, epoch - 1, missing);
    }
}

static struct sheaf_member *member_at(struct sheaf_team *team, int rank)
{
    return &team->block->members[rank];
}

/* The arrival of all lower ranks is passed from rank to rank; the release comes back the same way. */
static void sync_linear(struct sheaf_team *team, uint32_t epoch)
{
    struct sheaf_member *mine = member_at(team, team->rank);
    uint64_t step = sheaf_history_step(team, epoch);
    if (team->rank > 0)
        sheaf_near_match_step(team, &member_at(team, team->rank - 1)->gathered, step);
    if (team->rank < team->size - 1) {
        sheaf_near_store_step(team, &mine->gathered, step);
        sheaf_near_await_count(team, &member_at(team, team->rank + 1)->released, epoch);
    }
    sheaf_near_store_word(team, &mine->released, epoch);
}

/* The arrival of all lower ranks is passed from rank to rank; the last rank releases all at once. */
static void sync_linear_broadcast(struct sheaf_team *team, uint32_t epoch)
{
    uint64_t step = sheaf_history_step(team, epoch);
    if (team->rank > 0)
        sheaf_near_match_step(team, &member_at(team, team->rank - 1)->gathered, step);
    if (team->rank < team->size - 1) {
        sheaf_near_store_step(team, &member_at(team, team->rank)->gathered, step);
        sheaf_near_await_word(team, &team->block->epoch, epoch - 1);
    } else {
        sheaf_near_store_word(team, &team->block->epoch, epoch);
    }
}

/* In round k each member waits for the member at rank (rank - 2^k) mod size. After log2(size) rounds
 * each knows that all have arrived. A member whose step is already higher has also done this round. */
static void sync_dissemination(struct sheaf_team *team, uint32_t epoch)
{
    union sheaf_step *mine = &member_at(team, team->rank)->gathered;
    uint64_t step = sheaf_history_step(team, epoch << ROUND_BITS);
    if (team->size == 2) {
        sync_pair(team, epoch);
        return;
    }
    for (long distance = 1; distance < team->size; distance *= 2) {
        long rank = (team->rank - distance + team->size) % team->size;
        sheaf_near_store_step(team, mine, ++step);
        sheaf_near_match_step(team, &member_at(team, (int)rank)->gathered, step);
    }
}

void sheaf_sync(struct sheaf_team *team)
{
    if (team->size == 1)
        return;
    uint32_t epoch = ++team->epoch;
    switch (team->barrier) {
    case SHEAF_BARRIER_LINEAR:
        sync_linear(team, epoch);
        break;
    case SHEAF_BARRIER_DISSEMINATION:
        sync_dissemination(team, epoch);
        break;
    case SHEAF_BARRIER_LINEAR_BROADCAST:
        sync_linear_broadcast(team, epoch);
        break;
    case SHEAF_BARRIER_TREE:
    case SHEAF_BARRIER_LEVELS:
        sheaf_near_arrive(team, epoch);
        sheaf_near_release(team, epoch);
        break;
    case SHEAF_BARRIER_SPANNING:
        SHEAF_PROBE3(collective_begin, team->identity, SHEAF_WAITS_FOR_ALL, 0);
        sheaf_multinode_sync(team);
        SHEAF_PROBE1(collective_end, team->identity);
        break;
    default:
        sync_central(team, epoch);
    }
    team->read = team->exchange;
}

/* Fetches the cache line that this PE stores to first, while it writes the recorder's entry. In a
 * barrier of 2 PEs that hides 13 ns of the 17 ns that the entry takes. */
static void fetch_first_line(const struct sheaf_team *team)
{
    const struct sheaf_member *mine = &team->block->members[team->rank];
    if (team->barrier == SHEAF_BARRIER_DISSEMINATION)
        sheaf_own_soon(team->size == 2 ? &mine->arrived : &mine->gathered);
}

void sheaf_sync_recorded(struct sheaf_team *team)
{
    fetch_first_line(team);
    struct sheaf_record *record = sheaf_history_begin(team, SHEAF_WAITS_FOR_ALL, 0);
    sheaf_sync(team);
    sheaf_record_end(record);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See sync.h.
 */
#include "core/sync.h"

#include "core/wait.h"

#include <stdio.h>
#include <string.h>

static void describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    if (team->predefined)
        snprintf(text, size, "the %s team", team->node_domain ? "shared" : "world");
    else
        snprintf(text, size, "a team of %d PEs: %d, %d, ...", team->size,
                 sheaf_team_world_pe(team, 0), sheaf_team_world_pe(team, 1));
}

/* Two members: each raises its own flag and watches the other's. */
static void sync_pair(struct sheaf_team *team, uint32_t epoch)
{
    struct sheaf_team_block *block = team->block;
    uint32_t *mine = &block->members[team->rank].arrived;
    uint32_t *other = &block->members[1 - team->rank].arrived;

    sheaf_store_release(mine, epoch);
    sheaf_wait_wake(mine, &block->sleepers);
    if (sheaf_load_acquire(other) != epoch - 1)
        return;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, describe);
    sheaf_wait_word(other, &block->sleepers, epoch - 1, &wait);
    sheaf_wait_done(&wait);
}

/* Everybody counts in; the last one starts the next epoch. Of all barriers this one needs the
 * fewest switches between processes where PEs outnumber CPUs. */
static void sync_central(struct sheaf_team *team, uint32_t epoch)
{
    struct sheaf_team_block *block = team->block;
    if (__atomic_add_fetch(&block->arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)team->size) {
        sheaf_store_relaxed(&block->arrived, 0);
        sheaf_store_release(&block->epoch, epoch);
        sheaf_wait_wake(&block->epoch, &block->sleepers);
        return;
    }
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, describe);
    sheaf_wait_word(&block->epoch, &block->sleepers, epoch - 1, &wait);
    sheaf_wait_done(&wait);
}

void sheaf_sync(struct sheaf_team *team)
{
    uint32_t epoch = ++team->epoch;
    if (team->size == 2)
        sync_pair(team, epoch);
    else if (team->size > 2)
        sync_central(team, epoch);
}

void sheaf_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    uint32_t exchange = ++team->exchange;
    struct sheaf_note *note = &team->block->members[team->rank].notes[exchange & 1];
    memcpy(note->payload, payload, bytes);
    sheaf_store_release(&note->sequence, exchange);
    sheaf_sync_wake(team, &note->sequence);
}

const void *sheaf_note_wait(struct sheaf_team *team, int rank)
{
    uint32_t exchange = team->exchange, now;
    struct sheaf_note *note = &team->block->members[rank].notes[exchange & 1];
    if (sheaf_likely((now = sheaf_load_acquire(&note->sequence)) == exchange))
        return note->payload;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, describe);
    while (now != exchange)
        now = sheaf_wait_word(&note->sequence, &team->block->sleepers, now, &wait);
    sheaf_wait_done(&wait);
    return note->payload;
}

void sheaf_sync_wake(struct sheaf_team *team, uint32_t *word)
{
    sheaf_wait_wake(word, &team->block->sleepers);
}

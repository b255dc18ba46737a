/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exchange of notes, and what both ways of meeting share: see sync.h. The barriers are in
 * barrier.c.
 */
#include "core/team/sync.h"

#include "core/team/multinode.h"
#include "core/pe/wait.h"

#include <stdio.h>
#include <string.h>

void sheaf_sync_describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    if (team->predefined)
        snprintf(text, size, "the %s team", team->node_domain ? "shared" : "world");
    else
        snprintf(text, size, "a team of %d PEs: %d, %d, ...", team->size,
                 sheaf_team_world_pe(team, 0), sheaf_team_world_pe(team, 1));
}

void sheaf_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    if (sheaf_unlikely(team->multinode != NULL)) {
        sheaf_multinode_exchange(team, payload, bytes, SHEAF_NOTE_BYTES);
        return;
    }
    uint32_t exchange = ++team->exchange;
    struct sheaf_note *note = &team->block->members[team->rank].notes[exchange & 1];
    memcpy(note->payload, payload, bytes);
    sheaf_store_release(&note->sequence, exchange);
    sheaf_sync_wake(team, &note->sequence);
}

const void *sheaf_note_wait(struct sheaf_team *team, int rank)
{
    if (sheaf_unlikely(team->multinode != NULL))
        return sheaf_multinode_note(team, rank);
    uint32_t exchange = team->exchange, now;
    struct sheaf_note *note = &team->block->members[rank].notes[exchange & 1];
    if (sheaf_likely((now = sheaf_load_acquire(&note->sequence)) == exchange))
        return note->payload;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_sync_describe);
    while (now != exchange)
        now = sheaf_wait_word(&note->sequence, &team->block->sleepers, now, &wait);
    sheaf_wait_done(&wait);
    return note->payload;
}

void sheaf_team_gather(struct sheaf_team *team, const void *payload, size_t bytes,
                       sheaf_team_hear *hear, void *result)
{
    sheaf_note_post(team, payload, bytes);
    for (int rank = 0; rank < team->size; rank++)
        hear(result, rank, sheaf_note_wait(team, rank));
}

static void hear_flag(void *first, int rank, const void *note)
{
    int *lowest = first;
    if (*(const unsigned char *)note && *lowest < 0)
        *lowest = rank;
}

int sheaf_team_first(struct sheaf_team *team, bool flag)
{
    unsigned char mine = flag;
    int first = -1;
    sheaf_team_gather(team, &mine, sizeof mine, hear_flag, &first);
    return first;
}

void sheaf_sync_wake(struct sheaf_team *team, uint32_t *word)
{
    sheaf_wait_wake(word, &team->block->sleepers);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See note.h.
 */
#include "core/team/note.h"

#include "core/team/multinode.h"
#include "core/team/near.h"

void sheaf_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_exchange(team, payload, bytes, SHEAF_NOTE_BYTES);
    else
        sheaf_near_note_post(team, payload, bytes);
}

const void *sheaf_note_wait(struct sheaf_team *team, int rank)
{
    if (sheaf_unlikely(team->multinode != NULL))
        return sheaf_multinode_note(team, rank);
    return sheaf_near_note_wait(team, rank);
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

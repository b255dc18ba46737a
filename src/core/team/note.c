/* SPDX-License-Identifier: BSD-3-Clause
 * See note.h.
 */
#include "core/team/note.h"

#include "core/team/multinode.h"
#include "core/team/near.h"

#include <string.h>

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
                       sheaf_team_read_note *hear, void *result)
{
    sheaf_note_post(team, payload, bytes);
    for (int rank = 0; rank < team->size; rank++)
        hear(result, rank, sheaf_note_wait(team, rank));
}

/* Where the pieces in the current notes are copied to. */
struct pieces {
    char *all;
    size_t bytes, at, length;
};

static void copy_piece(void *result, int rank, const void *note)
{
    const struct pieces *pieces = result;
    memcpy(pieces->all + (size_t)rank * pieces->bytes + pieces->at, note, pieces->length);
}

static void exchange_pieces(struct sheaf_team *team, const void *mine, size_t bytes, void *all)
{
    struct pieces pieces = {.all = all, .bytes = bytes};
    for (; pieces.at < bytes; pieces.at += pieces.length) {
        size_t rest = bytes - pieces.at;
        pieces.length = rest < SHEAF_NOTE_BYTES ? rest : SHEAF_NOTE_BYTES;
        sheaf_team_gather(team, (const char *)mine + pieces.at, pieces.length, copy_piece, &pieces);
    }
}

/* The members of a node exchange pieces, which is quick there; then each node's part travels in one
 * message. */
void sheaf_team_exchange(struct sheaf_team *team, const void *mine, size_t bytes, void *all)
{
    const struct sheaf_multinode *multinode = team->multinode;
    if (!multinode || bytes <= SHEAF_NOTE_BYTES) {
        exchange_pieces(team, mine, bytes, all);
        return;
    }
    char *parts = sheaf_multinode_scratch(team, (size_t)team->size * bytes);
    exchange_pieces(sheaf_team_near(team), mine, bytes,
                    parts + (size_t)multinode->first[multinode->node] * bytes);
    sheaf_multinode_share(team, parts, bytes);
    for (int rank = 0; rank < team->size; rank++)
        memcpy((char *)all + (size_t)rank * bytes, parts + (size_t)multinode->position[rank] * bytes,
               bytes);
}

struct lowest {
    uint64_t *words;
    int count;
};

static void read_words(void *result, int rank, const void *note)
{
    const struct lowest *lowest = result;
    const uint64_t *theirs = note;
    (void)rank;
    for (int i = 0; i < lowest->count; i++)
        if (theirs[i] < lowest->words[i])
            lowest->words[i] = theirs[i];
}

void sheaf_team_lowest(struct sheaf_team *team, uint64_t *words, int count)
{
    struct lowest lowest = {words, count};
    if (team->multinode)
        sheaf_multinode_lowest(team, words, count);
    else
        sheaf_team_gather(team, words, (size_t)count * sizeof *words, read_words, &lowest);
}

int sheaf_team_first(struct sheaf_team *team, bool flag)
{
    uint64_t first = flag ? (uint64_t)team->rank : UINT64_MAX;
    sheaf_team_lowest(team, &first, 1);
    return first == UINT64_MAX ? -1 : (int)first;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collect and fcollect across nodes. What fits notes travels in them. Else the members of a node
 * bring their blocks to their representative's dest, the representatives exchange what their nodes
 * have, and the members copy the whole.
 */
#include "coll/span.h"

/* Where each rank's block lies in dest: at[rank] where that is set, else at rank * bytes. */
struct layout {
    char *dest;
    size_t bytes;
    const size_t *at; /* size + 1 entries */
};

static size_t block_at(const struct layout *layout, int rank)
{
    return layout->at ? layout->at[rank] : layout->bytes * (size_t)rank;
}

/* A node's blocks, those of consecutive ranks in one piece. */
struct walk {
    int next;
    int end;
};

static struct walk walk_of(const struct sheaf_team *team, int node)
{
    return (struct walk){team->span->first[node], team->span->first[node + 1]};
}

static bool next_piece(struct walk *walk, const struct sheaf_team *team,
                       const struct layout *layout, size_t *at, size_t *bytes)
{
    if (walk->next == walk->end)
        return false;
    int first = team->span->members[walk->next++], last = first;
    while (walk->next < walk->end && team->span->members[walk->next] == last + 1)
        last = team->span->members[walk->next++];
    *at = block_at(layout, first);
    *bytes = block_at(layout, last + 1) - *at;
    return true;
}

/* In turn one piece in and one out, so that nobody fills up with receives whose senders do the
 * same. */
static void swap_with(struct sheaf_messages *messages, const struct layout *layout, int from, int to)
{
    struct sheaf_team *team = messages->team;
    struct walk in = walk_of(team, from), out = walk_of(team, team->span->node);
    bool more = true;
    while (more) {
        size_t at, bytes;
        more = false;
        if (next_piece(&in, team, layout, &at, &bytes)) {
            sheaf_messages_receive(messages, sheaf_span_representative(team, from),
                                   layout->dest + at, bytes);
            more = true;
        }
        if (next_piece(&out, team, layout, &at, &bytes)) {
            sheaf_messages_send(messages, sheaf_span_representative(team, to), layout->dest + at,
                                bytes);
            more = true;
        }
    }
}

static void swap_with_all(struct sheaf_team *team, const struct layout *layout)
{
    struct sheaf_messages messages;
    sheaf_messages_begin(&messages, team);
    for (int distance = 1; distance < team->span->nodes; distance++)
        swap_with(&messages, layout, sheaf_span_node_at(team, -distance),
                  sheaf_span_node_at(team, distance));
    sheaf_messages_wait(&messages);
}

/* Step 1 of the representative: its dest may be written; of others: my block is there. Step 2: all
 * blocks are. layout is asked for by the representative alone. */
static void gather_and_share(struct sheaf_team *team, const struct layout *layout,
                             const char *source, size_t my_at, size_t my_bytes, size_t total)
{
    struct sheaf_team *near = &team->span->near;
    sheaf_steps_begin(near);
    if (near->rank == 0) {
        sheaf_steps_reach(near, 1);
        if (my_bytes > 0)
            memcpy(layout->dest + my_at, source, my_bytes);
        for (int rank = 1; rank < near->size; rank++)
            sheaf_steps_wait(near, rank, 1);
        swap_with_all(team, layout);
        sheaf_steps_reach(near, 2);
    } else {
        char *theirs = sheaf_coll_peer(near, 0, layout->dest, total);
        sheaf_steps_wait(near, 0, 1);
        if (my_bytes > 0)
            memcpy(theirs + my_at, source, my_bytes);
        sheaf_steps_reach(near, 1);
        sheaf_steps_wait(near, 0, 2);
        memcpy(layout->dest, theirs, total);
    }
    sheaf_coll_leave(near);
}

void sheaf_span_fcollect(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    struct layout layout = {.dest = dest, .bytes = bytes};
    if (bytes > SHEAF_NOTE_BYTES) {
        gather_and_share(team, &layout, source, bytes * (size_t)team->rank, bytes,
                         bytes * (size_t)team->size);
        return;
    }
    sheaf_span_exchange(team, source, bytes, bytes);
    for (int rank = 0; rank < team->size; rank++)
        memcpy(dest + (size_t)rank * bytes, sheaf_span_note(team, rank), bytes);
}

/* What a member of a collect says: how much it brings, and the data itself where it fits. */
struct contribution {
    uint64_t bytes;
    unsigned char data[SHEAF_NOTE_BYTES - sizeof(uint64_t)];
};

static size_t bytes_of(const struct sheaf_team *team, int rank)
{
    const struct contribution *note = sheaf_span_note(team, rank);
    return note->bytes;
}

static void copy_notes(struct sheaf_team *team, char *dest)
{
    for (int rank = 0; rank < team->size; rank++) {
        const struct contribution *note = sheaf_span_note(team, rank);
        if (note->bytes > 0) /* dest may be null where nobody brings anything */
            memcpy(dest, note->data, note->bytes);
        if (note->bytes > 0)
            dest += note->bytes;
    }
}

void sheaf_span_collect(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    struct contribution mine = {.bytes = bytes};
    struct layout layout = {.dest = dest};
    size_t total = 0, my_at = 0, largest = 0, *at = NULL;
    if (bytes > 0 && bytes <= sizeof mine.data)
        memcpy(mine.data, source, bytes);
    sheaf_span_exchange(team, &mine, sizeof mine, sizeof mine);
    if (sheaf_span_represents(team))
        at = sheaf_span_scratch(team, ((size_t)team->size + 1) * sizeof *at);
    for (int rank = 0; rank < team->size; rank++) {
        size_t theirs = bytes_of(team, rank);
        if (rank == team->rank)
            my_at = total;
        if (at)
            at[rank] = total;
        if (theirs > largest)
            largest = theirs;
        total += theirs;
    }
    if (largest <= sizeof mine.data) {
        copy_notes(team, dest);
        return;
    }
    if (at)
        at[team->size] = total;
    layout.at = at;
    gather_and_share(team, &layout, source, my_at, bytes, total);
}

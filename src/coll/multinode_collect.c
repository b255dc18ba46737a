/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collect and fcollect across nodes. Small blocks travel in notes. For larger ones the members of a node
 * write their blocks to their representative's dest. The representatives exchange their nodes' blocks, and
 * the members copy from the representative's dest piece by piece as it arrives. This is a broadcast within
 * the node: it goes along the node's tree where a broadcast of that length does.
 */
#include "coll/choice.h"
#include "coll/multinode.h"

/* A piece is still in a cache when the members copy it. In very large teams, which have many pieces,
 * they wait for all pieces. */
#define AT_ONCE_BYTES ((size_t)4 << 20)
#define MOST_PIECES   16384

/* The offset of each rank's block in dest: at[rank], or rank * bytes where at is NULL. */
struct layout {
    char *dest;
    size_t bytes;
    const size_t *at; /* size + 1 entries */
    size_t total;
    size_t piece;     /* no piece is larger */
};

static size_t block_at(const struct layout *layout, int rank)
{
    return layout->at ? layout->at[rank] : layout->bytes * (size_t)rank;
}

/* A walk over a node's blocks in pieces, with blocks of consecutive ranks together; the same on all
 * members. */
struct walk {
    int next;
    int end;
    size_t at;
    size_t remaining; /* bytes of the part that begins at at */
};

static struct walk walk_of(const struct sheaf_team *team, int node)
{
    return (struct walk){.next = team->multinode->first[node], .end = team->multinode->first[node + 1]};
}

static bool next_piece(struct walk *walk, const struct sheaf_team *team,
                       const struct layout *layout, char **start, size_t *bytes)
{
    while (walk->remaining == 0) {
        if (walk->next == walk->end)
            return false;
        int first = team->multinode->members[walk->next++], last = first;
        while (walk->next < walk->end && team->multinode->members[walk->next] == last + 1)
            last = team->multinode->members[walk->next++];
        walk->at = block_at(layout, first);
        walk->remaining = block_at(layout, last + 1) - walk->at;
    }
    *start = layout->dest + walk->at;
    *bytes = walk->remaining < layout->piece ? walk->remaining : layout->piece;
    walk->at += *bytes;
    walk->remaining -= *bytes;
    return true;
}

/* Steps of the representative: 1, its dest may be written; 2, all blocks of the node are there; one
 * more for each piece from other nodes, or one for all. Step 1 of other members: their block is there. The
 * further ones of a member that others copy from are those of the representative, for its own dest. */
static bool is_stepwise(const struct sheaf_team *team)
{
    return team->size <= MOST_PIECES;
}

static void reach_received_steps(struct sheaf_team *team, struct sheaf_messages *in)
{
    if (is_stepwise(team))
        sheaf_steps_reach(&team->multinode->near, 2 + sheaf_messages_complete(in));
}

/* Receives and sends pieces in turn, so that no member posts only receives while its senders do the
 * same. */
static void swap_pieces(struct sheaf_messages *in, struct sheaf_messages *out,
                        const struct layout *layout, int from, int to)
{
    struct sheaf_team *team = in->team;
    struct walk theirs = walk_of(team, from), own = walk_of(team, team->multinode->node);
    bool more = true;
    while (more) {
        char *start;
        size_t bytes;
        more = false;
        if (next_piece(&theirs, team, layout, &start, &bytes)) {
            sheaf_messages_receive(in, sheaf_multinode_representative(team, from), start, bytes);
            more = true;
        }
        if (next_piece(&own, team, layout, &start, &bytes)) {
            sheaf_messages_send(out, sheaf_multinode_representative(team, to), start, bytes);
            more = true;
        }
        reach_received_steps(team, in);
    }
}

static void swap_all_pieces(struct sheaf_team *team, const struct layout *layout)
{
    struct sheaf_messages in, out;
    sheaf_messages_begin(&in, team);
    sheaf_messages_begin(&out, team);
    for (int distance = 1; distance < team->multinode->nodes; distance++)
        swap_pieces(&in, &out, layout, sheaf_multinode_node_at(team, -distance),
                    sheaf_multinode_node_at(team, distance));
    while (in.complete != in.posted) {
        sheaf_messages_wait_for(&in, in.complete + 1);
        reach_received_steps(team, &in);
    }
    if (!is_stepwise(team))
        sheaf_steps_reach(&team->multinode->near, 3);
    sheaf_messages_wait(&out);
}

/* A member that copies: from which other one, and whether others copy from it. */
struct copier {
    int from;
    ptrdiff_t to_theirs;
    bool has_readers;
    uint32_t step;
};

static void reach_copied_step(struct sheaf_team *team, const struct copier *copier)
{
    if (copier->has_readers)
        sheaf_steps_reach(&team->multinode->near, copier->step);
}

static void copy_node(struct sheaf_team *team, const struct layout *layout, int node,
                      struct copier *copier)
{
    struct walk walk = walk_of(team, node);
    bool is_mine = node == team->multinode->node;
    char *start;
    size_t bytes;
    while (next_piece(&walk, team, layout, &start, &bytes)) {
        bool is_step = !is_mine && is_stepwise(team);
        if (is_step)
            sheaf_steps_wait(&team->multinode->near, copier->from, ++copier->step);
        memcpy(start, (const char *)((uintptr_t)start + (uintptr_t)copier->to_theirs), bytes);
        if (is_step)
            reach_copied_step(team, copier);
    }
}

/* Copies the nodes' blocks in the order in which the representative receives them. */
static void copy_all_nodes(struct sheaf_team *team, const struct layout *layout)
{
    struct sheaf_team *near = &team->multinode->near;
    bool by_levels = near->has_levels && sheaf_choose(SHEAF_BROADCAST, near->size, layout->total) ==
                                             SHEAF_BROADCAST_LEVELS;
    struct copier copier = {.from = by_levels ? near->tree.parent : 0,
                            .has_readers = by_levels && near->tree.count > 0,
                            .step = is_stepwise(team) ? 2 : 3};
    const char *theirs = sheaf_coll_peer(near, copier.from, layout->dest, layout->total);
    copier.to_theirs = (ptrdiff_t)((uintptr_t)theirs - (uintptr_t)layout->dest);
    sheaf_steps_wait(near, copier.from, copier.step);
    for (int distance = 0; distance < team->multinode->nodes; distance++) {
        copy_node(team, layout, sheaf_multinode_node_at(team, -distance), &copier);
        if (distance == 0 && is_stepwise(team))
            reach_copied_step(team, &copier);
    }
    if (!is_stepwise(team))
        reach_copied_step(team, &copier);
}

static void gather_and_share(struct sheaf_team *team, struct layout *layout, const char *source,
                             size_t my_at, size_t my_bytes)
{
    struct sheaf_team *near = &team->multinode->near;
    size_t piece = sheaf_messages_piece(layout->total, AT_ONCE_BYTES);
    sheaf_check_reached(layout->dest, layout->total, source, my_bytes, sheaf_call.name);
    layout->piece = layout->total / MOST_PIECES > piece ? layout->total / MOST_PIECES : piece;
    sheaf_steps_begin(near);
    if (near->rank == 0) {
        sheaf_steps_reach(near, 1);
        if (my_bytes > 0)
            memcpy(layout->dest + my_at, source, my_bytes);
        for (int rank = 1; rank < near->size; rank++)
            sheaf_steps_wait(near, rank, 1);
        if (is_stepwise(team))
            sheaf_steps_reach(near, 2);
        swap_all_pieces(team, layout);
    } else {
        char *theirs = sheaf_coll_peer(near, 0, layout->dest, layout->total);
        sheaf_steps_wait(near, 0, 1);
        if (my_bytes > 0)
            memcpy(theirs + my_at, source, my_bytes);
        sheaf_steps_reach(near, 1);
        copy_all_nodes(team, layout);
    }
    sheaf_coll_leave(near);
}

void sheaf_multinode_fcollect(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    struct layout layout = {.dest = dest, .bytes = bytes, .total = bytes * (size_t)team->size};
    if (bytes > SHEAF_NOTE_BYTES) {
        gather_and_share(team, &layout, source, bytes * (size_t)team->rank, bytes);
        return;
    }
    sheaf_multinode_exchange(team, source, bytes, bytes);
    for (int rank = 0; rank < team->size; rank++)
        memcpy(dest + (size_t)rank * bytes, sheaf_multinode_note(team, rank), bytes);
}

/* A member's note in a collect: the number of its bytes, and the data itself where it fits. */
struct contribution {
    uint64_t bytes;
    unsigned char data[SHEAF_NOTE_BYTES - sizeof(uint64_t)];
};

static size_t bytes_of(const struct sheaf_team *team, int rank)
{
    const struct contribution *note = sheaf_multinode_note(team, rank);
    return note->bytes;
}

static void copy_notes(struct sheaf_team *team, char *dest)
{
    for (int rank = 0; rank < team->size; rank++) {
        const struct contribution *note = sheaf_multinode_note(team, rank);
        if (note->bytes > 0) /* dest may be null where no member contributes */
            memcpy(dest, note->data, note->bytes);
        if (note->bytes > 0)
            dest += note->bytes;
    }
}

/* The offset of each rank's block. */
static size_t *block_offsets(struct sheaf_team *team)
{
    size_t *at = sheaf_multinode_scratch(team, ((size_t)team->size + 1) * sizeof *at);
    at[0] = 0;
    for (int rank = 0; rank < team->size; rank++)
        at[rank + 1] = at[rank] + bytes_of(team, rank);
    return at;
}

void sheaf_multinode_collect(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    struct contribution mine = {.bytes = bytes};
    size_t largest = 0;
    if (bytes > 0 && bytes <= sizeof mine.data)
        memcpy(mine.data, source, bytes);
    sheaf_multinode_exchange(team, &mine, sizeof mine, sizeof mine);
    for (int rank = 0; rank < team->size; rank++)
        if (bytes_of(team, rank) > largest)
            largest = bytes_of(team, rank);
    if (largest <= sizeof mine.data) {
        copy_notes(team, dest);
        return;
    }
    const size_t *at = block_offsets(team);
    struct layout layout = {.dest = dest, .at = at, .total = at[team->size]};
    gather_and_share(team, &layout, source, at[team->rank], bytes);
}

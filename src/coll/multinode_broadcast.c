/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast across nodes: a binomial tree of the nodes, in which the root speaks for its own. Within a
 * node a small message goes on in a note. A large one goes in chunks, so that a node passes on, and
 * its members copy, what has arrived while the rest is under way.
 */
#include "coll/multinode.h"

#include "core/memory/symmetric.h"

#define MOST_STEPS  32768

/* Of one broadcast; a receiver may be MOST_UNANSWERED of them late (core/team/multinode_sync.c). */
#define AT_ONCE_BYTES ((size_t)1 << 20)

/* So many chunks may arrive before they are waited for. */
#define AHEAD 4

struct flow {
    struct sheaf_team *team;
    const char *from; /* the message, on who speaks for the node */
    char *dest;
    size_t bytes;
    size_t chunk;
    size_t chunks;
    int root_node;
    int speaker;      /* near rank */
};

static size_t length_of(const struct flow *flow, size_t chunk)
{
    size_t at = chunk * flow->chunk;
    return flow->bytes - at < flow->chunk ? flow->bytes - at : flow->chunk;
}

/* Who is at that place of the tree, with the root's node at 0. */
static int rank_at(const struct flow *flow, int place)
{
    return sheaf_multinode_representative(flow->team,
                                     (place + flow->root_node) % flow->team->multinode->nodes);
}

/* The child with most nodes below it comes first. The children of a place are those that have one
 * more bit below its lowest. */
static void pass_on(struct flow *flow, struct sheaf_messages *out, int place, size_t chunk)
{
    int nodes = flow->team->multinode->nodes, bit = 1;
    while (bit < nodes && !(place & bit))
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2)
        if (place + bit < nodes)
            sheaf_messages_send(out, rank_at(flow, place + bit), flow->from + chunk * flow->chunk,
                                length_of(flow, chunk));
}

static void expect(struct flow *flow, struct sheaf_messages *in, int parent, size_t chunk)
{
    if (chunk < flow->chunks)
        sheaf_messages_receive(in, parent, flow->dest + chunk * flow->chunk,
                               length_of(flow, chunk));
}

/* The parent of a place is it without its lowest bit; the root's messages come from the root, who
 * need not be its node's representative. */
static void speak(struct flow *flow, int root)
{
    struct sheaf_messages in, out;
    int nodes = flow->team->multinode->nodes;
    int place = (flow->team->multinode->node - flow->root_node + nodes) % nodes;
    int above = place & (place - 1), parent = above == 0 ? root : rank_at(flow, above);
    sheaf_messages_begin(&in, flow->team);
    sheaf_messages_begin(&out, flow->team);
    for (size_t chunk = 0; place != 0 && chunk < AHEAD; chunk++)
        expect(flow, &in, parent, chunk);
    for (size_t chunk = 0; chunk < flow->chunks; chunk++) {
        if (place != 0) {
            sheaf_messages_wait_for(&in, (unsigned)chunk + 1);
            expect(flow, &in, parent, chunk + AHEAD);
        }
        pass_on(flow, &out, place, chunk);
        if (flow->bytes > SHEAF_NOTE_BYTES)
            sheaf_steps_reach(&flow->team->multinode->near, (uint32_t)chunk + 1);
    }
    sheaf_messages_wait(&out);
}

static void follow(struct flow *flow)
{
    struct sheaf_team *near = &flow->team->multinode->near;
    const char *from = sheaf_coll_peer(near, flow->speaker, flow->from, flow->bytes);
    for (size_t chunk = 0; chunk < flow->chunks; chunk++) {
        sheaf_steps_wait(near, flow->speaker, (uint32_t)chunk + 1);
        memcpy(flow->dest + chunk * flow->chunk, from + chunk * flow->chunk,
               length_of(flow, chunk));
    }
}

void sheaf_multinode_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes,
                          int root, bool on_root)
{
    struct sheaf_multinode *multinode = team->multinode;
    int root_node = multinode->node_of[root];
    bool with_root = root_node == multinode->node;
    size_t piece = sheaf_messages_piece(bytes, AT_ONCE_BYTES);
    size_t chunk = bytes / MOST_STEPS > piece ? bytes / MOST_STEPS : piece;
    struct flow flow = {
        .team = team,
        .from = with_root ? source : dest,
        .dest = dest,
        .bytes = bytes,
        .chunk = chunk,
        .chunks = (bytes + chunk - 1) / chunk,
        .root_node = root_node,
        .speaker = with_root ? multinode->position[root] - multinode->first[multinode->node] : 0,
    };
    if (bytes > SHEAF_NOTE_BYTES) {
        sheaf_symmetric_require(team->rank == root ? source : dest, bytes, sheaf_call.name);
        sheaf_steps_begin(&multinode->near);
    }
    if (multinode->near.rank == flow.speaker)
        speak(&flow, root);
    else if (bytes > SHEAF_NOTE_BYTES)
        follow(&flow);
    if (bytes <= SHEAF_NOTE_BYTES)
        sheaf_broadcast_by_note(&multinode->near, dest, flow.from, bytes, flow.speaker);
    else
        sheaf_coll_leave(&multinode->near);
    if (team->rank == root && on_root)
        sheaf_coll_copy(dest, source, bytes);
    sheaf_multinode_leave_unanswered(team);
}

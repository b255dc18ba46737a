/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast across nodes, along a binomial tree of the nodes. One member of each node forwards the
 * message: the root on its own node, and the representative on others. Within a node a small message
 * travels in a note. A large one travels in chunks, so that a node forwards, and its members copy, the
 * chunks that have arrived while the rest is under way. Both go along the node's tree where rules say so.
 */
#include "coll/choice.h"
#include "coll/multinode.h"

#include "core/memory/symmetric.h"

#define MOST_STEPS  32768

/* The limit for one broadcast; a receiver may be SHEAF_MOST_UNANSWERED broadcasts late (multinode.h). */
#define AT_ONCE_BYTES ((size_t)1 << 20)

/* The receives that are posted ahead of the chunk that is waited for. */
#define AHEAD 4

struct flow {
    struct sheaf_team *team;
    const char *from; /* the message, on the member that forwards */
    char *dest;
    size_t bytes;
    size_t chunk;
    size_t chunks;
    int root_node;
    int forwarder;      /* near rank */
    bool by_levels;     /* members take the message along the node's tree */
};

static size_t length_of(const struct flow *flow, size_t chunk)
{
    size_t at = chunk * flow->chunk;
    return flow->bytes - at < flow->chunk ? flow->bytes - at : flow->chunk;
}

/* The representative at that position of the tree, with the root's node at position 0. */
static int rank_at(const struct flow *flow, int position)
{
    return sheaf_multinode_representative(flow->team,
                                     (position + flow->root_node) % flow->team->multinode->nodes);
}

/* Sends a chunk to the children. The child with the most nodes below it comes first. The children of a
 * position have one more bit, below its lowest one. */
static void forward_chunk(struct flow *flow, struct sheaf_messages *out, int position, size_t chunk)
{
    int nodes = flow->team->multinode->nodes, bit = 1;
    while (bit < nodes && !(position & bit))
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2)
        if (position + bit < nodes)
            sheaf_messages_send(out, rank_at(flow, position + bit), flow->from + chunk * flow->chunk,
                                length_of(flow, chunk));
}

static void post_receive(struct flow *flow, struct sheaf_messages *in, int parent, size_t chunk)
{
    if (chunk < flow->chunks)
        sheaf_messages_receive(in, parent, flow->dest + chunk * flow->chunk,
                               length_of(flow, chunk));
}

/* Forwards the message. The parent of a position is the position without its lowest bit. The root's
 * messages come from the root itself, which need not be its node's representative. */
static void forward_message(struct flow *flow, int root)
{
    struct sheaf_messages in, out;
    int nodes = flow->team->multinode->nodes;
    int position = (flow->team->multinode->node - flow->root_node + nodes) % nodes;
    int above = position & (position - 1), parent = above == 0 ? root : rank_at(flow, above);
    sheaf_messages_begin(&in, flow->team);
    sheaf_messages_begin(&out, flow->team);
    for (size_t chunk = 0; position != 0 && chunk < AHEAD; chunk++)
        post_receive(flow, &in, parent, chunk);
    for (size_t chunk = 0; chunk < flow->chunks; chunk++) {
        if (position != 0) {
            sheaf_messages_wait_for(&in, (unsigned)chunk + 1);
            post_receive(flow, &in, parent, chunk + AHEAD);
        }
        forward_chunk(flow, &out, position, chunk);
        if (flow->bytes > SHEAF_NOTE_BYTES)
            sheaf_steps_reach(&flow->team->multinode->near, (uint32_t)chunk + 1);
    }
    sheaf_messages_wait(&out);
}

static void copy_message(struct flow *flow)
{
    struct sheaf_team *near = &flow->team->multinode->near;
    int member = flow->forwarder;
    if (flow->by_levels)
        member = sheaf_tree_source(&near->tree, near->rank, flow->forwarder);
    const char *theirs = member == flow->forwarder ? flow->from : flow->dest;
    const char *from = sheaf_coll_peer(near, member, theirs, flow->bytes);
    for (size_t chunk = 0; chunk < flow->chunks; chunk++) {
        sheaf_steps_wait(near, member, (uint32_t)chunk + 1);
        memcpy(flow->dest + chunk * flow->chunk, from + chunk * flow->chunk,
               length_of(flow, chunk));
        if (flow->by_levels)
            sheaf_steps_reach(near, (uint32_t)chunk + 1);
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
        .forwarder = with_root ? multinode->position[root] - multinode->first[multinode->node] : 0,
        .by_levels = multinode->near.has_levels &&
                     sheaf_choose(SHEAF_BROADCAST, multinode->near.size, bytes) == SHEAF_BROADCAST_LEVELS,
    };
    if (bytes > SHEAF_NOTE_BYTES) {
        sheaf_symmetric_require(team->rank == root ? source : dest, bytes, sheaf_call.name);
        sheaf_steps_begin(&multinode->near);
    }
    if (multinode->near.rank == flow.forwarder)
        forward_message(&flow, root);
    else if (bytes > SHEAF_NOTE_BYTES)
        copy_message(&flow);
    if (bytes <= SHEAF_NOTE_BYTES)
        (flow.by_levels ? sheaf_broadcast_by_tree : sheaf_broadcast_by_note)(
            &multinode->near, dest, flow.from, bytes, flow.forwarder);
    else
        sheaf_coll_leave(&multinode->near);
    if (team->rank == root && on_root)
        sheaf_coll_copy(dest, source, bytes);
    sheaf_multinode_leave_unanswered(team);
}

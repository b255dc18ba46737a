/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce across nodes. The members of a node combine in rank order, and the nodes' results are combined
 * in the order of the nodes' lowest ranks: one after the other, or, with more than FEW_NODES, along a
 * tree of neighbours. Both depend on the number of nodes alone: an element's bits are the same on all
 * ranks, for every length and on every run.
 */
#include "coll/choice.h"
#include "coll/multinode.h"

/* With few nodes, up to this many bytes every representative gets all nodes' results and combines them, in
 * one step. Above, each combines a share of the elements for all, in two steps, which sends and combines
 * less. With more nodes, up to this share of each the representatives double what they know in each round:
 * that takes log2(nodes) messages, where the two steps take 2 to each other node. */
#define ONE_STEP_BYTES ((size_t)32 << 10)
#define FEW_NODES      8
#define DOUBLING_SHARE ((size_t)1 << 10)

/* Elements travel between the nodes in segments, so that members combine the next segment and copy the
 * last while one is under way. */
#define SEGMENT_BYTES ((size_t)1 << 20)
#define AT_ONCE_BYTES SEGMENT_BYTES
#define SHARE_BYTES   ((size_t)8 << 10)
#define MOST_STEPS    16384 /* a step counter holds four times as many, and a tree's counts twice */

/* From this many bytes of each member on, and SHARE_BYTES of each for each node, each member exchanges
 * its own share with other nodes (a lane), without the representative. */
#define LANE_BYTES ((size_t)32 << 10)

/* Rounds up to a multiple of 16, the alignment of elements of any type, but leaves a word one: that travels
 * in its message's header. */
static size_t aligned_bytes(size_t bytes)
{
    return bytes <= sizeof(uint64_t) ? sizeof(uint64_t) : (bytes + 15) / 16 * 16;
}

/* The tree of nodes. Its leaves are a power of two of groups, as many as there can be: the first nodes
 * are in groups of two, and each of the others is one by itself. */
struct groups {
    int count;
    int paired; /* the groups of two, which come first */
};

static struct groups groups_of(int nodes)
{
    int count = 1 << (31 - __builtin_clz((unsigned)nodes));
    return (struct groups){count, nodes - count};
}

static int first_node(struct groups groups, int group)
{
    return group < groups.paired ? 2 * group : group + groups.paired;
}

static void combine_along_tree(const struct sheaf_reduce_call *call, char *parts, size_t stride, int nodes,
                               size_t count)
{
    struct groups groups = groups_of(nodes);
    for (int pair = 0; pair < groups.paired; pair++)
        call->combine(parts + 2 * (size_t)pair * stride, parts + (2 * (size_t)pair + 1) * stride, count);
    for (int bit = 1; bit < groups.count; bit *= 2)
        for (int group = 0; group < groups.count; group += 2 * bit)
            call->combine(parts + (size_t)first_node(groups, group) * stride,
                          parts + (size_t)first_node(groups, group + bit) * stride, count);
}

/* Combines all nodes' parts, which are stride apart, into mine. This node's part is among them. */
static void combine_parts(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *parts,
                          size_t stride, char *mine, size_t count)
{
    int nodes = team->multinode->nodes;
    if (nodes > FEW_NODES)
        combine_along_tree(call, parts, stride, nodes, count);
    else
        for (int node = 1; node < nodes; node++)
            call->combine(parts, parts + (size_t)node * stride, count);
    memcpy(mine, parts, count * call->element_bytes);
}

/* Two steps send two shares to each other node, and one step sends everything to each. With two nodes
 * both send the same, and one step only combines more. */
static bool is_one_step(const struct sheaf_team *team, size_t bytes)
{
    size_t more = (size_t)team->multinode->nodes - 2;
    return bytes < ONE_STEP_BYTES * 8 / (8 * more + 1);
}

static void combine_in_one_step(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                                size_t count)
{
    size_t bytes = count * call->element_bytes, stride = aligned_bytes(bytes);
    char *parts = sheaf_multinode_scratch(team, stride * (size_t)team->multinode->nodes);
    char *part = parts + (size_t)team->multinode->node * stride;
    memcpy(part, mine, bytes);
    memset(part + bytes, 0, stride - bytes); /* former contents of the memory are not sent */
    sheaf_multinode_allgather(team, parts, NULL, stride);
    combine_parts(team, call, parts, stride, mine, count);
}

/* Sends sent bytes of mine to the counterpart on a node, and receives received bytes from there. */
static void swap_results(struct sheaf_team *team, int node, const char *mine, size_t sent, char *theirs,
                         size_t received)
{
    struct sheaf_messages messages;
    int rank = sheaf_multinode_counterpart(team, node);
    sheaf_messages_begin(&messages, team);
    sheaf_messages_swap(&messages, (struct sheaf_message_from){rank, theirs, received},
                        (struct sheaf_message_to){rank, mine, sent}, AT_ONCE_BYTES);
    sheaf_messages_wait(&messages);
}

/* A pair's first node takes its second one's part and brings it the result. Between them the groups double
 * what they know: after round k a group has the result of the 2^(k + 1) groups that begin alike. */
static void combine_by_doubling(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                                size_t count)
{
    size_t bytes = count * call->element_bytes;
    char *theirs = sheaf_multinode_scratch(team, bytes);
    struct groups groups = groups_of(team->multinode->nodes);
    int node = team->multinode->node;
    bool is_paired = node < 2 * groups.paired;
    int group = is_paired ? node / 2 : node - groups.paired;
    if (node != first_node(groups, group)) {
        swap_results(team, node - 1, mine, bytes, theirs, 0);
        swap_results(team, node - 1, theirs, 0, mine, bytes);
        return;
    }
    if (is_paired) {
        swap_results(team, node + 1, mine, 0, theirs, bytes);
        call->combine(mine, theirs, count);
    }
    for (int bit = 1; bit < groups.count; bit *= 2) {
        swap_results(team, first_node(groups, group ^ bit), mine, bytes, theirs, bytes);
        if (group & bit) {
            call->combine(theirs, mine, count);
            memcpy(mine, theirs, bytes);
        } else {
            call->combine(mine, theirs, count);
        }
    }
    if (is_paired)
        swap_results(team, node + 1, mine, bytes, theirs, 0);
}

struct share {
    char *start;
    size_t count;
    size_t bytes;
};

static struct share share_of(const struct sheaf_team *team, const struct sheaf_reduce_call *call,
                             char *mine, size_t count, int node)
{
    size_t first, length;
    sheaf_coll_share(count, call->element_bytes, team->multinode->nodes, node, &first, &length);
    return (struct share){mine + first * call->element_bytes, length,
                          length * call->element_bytes};
}

/* First each member receives all nodes' parts of its share and combines them; then it sends its share
 * to all. */
static void combine_in_two_steps(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                                 size_t count)
{
    struct sheaf_messages messages;
    int nodes = team->multinode->nodes;
    struct share own = share_of(team, call, mine, count, team->multinode->node);
    size_t stride = aligned_bytes(own.bytes);
    char *parts = sheaf_multinode_scratch(team, stride * (size_t)nodes);

    sheaf_messages_begin(&messages, team);
    for (int distance = 1; distance < nodes; distance++) {
        int to = sheaf_multinode_node_at(team, distance), from = sheaf_multinode_node_at(team, -distance);
        struct share theirs = share_of(team, call, mine, count, to);
        sheaf_messages_swap(&messages,
                            (struct sheaf_message_from){sheaf_multinode_counterpart(team, from),
                                                        parts + (size_t)from * stride, own.bytes},
                            (struct sheaf_message_to){sheaf_multinode_counterpart(team, to),
                                                      theirs.start, theirs.bytes},
                            AT_ONCE_BYTES);
    }
    memcpy(parts + (size_t)team->multinode->node * stride, own.start, own.bytes);
    sheaf_messages_wait(&messages);
    if (own.count > 0)
        combine_parts(team, call, parts, stride, own.start, own.count);
    for (int distance = 1; distance < nodes; distance++) {
        int to = sheaf_multinode_node_at(team, distance), from = sheaf_multinode_node_at(team, -distance);
        struct share theirs = share_of(team, call, mine, count, from);
        sheaf_messages_swap(&messages,
                            (struct sheaf_message_from){sheaf_multinode_counterpart(team, from),
                                                        theirs.start, theirs.bytes},
                            (struct sheaf_message_to){sheaf_multinode_counterpart(team, to),
                                                      own.start, own.bytes},
                            AT_ONCE_BYTES);
    }
    sheaf_messages_wait(&messages);
}

/* Called by the representatives, or by all members at one position of their nodes. mine is the node's
 * result and becomes the result of all nodes. */
static void combine_nodes(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                          size_t count)
{
    size_t bytes = count * call->element_bytes, nodes = (size_t)team->multinode->nodes;
    if (nodes > FEW_NODES && bytes <= DOUBLING_SHARE * nodes)
        combine_by_doubling(team, call, mine, count);
    else if (is_one_step(team, bytes))
        combine_in_one_step(team, call, mine, count);
    else
        combine_in_two_steps(team, call, mine, count);
}

/* Like the reduction by gather (reduce.c), with the exchange between nodes in its middle. */
static void reduce_by_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(16) char result[SHEAF_NOTE_BYTES];
    struct sheaf_team *near = &team->multinode->near;
    uint32_t *shared = &sheaf_coll_member(near, 0)->words[SHEAF_WORD_RESULT];
    size_t bytes = sheaf_reduce_bytes(call);
    sheaf_steps_begin(near);
    sheaf_note_post(near, call->source, bytes);
    if (near->rank == 0) {
        sheaf_reduce_notes(near, call, result);
        combine_nodes(team, call, result, call->count);
        memcpy(shared, result, bytes);
        sheaf_steps_reach(near, 1);
        memcpy(call->dest, result, bytes);
    } else {
        sheaf_steps_wait(near, 0, 1);
        memcpy(call->dest, shared, bytes);
    }
    sheaf_coll_set_read(near);
}

/* Combines this member's share of its node's segment into the representative's dest. Of every source,
 * the share is read only by the share's owner, and each block before the owner writes it; so this works
 * in place. */
static void combine_share(struct sheaf_team *near, const struct sheaf_reduce_call *call,
                          size_t segment, size_t length)
{
    _Alignas(SHEAF_CACHE_LINE) char result[SHEAF_BLOCK_BYTES];
    size_t first, mine, block = sheaf_reduce_block(call);
    if (near->size == 1) {
        first = segment * call->element_bytes;
        sheaf_coll_copy(call->dest + first, call->source + first, length * call->element_bytes);
        return;
    }
    sheaf_coll_share(length, call->element_bytes, near->size, near->rank, &first, &mine);
    for (size_t done = 0; done < mine; done += block) {
        size_t count = mine - done < block ? mine - done : block;
        size_t bytes = count * call->element_bytes;
        size_t at = segment + first + done;
        sheaf_reduce_sources(near, call, at, count, result);
        memcpy(sheaf_coll_peer(near, 0, call->dest + at * call->element_bytes, bytes), result,
               bytes);
    }
}

static size_t least_in_lanes(const struct sheaf_team *team)
{
    size_t lane = SHARE_BYTES * (size_t)team->multinode->nodes;
    return (lane < LANE_BYTES ? LANE_BYTES : lane) * (size_t)team->multinode->near.size;
}

static bool is_in_lanes(const struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    return team->multinode->is_even && team->multinode->near.size > 1 &&
           sheaf_reduce_bytes(call) >= least_in_lanes(team);
}

static size_t segment_length(const struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    size_t bytes = is_in_lanes(team, call) ? least_in_lanes(team)
                                           : SHARE_BYTES * (size_t)team->multinode->nodes;
    if (bytes < SEGMENT_BYTES)
        bytes = SEGMENT_BYTES;
    if (bytes < sheaf_reduce_bytes(call) / MOST_STEPS)
        bytes = sheaf_reduce_bytes(call) / MOST_STEPS;
    return bytes / call->element_bytes;
}

static size_t length_at(const struct sheaf_reduce_call *call, size_t segment, size_t length)
{
    return call->count - segment < length ? call->count - segment : length;
}

/* Step s of a member: its share of segment s, counted from 1, is combined. Step s of the representative:
 * segment s is complete. */
static void lead_segments(struct sheaf_team *team, const struct sheaf_reduce_call *call, size_t length)
{
    struct sheaf_team *near = &team->multinode->near;
    uint32_t step = 1;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t count = length_at(call, segment, length);
        combine_share(near, call, segment, count);
        for (int rank = 1; rank < near->size; rank++)
            sheaf_steps_wait(near, rank, step);
        combine_nodes(team, call, call->dest + segment * call->element_bytes, count);
        sheaf_steps_reach(near, step);
    }
}

static void follow_segments(struct sheaf_team *near, const struct sheaf_reduce_call *call, size_t length)
{
    const char *theirs = sheaf_coll_peer(near, 0, call->dest, sheaf_reduce_bytes(call));
    uint32_t step = 1;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        combine_share(near, call, segment, length_at(call, segment, length));
        sheaf_steps_reach(near, step);
    }
    step = 1;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t at = segment * call->element_bytes;
        sheaf_steps_wait(near, 0, step);
        memcpy(call->dest + at, theirs + at, length_at(call, segment, length) * call->element_bytes);
    }
}

/* Where all nodes have the same number of members, each member exchanges its share with the members at
 * its position on other nodes, so that more processors and connections send. Step s: the member's
 * share of segment s is complete. */
static void reduce_in_lanes(struct sheaf_team *team, const struct sheaf_reduce_call *call, size_t length)
{
    struct sheaf_team *near = &team->multinode->near;
    char *shared = near->rank == 0 ? call->dest
                                   : sheaf_coll_peer(near, 0, call->dest, sheaf_reduce_bytes(call));
    uint32_t step = 1;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t count = length_at(call, segment, length), first, mine;
        combine_share(near, call, segment, count);
        sheaf_coll_share(count, call->element_bytes, near->size, near->rank, &first, &mine);
        if (mine > 0)
            combine_nodes(team, call, shared + (segment + first) * call->element_bytes, mine);
        sheaf_steps_reach(near, step);
    }
    step = 1;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t at = segment * call->element_bytes;
        for (int distance = 1; distance < near->size; distance++)
            sheaf_steps_wait(near, sheaf_coll_after(near, distance), step);
        if (near->rank != 0)
            memcpy(call->dest + at, shared + at,
                   length_at(call, segment, length) * call->element_bytes);
    }
}

static void reduce_by_segments(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    struct sheaf_team *near = &team->multinode->near;
    size_t length = segment_length(team, call), bytes = sheaf_reduce_bytes(call);
    sheaf_check_reached(call->dest, bytes, call->source, bytes, sheaf_call.name);
    sheaf_steps_begin(near);
    sheaf_sync(near); /* where each waited for each other, 32 on 2 processors slept twice more in a call */
    if (is_in_lanes(team, call))
        reduce_in_lanes(team, call, length);
    else if (near->rank == 0)
        lead_segments(team, call, length);
    else
        follow_segments(near, call, length);
    sheaf_coll_leave(near);
}

/* Along this node's tree. The others may go another way: they exchange the same segments. */
static void reduce_by_levels(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    size_t bytes = sheaf_reduce_bytes(call);
    if (bytes > SHEAF_RESULT_BYTES)
        sheaf_check_reached(call->dest, bytes, call->source, bytes, sheaf_call.name);
    sheaf_reduce_levels_of(&team->multinode->near, call, segment_length(team, call), combine_nodes);
}

static bool is_by_levels(const struct sheaf_team *team, const struct sheaf_reduce_call *call,
                         enum sheaf_family family)
{
    const struct sheaf_team *near = &team->multinode->near;
    return near->has_levels && !is_in_lanes(team, call) &&
           sheaf_choose(family, near->size, sheaf_reduce_bytes(call)) == SHEAF_REDUCE_LEVELS;
}

void sheaf_multinode_reduce(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                            enum sheaf_family family)
{
    if (is_by_levels(team, call, family))
        reduce_by_levels(team, call);
    else if (sheaf_reduce_bytes(call) <= SHEAF_RESULT_BYTES)
        reduce_by_notes(team, call);
    else
        reduce_by_segments(team, call);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce across nodes. The members of a node combine in rank order, and the nodes' results are
 * combined in the order of the nodes' lowest ranks, whatever the length: an element's bits are the
 * same on all ranks, for every length and on every run.
 */
#include "coll/multinode.h"

/* Every representative gets all nodes' results and combines them: one step, while that is not so much
 * more to send and to combine. Above, each combines a share of the elements for all: two steps. */
#define ONE_STEP_BYTES ((size_t)32 << 10)

/* Elements go through the nodes in segments, so that members combine the next and copy the last
 * while one is under way. */
#define SEGMENT_BYTES ((size_t)1 << 20)
#define AT_ONCE_BYTES SEGMENT_BYTES
#define SHARE_BYTES   ((size_t)8 << 10)
#define MOST_STEPS    32768

/* From so many bytes of each member on, and SHARE_BYTES of each for each node, members speak for
 * themselves. */
#define LANE_BYTES ((size_t)32 << 10)

/* For elements of any type. */
static size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* mine becomes the combination of all nodes' parts, which are stride apart; mine is among them. */
static void combine_parts(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *parts,
                          size_t stride, char *mine, size_t count)
{
    size_t bytes = count * call->element_bytes;
    for (int node = 1; node < team->multinode->nodes; node++)
        call->combine(parts, parts + (size_t)node * stride, count);
    memcpy(mine, parts, bytes);
}

/* The two steps send twice a share to each other node, the one step all there is: as much between two
 * nodes, and then it is only more to combine. */
static bool is_one_step(const struct sheaf_team *team, size_t bytes)
{
    size_t more = (size_t)team->multinode->nodes - 2;
    return bytes < ONE_STEP_BYTES * 8 / (8 * more + 1);
}

static void one_step(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                     size_t count)
{
    size_t bytes = count * call->element_bytes, stride = aligned(bytes);
    char *parts = sheaf_multinode_scratch(team, stride * (size_t)team->multinode->nodes);
    char *part = parts + (size_t)team->multinode->node * stride;
    memcpy(part, mine, bytes);
    memset(part + bytes, 0, stride - bytes); /* what the memory held is not sent */
    sheaf_multinode_allgather(team, parts, NULL, stride);
    combine_parts(team, call, parts, stride, mine, count);
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

/* Everybody's part of my share to me; then my share to everybody. */
static void two_steps(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                      size_t count)
{
    struct sheaf_messages messages;
    int nodes = team->multinode->nodes;
    struct share own = share_of(team, call, mine, count, team->multinode->node);
    size_t stride = aligned(own.bytes);
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

/* Representatives, or all who stand at one place of their nodes: mine, my node's result, becomes that
 * of all nodes. */
static void across(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                   size_t count)
{
    if (is_one_step(team, count * call->element_bytes))
        one_step(team, call, mine, count);
    else
        two_steps(team, call, mine, count);
}

/* As the reduction by gather (reduce.c), with the other nodes in its middle. */
static void by_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(16) char result[SHEAF_NOTE_BYTES];
    struct sheaf_team *near = &team->multinode->near;
    uint32_t *shared = &sheaf_coll_member(near, 0)->words[SHEAF_WORD_RESULT];
    size_t bytes = sheaf_reduce_bytes(call);
    sheaf_steps_begin(near);
    sheaf_note_post(near, call->source, bytes);
    if (near->rank == 0) {
        sheaf_reduce_notes(near, call, result);
        across(team, call, result, call->count);
        memcpy(shared, result, bytes);
        sheaf_steps_reach(near, 1);
        memcpy(call->dest, result, bytes);
    } else {
        sheaf_steps_wait(near, 0, 1);
        memcpy(call->dest, shared, bytes);
    }
    sheaf_coll_set_read(near);
}

/* My share of a segment of my node, combined into the representative's dest. A share of any source
 * is read by the share's owner alone, and each block before it is written: this works in place. */
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

/* Step s + 1: my share of segment s, counted from 1, is combined; of the representative: segment s
 * is complete. Step 1: I am here. */
static void represent(struct sheaf_team *team, const struct sheaf_reduce_call *call, size_t length)
{
    struct sheaf_team *near = &team->multinode->near;
    uint32_t step = 2;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t count = length_at(call, segment, length);
        combine_share(near, call, segment, count);
        for (int rank = 1; rank < near->size; rank++)
            sheaf_steps_wait(near, rank, step);
        across(team, call, call->dest + segment * call->element_bytes, count);
        sheaf_steps_reach(near, step);
    }
}

static void take_part(struct sheaf_team *near, const struct sheaf_reduce_call *call, size_t length)
{
    const char *theirs = sheaf_coll_peer(near, 0, call->dest, sheaf_reduce_bytes(call));
    uint32_t step = 2;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        combine_share(near, call, segment, length_at(call, segment, length));
        sheaf_steps_reach(near, step);
    }
    step = 2;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t at = segment * call->element_bytes;
        sheaf_steps_wait(near, 0, step);
        memcpy(call->dest + at, theirs + at, length_at(call, segment, length) * call->element_bytes);
    }
}

/* Where all nodes have as many members, each speaks for its share, with those that have the same
 * share: more processors and connections send. Step s + 1: my share of segment s is complete. */
static void by_lanes(struct sheaf_team *team, const struct sheaf_reduce_call *call, size_t length)
{
    struct sheaf_team *near = &team->multinode->near;
    char *shared = near->rank == 0 ? call->dest
                                   : sheaf_coll_peer(near, 0, call->dest, sheaf_reduce_bytes(call));
    uint32_t step = 2;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t count = length_at(call, segment, length), first, mine;
        combine_share(near, call, segment, count);
        sheaf_coll_share(count, call->element_bytes, near->size, near->rank, &first, &mine);
        if (mine > 0)
            across(team, call, shared + (segment + first) * call->element_bytes, mine);
        sheaf_steps_reach(near, step);
    }
    step = 2;
    for (size_t segment = 0; segment < call->count; segment += length, step++) {
        size_t at = segment * call->element_bytes;
        for (int distance = 1; distance < near->size; distance++)
            sheaf_steps_wait(near, sheaf_coll_after(near, distance), step);
        if (near->rank != 0)
            memcpy(call->dest + at, shared + at,
                   length_at(call, segment, length) * call->element_bytes);
    }
}

static void by_segments(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    struct sheaf_team *near = &team->multinode->near;
    size_t length = segment_length(team, call), bytes = sheaf_reduce_bytes(call);
    sheaf_check_reached(call->dest, bytes, call->source, bytes, sheaf_call.name);
    sheaf_steps_begin(near);
    sheaf_steps_reach(near, 1);
    for (int distance = 1; distance < near->size; distance++)
        sheaf_steps_wait(near, sheaf_coll_after(near, distance), 1);
    if (is_in_lanes(team, call))
        by_lanes(team, call, length);
    else if (near->rank == 0)
        represent(team, call, length);
    else
        take_part(near, call, length);
    sheaf_coll_leave(near);
}

void sheaf_multinode_reduce(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    if (sheaf_reduce_bytes(call) <= SHEAF_RESULT_BYTES)
        by_notes(team, call);
    else
        by_segments(team, call);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall and alltoalls across nodes. Small blocks travel in notes. For larger ones each two members
 * exchange theirs, by messages if they are on different nodes, else in memory.
 */
#include "coll/multinode.h"

static bool is_near(const struct sheaf_team *team, int rank)
{
    return team->multinode->node_of[rank] == team->multinode->node;
}

static int near_rank(const struct sheaf_team *team, int rank)
{
    return team->multinode->position[rank] - team->multinode->first[team->multinode->node];
}

/* The rank (own rank - distance) mod size. */
static int rank_before(const struct sheaf_team *team, int distance)
{
    int rank = team->rank - distance;
    return rank >= 0 ? rank : rank + team->size;
}

static void alltoall_by_notes(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    size_t all = bytes * (size_t)team->size;
    sheaf_multinode_exchange(team, source, all, all);
    for (int rank = 0; rank < team->size; rank++) {
        const char *theirs = sheaf_multinode_note(team, rank);
        memcpy(dest + (size_t)rank * bytes, theirs + (size_t)team->rank * bytes, bytes);
    }
}

void sheaf_multinode_alltoall(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    struct sheaf_team *near = &team->multinode->near;
    struct sheaf_messages messages;
    const char *for_me = source + (size_t)team->rank * bytes;
    if (bytes <= SHEAF_NOTE_BYTES / (size_t)team->size) {
        alltoall_by_notes(team, dest, source, bytes);
        return;
    }
    size_t total = bytes * (size_t)team->size;
    sheaf_check_reached(dest, total, source, total, sheaf_call.name);
    sheaf_coll_announce(near);
    sheaf_messages_begin(&messages, team);
    memcpy(dest + (size_t)team->rank * bytes, for_me, bytes);
    for (int distance = 1; distance < team->size; distance++) {
        int to = sheaf_coll_after(team, distance), from = rank_before(team, distance);
        if (!is_near(team, from))
            sheaf_messages_receive(&messages, from, dest + (size_t)from * bytes, bytes);
        if (!is_near(team, to)) {
            sheaf_messages_send(&messages, to, source + (size_t)to * bytes, bytes);
            continue;
        }
        sheaf_note_wait(near, near_rank(team, to));
        memcpy(dest + (size_t)to * bytes,
               sheaf_coll_peer(near, near_rank(team, to), for_me, bytes), bytes);
    }
    sheaf_messages_wait(&messages);
    sheaf_coll_leave(near);
}

static char *element_at(char *start, ptrdiff_t stride, size_t count, int block, size_t index)
{
    return start + (block * (ptrdiff_t)count + (ptrdiff_t)index) * stride;
}

/* Exchanges one block with each of two members, in parts of as many elements as fit the stack. */
static void swap_blocks(struct sheaf_team *team, const struct sheaf_strided_call *call, int to,
                        int from)
{
    char out[SHEAF_BLOCK_BYTES], in[SHEAF_BLOCK_BYTES];
    size_t block = SHEAF_BLOCK_BYTES / call->element_bytes;
    const struct sheaf_strided_call *c = call;
    for (size_t done = 0; done < call->count; done += block) {
        struct sheaf_messages messages;
        size_t count = call->count - done < block ? call->count - done : block;
        char *target = element_at(c->dest, c->dest_stride, c->count, from, done);
        char *origin = element_at((char *)(uintptr_t)c->source, c->source_stride, c->count, to, done);
        sheaf_messages_begin(&messages, team);
        if (!is_near(team, from))
            sheaf_messages_receive(&messages, from, in, count * c->element_bytes);
        if (!is_near(team, to)) {
            sheaf_coll_copy_elements(out, (ptrdiff_t)c->element_bytes, origin, c->source_stride,
                                     count, c->element_bytes);
            sheaf_messages_send(&messages, to, out, count * c->element_bytes);
        }
        sheaf_messages_wait(&messages);
        if (!is_near(team, from))
            sheaf_coll_copy_elements(target, c->dest_stride, in, (ptrdiff_t)c->element_bytes, count,
                                     c->element_bytes);
    }
}

void sheaf_multinode_alltoalls(struct sheaf_team *team, const struct sheaf_strided_call *call)
{
    struct sheaf_team *near = &team->multinode->near;
    const char *for_me = element_at((char *)(uintptr_t)call->source, call->source_stride,
                                    call->count, team->rank, 0);
    size_t extent = (call->count - 1) * (size_t)call->source_stride + call->element_bytes;
    sheaf_coll_announce(near);
    for (int distance = 0; distance < team->size; distance++) {
        int to = sheaf_coll_after(team, distance);
        if (is_near(team, to)) {
            sheaf_note_wait(near, near_rank(team, to));
            sheaf_coll_copy_elements(element_at(call->dest, call->dest_stride, call->count, to, 0),
                                     call->dest_stride,
                                     sheaf_coll_peer(near, near_rank(team, to), for_me, extent),
                                     call->source_stride, call->count, call->element_bytes);
        }
        if (distance > 0)
            swap_blocks(team, call, to, rank_before(team, distance));
    }
    sheaf_coll_leave(near);
}

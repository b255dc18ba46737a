/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronization of a team that spans nodes: the members of a node through words and notes of its block,
 * the representatives by messages. See multinode.h.
 */
#include "core/team/multinode.h"

#include "core/team/history.h"
#include "core/team/message.h"
#include "core/team/near.h"
#include "core/team/sync.h"

#include <string.h>

/* With more nodes than DOUBLING_NODES, parts of up to DOUBLING_BYTES bytes travel in doubling steps.
 * With fewer nodes every member sends to all others in one step, which costs each a message per node. */
#define DOUBLING_NODES 8
#define DOUBLING_BYTES 4096

static void set_lowest(uint64_t *words, const uint64_t *others, int count)
{
    for (int i = 0; i < count; i++)
        if (others[i] < words[i])
            words[i] = others[i];
}

/* In round k each representative receives from the node 2^k before its own. After log2(nodes) rounds
 * each knows that all have arrived, and the lowest of all nodes' words: a node's word may arrive by
 * two ways, which does not change the lowest. Without words a token travels in the message's header. */
static void sync_representatives(struct sheaf_team *team, uint64_t *words, int count)
{
    uint64_t token = 0, got[SHEAF_LOWEST_WORDS];
    size_t bytes = count > 0 ? (size_t)count * sizeof *words : 1;
    for (int distance = 1; distance < team->multinode->nodes; distance *= 2) {
        int to = sheaf_multinode_node_at(team, distance), from = sheaf_multinode_node_at(team, -distance);
        struct sheaf_messages messages;
        sheaf_messages_begin(&messages, team);
        sheaf_messages_receive(&messages, sheaf_multinode_representative(team, from), got, bytes);
        sheaf_messages_send(&messages, sheaf_multinode_representative(team, to), count > 0 ? words : &token,
                            bytes);
        sheaf_messages_wait(&messages);
        set_lowest(words, got, count);
    }
}

/* The last member to arrive releases the representative, and the representative releases all others. */
static void sync_by_words(struct sheaf_team *team, struct sheaf_team *near)
{
    struct sheaf_team_block *block = near->block;
    uint32_t epoch = ++team->multinode->epoch;
    if (near->size > 1 && sheaf_history_arrive(near, &block->met) == 0) {
        sheaf_store_relaxed(&block->met, 0);
        sheaf_near_store_word(near, &block->gathered, epoch);
    }
    if (near->rank != 0) {
        sheaf_near_await_word(near, &block->released, epoch - 1);
    } else {
        if (near->size > 1)
            sheaf_near_await_word(near, &block->gathered, epoch - 1);
        sync_representatives(team, NULL, 0);
        if (near->size > 1)
            sheaf_near_store_word(near, &block->released, epoch);
    }
}

/* The representative is the tree's root. */
static void sync_by_tree(struct sheaf_team *team, struct sheaf_team *near)
{
    uint32_t epoch = ++near->epoch;
    sheaf_near_arrive(near, epoch);
    if (near->rank == 0)
        sync_representatives(team, NULL, 0);
    sheaf_near_release(near, epoch);
}

/* A barrier of the node, with the synchronization of the representatives in its middle. */
void sheaf_multinode_sync(struct sheaf_team *team)
{
    struct sheaf_team *near = &team->multinode->near;
    if (near->barrier == SHEAF_BARRIER_LEVELS)
        sync_by_tree(team, near);
    else
        sync_by_words(team, near);
    near->read = near->exchange;
}

static size_t part_at(const int *first, int node, size_t unit)
{
    return (size_t)(first ? first[node] : node) * unit;
}

/* Sends or receives the parts of count nodes from node on, cyclically: two pieces at most. */
static void transfer_parts(struct sheaf_messages *messages, bool send, int peer, char *base,
                           const int *first, size_t unit, int node, int count)
{
    int nodes = messages->team->multinode->nodes;
    while (count > 0) {
        int piece = count < nodes - node ? count : nodes - node;
        size_t at = part_at(first, node, unit), bytes = part_at(first, node + piece, unit) - at;
        if (send)
            sheaf_messages_send(messages, peer, base + at, bytes);
        else
            sheaf_messages_receive(messages, peer, base + at, bytes);
        node = (node + piece) % nodes;
        count -= piece;
    }
}

/* Each step has another distance, so that no node receives from all others at once. */
static void gather_directly(struct sheaf_team *team, char *base, const int *first, size_t unit)
{
    struct sheaf_messages messages;
    sheaf_messages_begin(&messages, team);
    for (int distance = 1; distance < team->multinode->nodes; distance++) {
        int to = sheaf_multinode_node_at(team, distance), from = sheaf_multinode_node_at(team, -distance);
        transfer_parts(&messages, false, sheaf_multinode_counterpart(team, from), base, first, unit, from,
                       1);
        transfer_parts(&messages, true, sheaf_multinode_counterpart(team, to), base, first, unit,
                       team->multinode->node, 1);
    }
    sheaf_messages_wait(&messages);
}

/* A member that has the parts of some nodes, from its own on, gets as many parts from the node that
 * follows these. */
static void gather_doubling(struct sheaf_team *team, char *base, const int *first, size_t unit)
{
    int nodes = team->multinode->nodes;
    for (int have = 1; have < nodes; have *= 2) {
        int count = have < nodes - have ? have : nodes - have;
        int to = sheaf_multinode_node_at(team, -have), from = sheaf_multinode_node_at(team, have);
        struct sheaf_messages messages;
        sheaf_messages_begin(&messages, team);
        transfer_parts(&messages, false, sheaf_multinode_counterpart(team, from), base, first, unit, from,
                       count);
        transfer_parts(&messages, true, sheaf_multinode_counterpart(team, to), base, first, unit,
                       team->multinode->node, count);
        sheaf_messages_wait(&messages);
    }
}

void sheaf_multinode_allgather(struct sheaf_team *team, void *base, const int *first, size_t unit)
{
    int nodes = team->multinode->nodes;
    if (nodes > DOUBLING_NODES && part_at(first, nodes, unit) <= DOUBLING_BYTES * (size_t)nodes)
        gather_doubling(team, base, first, unit);
    else
        gather_directly(team, base, first, unit);
}

static int members_of(const struct sheaf_team *team, int node)
{
    return team->multinode->first[node + 1] - team->multinode->first[node];
}

/* The same order as gather_directly, which sends between members at one position. */
void sheaf_multinode_share(struct sheaf_team *team, void *base, size_t unit)
{
    const struct sheaf_multinode *multinode = team->multinode;
    const int *first = multinode->first, *members = multinode->members;
    int mine = multinode->near.rank;
    struct sheaf_messages messages;
    sheaf_messages_begin(&messages, team);
    for (int distance = 1; distance < multinode->nodes; distance++) {
        int to = sheaf_multinode_node_at(team, distance), from = sheaf_multinode_node_at(team, -distance);
        transfer_parts(&messages, false, members[first[from] + mine % members_of(team, from)], base, first,
                       unit, from, 1);
        for (int position = mine; position < members_of(team, to); position += multinode->near.size)
            transfer_parts(&messages, true, members[first[to] + position], base, first, unit,
                           multinode->node, 1);
    }
    sheaf_messages_wait(&messages);
}

/* Once all members here have posted, they have also read the notes of the last exchange. */
static void copy_near_notes(struct sheaf_team *team, size_t width)
{
    struct sheaf_multinode *multinode = team->multinode;
    unsigned char *mine = multinode->notes + (size_t)multinode->first[multinode->node] * width;
    for (int rank = 0; rank < multinode->near.size; rank++)
        sheaf_near_note_wait(&multinode->near, rank);
    for (int rank = 0; rank < multinode->near.size; rank++)
        memcpy(mine + (size_t)rank * width, sheaf_near_note_wait(&multinode->near, rank), width);
}

void sheaf_multinode_exchange(struct sheaf_team *team, const void *payload, size_t bytes, size_t width)
{
    struct sheaf_multinode *multinode = team->multinode;
    struct sheaf_team *near = &multinode->near;
    uint32_t exchange = ++multinode->exchange;
    multinode->width = width;
    sheaf_near_note_post(near, payload, bytes);
    if (near->rank == 0) {
        copy_near_notes(team, width);
        sheaf_multinode_allgather(team, multinode->notes, multinode->first, width);
        if (near->size > 1)
            sheaf_near_store_word(near, &near->block->noted, exchange);
    } else {
        sheaf_near_await_word(near, &near->block->noted, exchange - 1);
    }
    near->read = near->exchange; /* the representative has read all notes before any member leaves */
}

/* The result goes where the members' notes otherwise lie. */
void sheaf_multinode_lowest(struct sheaf_team *team, uint64_t *words, int count)
{
    struct sheaf_multinode *multinode = team->multinode;
    struct sheaf_team *near = &multinode->near;
    size_t bytes = (size_t)count * sizeof *words;
    uint32_t exchange = ++multinode->exchange;
    sheaf_near_note_post(near, words, bytes);
    if (near->rank == 0) {
        for (int rank = 1; rank < near->size; rank++)
            set_lowest(words, sheaf_near_note_wait(near, rank), count);
        sync_representatives(team, words, count);
        memcpy(multinode->notes, words, bytes);
        if (near->size > 1)
            sheaf_near_store_word(near, &near->block->noted, exchange);
    } else {
        sheaf_near_await_word(near, &near->block->noted, exchange - 1);
        memcpy(words, multinode->notes, bytes);
    }
    near->read = near->exchange;
}

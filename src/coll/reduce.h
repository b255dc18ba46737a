/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of reduce: the arguments of a call, and the algorithms that a setting can name.
 */
#ifndef SHEAF_COLL_REDUCE_H
#define SHEAF_COLL_REDUCE_H

#include "coll/coll_internal.h"

struct sheaf_reduce_call {
    char *dest;
    const char *source;
    size_t count;
    size_t element_bytes;
    void (*combine)(void *accumulator, const void *operand, size_t count);
};
typedef void sheaf_reduce_function(struct sheaf_team *team, const struct sheaf_reduce_call *call);

sheaf_reduce_function sheaf_reduce_naive, sheaf_reduce_linear, sheaf_reduce_turns, sheaf_reduce_tree,
    sheaf_reduce_levels, sheaf_reduce_recursive_doubling, sheaf_reduce_ring;

/* Makes count elements of one node's result, mine, those of all nodes; team spans them. */
typedef void sheaf_reduce_nodes(struct sheaf_team *team, const struct sheaf_reduce_call *call, char *mine,
                                size_t count);

/* Along the tree of a node's members, in pieces of so many elements; nodes is called at its root. */
void sheaf_reduce_levels_of(struct sheaf_team *near, const struct sheaf_reduce_call *call, size_t piece,
                            sheaf_reduce_nodes *nodes);

static inline size_t sheaf_reduce_bytes(const struct sheaf_reduce_call *call)
{
    return call->count * call->element_bytes;
}

/* Elements in a block of private memory. */
static inline size_t sheaf_reduce_block(const struct sheaf_reduce_call *call)
{
    return SHEAF_BLOCK_BYTES / call->element_bytes;
}

/* Notes are aligned to 8 bytes, and the widest elements need 16. */
static inline void sheaf_reduce_note(const struct sheaf_reduce_call *call, void *accumulator,
                                     const void *note)
{
    _Alignas(16) unsigned char operand[SHEAF_NOTE_BYTES];
    if (call->element_bytes > 8)
        note = memcpy(operand, note, sheaf_reduce_bytes(call));
    call->combine(accumulator, note, call->count);
}

/* accumulator = the notes of all members in this exchange, combined in rank order. */
static inline void sheaf_reduce_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                                      void *accumulator)
{
    sheaf_near_note_copy(accumulator, sheaf_near_note_wait(team, 0), sheaf_reduce_bytes(call));
    for (int rank = 1; rank < team->size; rank++)
        sheaf_reduce_note(call, accumulator, sheaf_near_note_wait(team, rank));
}

/* accumulator = elements [first, first + count) of all sources, combined in rank order. */
static inline void sheaf_reduce_sources(struct sheaf_team *team,
                                        const struct sheaf_reduce_call *call, size_t first,
                                        size_t count, void *accumulator)
{
    const char *source = call->source + first * call->element_bytes;
    size_t bytes = count * call->element_bytes;
    sheaf_coll_copy(accumulator, sheaf_coll_peer(team, 0, source, bytes), bytes);
    for (int rank = 1; rank < team->size; rank++)
        call->combine(accumulator, sheaf_coll_peer(team, rank, source, bytes), count);
}

#endif

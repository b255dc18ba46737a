/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan across nodes, in rank order whatever the length and wherever the ranks are: the bits are the same
 * as on one node. Small arrays travel in notes. For larger ones each rank receives from the rank before it
 * the combination of all lower ranks, adds its own elements and sends the result on. It does so block by
 * block, so that many ranks work at once.
 */
#include "coll/multinode.h"

#define BLOCK_BYTES ((size_t)32 << 10)

static void scan_by_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call, bool exclusive)
{
    _Alignas(16) char result[SHEAF_NOTE_BYTES] = {0};
    _Alignas(16) char operand[SHEAF_NOTE_BYTES];
    size_t bytes = sheaf_reduce_bytes(call);
    int last = exclusive ? team->rank - 1 : team->rank;
    sheaf_multinode_exchange(team, call->source, bytes, bytes);
    for (int rank = 0; rank <= last; rank++) {
        memcpy(rank == 0 ? result : operand, sheaf_multinode_note(team, rank), bytes);
        if (rank > 0)
            call->combine(result, operand, call->count);
    }
    memcpy(call->dest, result, bytes);
}

/* prefix is the combination of the ranks before this one, and is extended by this rank's elements. On
 * rank 0 it is still empty. dest may be source. */
static void add_own_elements(const struct sheaf_team *team, const struct sheaf_reduce_call *call,
                             bool exclusive, size_t first, size_t count, char *prefix, char *operand)
{
    size_t at = first * call->element_bytes, bytes = count * call->element_bytes;
    memcpy(operand, call->source + at, bytes);
    if (exclusive && team->rank == 0)
        memset(call->dest + at, 0, bytes);
    else if (exclusive)
        memcpy(call->dest + at, prefix, bytes);
    if (team->rank == 0)
        memcpy(prefix, operand, bytes);
    else
        call->combine(prefix, operand, count);
    if (!exclusive)
        memcpy(call->dest + at, prefix, bytes);
}

/* Uses two blocks in turn: one is being sent while the next is received. */
static void scan_by_chain(struct sheaf_team *team, const struct sheaf_reduce_call *call, bool exclusive)
{
    struct sheaf_messages in, out[2];
    char *scratch = sheaf_multinode_scratch(team, 3 * BLOCK_BYTES);
    size_t block = BLOCK_BYTES / call->element_bytes;
    unsigned turn = 0;
    sheaf_messages_begin(&in, team);
    sheaf_messages_begin(&out[0], team);
    sheaf_messages_begin(&out[1], team);
    for (size_t first = 0; first < call->count; first += block, turn ^= 1) {
        size_t count = call->count - first < block ? call->count - first : block;
        char *prefix = scratch + turn * BLOCK_BYTES;
        sheaf_messages_wait(&out[turn]);
        if (team->rank > 0)
            sheaf_messages_receive(&in, team->rank - 1, prefix, count * call->element_bytes);
        sheaf_messages_wait(&in);
        add_own_elements(team, call, exclusive, first, count, prefix, scratch + 2 * BLOCK_BYTES);
        if (team->rank < team->size - 1)
            sheaf_messages_send(&out[turn], team->rank + 1, prefix, count * call->element_bytes);
    }
    sheaf_messages_wait(&out[0]);
    sheaf_messages_wait(&out[1]);
    sheaf_multinode_leave_unanswered(team);
}

void sheaf_multinode_scan(struct sheaf_team *team, const struct sheaf_reduce_call *call, bool exclusive)
{
    if (sheaf_reduce_bytes(call) <= SHEAF_NOTE_BYTES)
        scan_by_notes(team, call, exclusive);
    else
        scan_by_chain(team, call, exclusive);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reduction algorithms of the literature, for settings that name one. Each gives the same bits on all
 * ranks. They combine in different orders, so a floating-point sum differs between them. All work in
 * place, and all end with a barrier.
 */
#include "coll/reduce.h"

static char *element_at(const struct sheaf_reduce_call *call, size_t index)
{
    return call->dest + index * call->element_bytes;
}

static char *peer_element(struct sheaf_team *team, int rank, const struct sheaf_reduce_call *call,
                          size_t index, size_t count)
{
    return sheaf_coll_peer(team, rank, element_at(call, index), count * call->element_bytes);
}

static void copy_result(struct sheaf_team *team, int rank, const struct sheaf_reduce_call *call)
{
    memcpy(call->dest, peer_element(team, rank, call, 0, call->count), sheaf_reduce_bytes(call));
}

/* In place, rank 0's dest is the first operand already. */
void sheaf_reduce_naive(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    sheaf_coll_enter(team);
    if (team->rank == 0)
        sheaf_reduce_sources(team, call, 0, call->count, call->dest);
    sheaf_coll_leave(team);
    if (team->rank != 0)
        copy_result(team, 0, call);
    sheaf_coll_leave(team);
}

/* In place, a block is written only after a barrier, since others read it until then. */
void sheaf_reduce_linear(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(SHEAF_CACHE_LINE) char result[SHEAF_BLOCK_BYTES];
    size_t block = sheaf_reduce_block(call);
    bool in_place = call->dest == call->source;
    sheaf_coll_enter(team);
    for (size_t first = 0; first < call->count; first += block) {
        size_t count = call->count - first < block ? call->count - first : block;
        sheaf_reduce_sources(team, call, first, count, result);
        if (in_place)
            sheaf_sync(team);
        memcpy(element_at(call, first), result, count * call->element_bytes);
    }
    sheaf_coll_leave(team);
}

/* One rank after the other combines its source into rank 0's dest, where that lies; then all take the
 * result. Step 1: my turn is over. */
void sheaf_reduce_turns(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    sheaf_steps_begin(team);
    if (team->rank == 0) {
        sheaf_coll_copy(call->dest, call->source, sheaf_reduce_bytes(call));
    } else {
        sheaf_steps_wait(team, team->rank - 1, 1);
        call->combine(peer_element(team, 0, call, 0, call->count), call->source, call->count);
    }
    sheaf_steps_reach(team, 1);
    if (team->rank != 0) {
        sheaf_steps_wait(team, team->size - 1, 1);
        copy_result(team, 0, call);
    }
    sheaf_coll_leave(team);
}

/* A tree with its root at rank 0, which data passes in pieces. Steps up to the number of pieces: the
 * member's dest holds so many of its subtree's result. Then: so many of the complete result. A parent reads
 * a piece of a child's dest before it has the complete one, so before the child overwrites it. */
static void combine_along(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                          const struct sheaf_tree *tree, size_t piece, sheaf_reduce_nodes *nodes)
{
    uint32_t step = 0, pieces = (uint32_t)((call->count + piece - 1) / piece);
    sheaf_steps_begin(team);
    sheaf_coll_copy(call->dest, call->source, sheaf_reduce_bytes(call));
    for (size_t first = 0; first < call->count; first += piece) {
        size_t count = call->count - first < piece ? call->count - first : piece;
        step++;
        for (int i = 0; i < tree->count; i++) {
            sheaf_steps_wait(team, tree->children[i], step);
            call->combine(element_at(call, first),
                          peer_element(team, tree->children[i], call, first, count), count);
        }
        if (nodes && tree->parent < 0)
            nodes(team->parent_team, call, element_at(call, first), count);
        sheaf_steps_reach(team, tree->parent < 0 ? pieces + step : step);
    }
    for (size_t first = 0; tree->parent >= 0 && first < call->count; first += piece) {
        size_t count = call->count - first < piece ? call->count - first : piece;
        sheaf_steps_wait(team, tree->parent, ++step);
        memcpy(element_at(call, first), peer_element(team, tree->parent, call, first, count),
               count * call->element_bytes);
        sheaf_steps_reach(team, step);
    }
    sheaf_coll_leave(team);
}

void sheaf_reduce_tree(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    struct sheaf_tree tree = {.parent = -1};
    int distance = 1;
    for (; distance < team->size && !(team->rank & distance); distance *= 2)
        if (team->rank + distance < team->size)
            tree.children[tree.count++] = team->rank + distance;
    if (team->rank != 0)
        tree.parent = team->rank - distance;
    combine_along(team, call, &tree, call->count, NULL);
}

/* As gather, but along the tree: a member's note has what it and its subtree combine to. The result comes
 * back beside the step counters. A member stores it there again only after all are in a later call. */
static void combine_notes_along(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                                const struct sheaf_tree *tree, sheaf_reduce_nodes *nodes)
{
    _Alignas(16) unsigned char result[SHEAF_NOTE_BYTES];
    size_t bytes = sheaf_reduce_bytes(call);
    sheaf_steps_begin(team);
    memcpy(result, call->source, bytes);
    for (int i = 0; i < tree->count; i++)
        sheaf_reduce_note(call, result, sheaf_near_note_ahead(team, tree->children[i]));
    sheaf_near_note_post(team, result, bytes);
    if (tree->parent >= 0) {
        sheaf_steps_wait(team, tree->parent, 1);
        memcpy(result, &sheaf_coll_member(team, tree->parent)->words[SHEAF_WORD_RESULT], bytes);
    } else if (nodes) {
        nodes(team->parent_team, call, (char *)result, call->count);
    }
    memcpy(&sheaf_coll_member(team, team->rank)->words[SHEAF_WORD_RESULT], result, bytes);
    sheaf_steps_reach(team, 1);
    memcpy(call->dest, result, bytes);
    sheaf_coll_set_read(team);
}

void sheaf_reduce_levels_of(struct sheaf_team *near, const struct sheaf_reduce_call *call, size_t piece,
                            sheaf_reduce_nodes *nodes)
{
    if (sheaf_reduce_bytes(call) <= SHEAF_RESULT_BYTES)
        combine_notes_along(near, call, &near->tree, nodes);
    else
        combine_along(near, call, &near->tree, piece, nodes);
}

void sheaf_reduce_levels(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    sheaf_reduce_levels_of(team, call, sheaf_coll_piece(call->count, call->element_bytes), NULL);
}

/* low = high = low op high, for one half of the elements. The pair's other member computes the other
 * half at the same time. */
static void combine_pair(struct sheaf_team *team, int low, int high,
                         const struct sheaf_reduce_call *call)
{
    size_t half, length, block = sheaf_reduce_block(call);
    sheaf_coll_share(call->count, call->element_bytes, 2, team->rank == high, &half, &length);
    for (size_t done = 0; done < length; done += block) {
        size_t count = length - done < block ? length - done : block;
        char *accumulator = peer_element(team, low, call, half + done, count);
        char *operand = peer_element(team, high, call, half + done, count);
        call->combine(accumulator, operand, count);
        memcpy(operand, accumulator, count * call->element_bytes);
    }
}

/* In a team whose size is no power of two, the first ranks form pairs: the even one combines for both
 * and is their delegate. Ranks without a pair are delegates too. Delegates are numbered in rank order. */
static int delegate_rank(int delegate, int folded)
{
    return delegate < folded ? 2 * delegate : delegate + folded;
}

/* Step 1: the member's source is in its dest. Then two steps per stage: ready for the stage; the
 * member's half is done. */
static void run_doubling_stages(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                          int delegate, int delegates)
{
    int folded = team->size - delegates;
    uint32_t step = 2;
    for (int distance = 1; distance < delegates; distance *= 2) {
        int partner = delegate_rank(delegate ^ distance, folded);
        sheaf_steps_reach(team, step);
        sheaf_steps_wait(team, partner, step++);
        combine_pair(team, team->rank < partner ? team->rank : partner,
                     team->rank < partner ? partner : team->rank, call);
        sheaf_steps_reach(team, step);
        sheaf_steps_wait(team, partner, step++);
    }
}

void sheaf_reduce_recursive_doubling(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    const uint32_t complete = 0xffff;
    int delegates = 1;
    while (delegates * 2 <= team->size)
        delegates *= 2;
    int folded = team->size - delegates;
    bool in_pair = team->rank < 2 * folded;
    sheaf_steps_begin(team);
    sheaf_coll_copy(call->dest, call->source, sheaf_reduce_bytes(call));
    sheaf_steps_reach(team, 1);
    if (in_pair && team->rank % 2) {
        sheaf_steps_wait(team, team->rank - 1, complete);
        copy_result(team, team->rank - 1, call);
    } else {
        if (in_pair) {
            sheaf_steps_wait(team, team->rank + 1, 1);
            call->combine(call->dest, peer_element(team, team->rank + 1, call, 0, call->count),
                          call->count);
        }
        run_doubling_stages(team, call, in_pair ? team->rank / 2 : team->rank - folded, delegates);
        sheaf_steps_reach(team, complete);
    }
    sheaf_coll_leave(team);
}

static int wrap_rank(const struct sheaf_team *team, int rank)
{
    return (rank % team->size + team->size) % team->size;
}

/* Share k starts at rank k and travels to higher ranks, cyclically; each rank adds its own elements.
 * After size - 1 steps it is complete, on rank k - 1, and travels on to be copied. A rank overwrites
 * its partial share with the complete one, which exists only after the next rank has read the partial
 * one. */
void sheaf_reduce_ring(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    int lower = wrap_rank(team, team->rank - 1);
    sheaf_steps_begin(team);
    sheaf_coll_copy(call->dest, call->source, sheaf_reduce_bytes(call));
    sheaf_steps_reach(team, 1);
    for (int step = 1; step <= 2 * (team->size - 1); step++) {
        size_t first, length;
        sheaf_coll_share(call->count, call->element_bytes, team->size,
                         wrap_rank(team, team->rank - step), &first, &length);
        sheaf_steps_wait(team, lower, (uint32_t)step);
        const char *theirs = peer_element(team, lower, call, first, length);
        if (step < team->size)
            call->combine(element_at(call, first), theirs, length);
        else
            memcpy(element_at(call, first), theirs, length * call->element_bytes);
        sheaf_steps_reach(team, (uint32_t)step + 1);
    }
    sheaf_coll_leave(team);
}

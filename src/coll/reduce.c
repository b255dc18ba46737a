/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce: every rank gets all ranks' elements combined, in rank order for every size. So an element's bits
 * depend neither on the length of the array nor on the rank. Where every order gives the same bits, the
 * rules may choose any algorithm.
 */
#include "coll/choice.h"
#include "coll/reduce.h"
#include "coll/multinode.h"
#include "core/team/agree.h"
#include "core/memory/check.h"

/* One exchange; every rank combines the same notes in the same order. */
static void reduce_by_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(16) unsigned char result[SHEAF_NOTE_BYTES];
    sheaf_note_post(team, call->source, sheaf_reduce_bytes(call));
    sheaf_reduce_notes(team, call, result);
    memcpy(call->dest, result, sheaf_reduce_bytes(call));
}

/* Rank 0 combines the notes and stores the result beside its step counter. It stores there again only
 * after all have posted a later note, so after all have read this result. No rank leaves before rank 0
 * has read all notes, so this exchange counts as read. */
static void reduce_by_gather(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(16) unsigned char result[SHEAF_NOTE_BYTES];
    uint32_t *shared = &sheaf_coll_member(team, 0)->words[SHEAF_WORD_RESULT];
    size_t bytes = sheaf_reduce_bytes(call);
    sheaf_steps_begin(team);
    sheaf_note_post(team, call->source, bytes);
    if (team->rank == 0) {
        sheaf_reduce_notes(team, call, result);
        memcpy(shared, result, bytes);
        sheaf_steps_reach(team, 1);
        memcpy(call->dest, result, bytes);
    } else {
        sheaf_steps_wait(team, 0, 1);
        memcpy(call->dest, shared, bytes);
    }
    sheaf_coll_set_read(team);
}

/* Each rank combines its share of the elements and writes the result to all ranks. All are in the call
 * by then, so every dest may be written. This works in place: of every source, a share is read only by
 * the share's owner, and each block before that owner writes it. The barrier at the end is the only
 * one. */
static void reduce_by_shares(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(SHEAF_CACHE_LINE) char result[SHEAF_BLOCK_BYTES];
    size_t first, length, block = sheaf_reduce_block(call);
    sheaf_coll_share(call->count, call->element_bytes, team->size, team->rank, &first, &length);
    sheaf_coll_enter(team);
    for (size_t done = 0; done < length; done += block) {
        size_t count = length - done < block ? length - done : block;
        size_t bytes = count * call->element_bytes;
        char *dest = call->dest + (first + done) * call->element_bytes;
        sheaf_reduce_sources(team, call, first + done, count, result);
        for (int distance = 0; distance < team->size; distance++)
            memcpy(sheaf_coll_peer(team, sheaf_coll_after(team, distance), dest, bytes), result,
                   bytes);
    }
    sheaf_coll_leave(team);
}

/* Along the tree of the host's levels. */
static void reduce_by_levels(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    if (team->has_levels)
        sheaf_reduce_levels(team, call);
    else
        (sheaf_reduce_bytes(call) <= SHEAF_NOTE_BYTES ? reduce_by_notes : reduce_by_shares)(team, call);
}

static sheaf_reduce_function *const algorithms[SHEAF_REDUCE_ALGORITHMS] = {
    [SHEAF_REDUCE_NOTE] = reduce_by_notes,
    [SHEAF_REDUCE_GATHER] = reduce_by_gather,
    [SHEAF_REDUCE_SHARES] = reduce_by_shares,
    [SHEAF_REDUCE_NAIVE] = sheaf_reduce_naive,
    [SHEAF_REDUCE_LINEAR] = sheaf_reduce_linear,
    [SHEAF_REDUCE_TURNS] = sheaf_reduce_turns,
    [SHEAF_REDUCE_TREE] = sheaf_reduce_tree,
    [SHEAF_REDUCE_RECURSIVE_DOUBLING] = sheaf_reduce_recursive_doubling,
    [SHEAF_REDUCE_RING] = sheaf_reduce_ring,
    [SHEAF_REDUCE_LEVELS] = reduce_by_levels,
};

/* Chooses the algorithm. All except the first two access the members' buffers directly. */
static sheaf_reduce_function *choose_reduce(enum sheaf_family family, const struct sheaf_team *team,
                                            const struct sheaf_reduce_call *call)
{
    size_t bytes = sheaf_reduce_bytes(call);
    int algorithm = sheaf_choose(family, team->size, bytes);
    if (algorithm != SHEAF_REDUCE_NOTE && algorithm != SHEAF_REDUCE_GATHER)
        sheaf_check_reached(call->dest, bytes, call->source, bytes, sheaf_call.name);
    return algorithms[algorithm];
}

int sheaf_reduce(struct sheaf_team *team, void *dest, const void *source, size_t count,
                 const struct sheaf_operator *operator)
{
    struct sheaf_reduce_call call = {dest, source, count, operator->element_bytes,
                                     operator->combine};
    enum sheaf_family family = operator->exact ? SHEAF_REDUCE_EXACT : SHEAF_REDUCE;
    sheaf_check_bytes(count, operator->element_bytes, sheaf_call.name);
    sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)(count * operator->element_bytes));
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, sheaf_reduce_bytes(&call));
    if (count == 0)
        return sheaf_coll_end(record);
    sheaf_agree_on_object(team, "dest", dest);
    sheaf_agree_on_object(team, "source", source);
    sheaf_check_buffers(dest, sheaf_reduce_bytes(&call), source, sheaf_reduce_bytes(&call), true,
                        sheaf_call.name);
    if (team->size == 1)
        sheaf_coll_copy(dest, source, sheaf_reduce_bytes(&call));
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_reduce(team, &call, family);
    else
        choose_reduce(family, team, &call)(team, &call);
    return sheaf_coll_end(record);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduce: every rank gets all ranks' elements combined, in rank order for every size. So an element's bits
 * depend neither on the length of the array nor on the rank. Where every order gives the same bits, the
 * rules may choose any algorithm.
 */
#include "coll/choice.h"
#include "coll/reduce.h"
#include "coll/multinode.h"
#include "coll/staging.h"
#include "core/team/agree.h"
#include "core/memory/check.h"

/* One exchange; every rank combines the same notes in the same order. */
static void combine_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(16) unsigned char result[SHEAF_NOTE_BYTES];
    sheaf_reduce_notes(team, call, result);
    sheaf_near_note_copy(call->dest, result, sheaf_reduce_bytes(call));
}

static void reduce_by_notes(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    sheaf_near_note_post(team, call->source, sheaf_reduce_bytes(call));
    combine_notes(team, call);
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

/* This rank's share of the elements: the offset and the bytes of what it combines for all. each: the bytes
 * of all shares but the last ones. */
struct share {
    size_t at, bytes, each;
    bool may_stage; /* the same on all ranks */
};

static struct share share_of(const struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    size_t first, length;
    size_t each = call->element_bytes * sheaf_coll_share(call->count, call->element_bytes, team->size,
                                                         team->rank, &first, &length);
    return (struct share){first * call->element_bytes, length * call->element_bytes, each,
                          sheaf_staging_takes(each * (size_t)(team->size - 1))};
}

/* Where rank's bytes of this PE's share are, from `done` on. */
static const char *share_from(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                              const struct share *share, int rank, size_t done, size_t bytes)
{
    const char *source = call->source + share->at + done;
    bool may_stage = share->may_stage && rank != team->rank;
    const char *staged = may_stage ? sheaf_staging_await(team, rank) : NULL;
    return staged ? staged + sheaf_staging_block_at(team->rank, rank, share->each) + done
                  : sheaf_coll_peer(team, rank, source, bytes);
}

/* Past the caches where the sources are staged so: dest's lines are in its owner's cache, if the program
 * has read it. */
static void write_result(struct sheaf_team *team, const struct sheaf_staging *staging, char *dest,
                         const char *result, size_t bytes)
{
    memcpy(dest, result, bytes);
    for (int distance = 1; distance < team->size; distance++) {
        char *theirs = sheaf_coll_peer(team, sheaf_coll_after(team, distance), dest, bytes);
        if (staging->streams)
            sheaf_staging_copy(staging, theirs, result, bytes);
        else
            memcpy(theirs, result, bytes);
    }
}

/* Waits until all are in the call: a note of each says so, and where its source is staged. */
static void stage_and_enter(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                            const struct share *share, struct sheaf_staging *staging)
{
    sheaf_staging_begin(staging, team, SHEAF_STAGED_REDUCE, share->each * (size_t)(team->size - 1));
    if (staging->place)
        sheaf_staging_copy_blocks(staging, call->source, sheaf_reduce_bytes(call), share->at, share->bytes);
    sheaf_staging_announce(team, staging);
    for (int distance = 1; distance < team->size; distance++)
        sheaf_staging_await(team, sheaf_coll_after(team, distance));
}

/* Each rank combines its share of the elements and writes the result to all ranks. All are in the call
 * by then, so every dest may be written. This works in place: of every source, a share is read only by
 * the share's owner, and each block before that owner writes it. The barrier at the end is the only
 * one. */
static void reduce_by_shares(struct sheaf_team *team, const struct sheaf_reduce_call *call)
{
    _Alignas(SHEAF_CACHE_LINE) char result[SHEAF_BLOCK_BYTES];
    struct share share = share_of(team, call);
    struct sheaf_staging staging = {0};
    if (share.may_stage)
        stage_and_enter(team, call, &share, &staging);
    else
        sheaf_coll_enter(team);
    size_t elements = sheaf_reduce_block(call), most = elements * call->element_bytes;
    for (size_t done = 0, bytes = most; done < share.bytes; done += bytes) {
        if (share.bytes - done < most) {
            bytes = share.bytes - done;
            elements = bytes / call->element_bytes;
        }
        sheaf_coll_copy(result, share_from(team, call, &share, 0, done, bytes), bytes);
        for (int rank = 1; rank < team->size; rank++)
            call->combine(result, share_from(team, call, &share, rank, done, bytes), elements);
        write_result(team, &staging, call->dest + share.at + done, result, bytes);
    }
    sheaf_coll_leave(team);
    sheaf_staging_end(&staging);
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

static int reduce_by_choice(struct sheaf_team *team, const struct sheaf_reduce_call *call,
                            enum sheaf_family family)
{
    size_t bytes = sheaf_reduce_bytes(call);
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, bytes);
    if (bytes == 0)
        return sheaf_coll_end(record);
    if (team->size == 1)
        sheaf_coll_copy(call->dest, call->source, bytes);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_reduce(team, call, family);
    else
        choose_reduce(family, team, call)(team, call);
    return sheaf_coll_end(record);
}

int sheaf_reduce(struct sheaf_team *team, void *dest, const void *source, size_t count,
                 const struct sheaf_operator *operator)
{
    struct sheaf_reduce_call call = {dest, source, count, operator->element_bytes,
                                     operator->combine};
    enum sheaf_family family = operator->exact ? SHEAF_REDUCE_EXACT : SHEAF_REDUCE;
    size_t bytes = sheaf_check_bytes(count, operator->element_bytes, sheaf_call.name);
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
        sheaf_coll_check_objects(team, dest, bytes, source, bytes, true);
    }
    if (!sheaf_coll_fits(bytes, team->by_note[family]))
        return reduce_by_choice(team, &call, family);
    struct sheaf_record *record = sheaf_coll_begin_by_note(team, SHEAF_WAITS_FOR_ALL, bytes, source, bytes);
    combine_notes(team, &call);
    return sheaf_coll_end(record);
}

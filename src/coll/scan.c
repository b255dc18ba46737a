/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scan: rank r gets the combination of the ranks up to it, with itself or without.
 */
#include "coll/coll_internal.h"
#include "coll/multinode.h"
#include "core/team/agree.h"
#include "core/memory/check.h"

struct scan {
    char *dest;
    const char *source;
    size_t count;
    size_t element_bytes;
    void (*combine)(void *accumulator, const void *operand, size_t count);
    bool exclusive;
};

/* Every rank waits for all notes, also those of higher ranks: see sheaf_note_post(). */
static void scan_notes(struct sheaf_team *team, const struct scan *call)
{
    _Alignas(16) unsigned char result[SHEAF_NOTE_BYTES] = {0};
    _Alignas(16) unsigned char operand[SHEAF_NOTE_BYTES];
    size_t bytes = call->count * call->element_bytes;
    int last = call->exclusive ? team->rank - 1 : team->rank;
    for (int rank = 0; rank < team->size; rank++) {
        const void *note = sheaf_near_note_wait(team, rank);
        if (rank == 0 && last >= 0) {
            memcpy(result, note, bytes);
        } else if (rank <= last) {
            memcpy(operand, note, bytes);
            call->combine(result, operand, call->count);
        }
    }
    memcpy(call->dest, result, bytes);
}

/* Scans some elements of all ranks: prefix grows from rank to rank and is stored in each one's dest.
 * The operand is copied before its memory may be overwritten, so this works in place. */
static void scan_block(struct sheaf_team *team, const struct scan *call, size_t first, size_t count)
{
    _Alignas(SHEAF_CACHE_LINE) char prefix[SHEAF_BLOCK_BYTES];
    _Alignas(SHEAF_CACHE_LINE) char operand[SHEAF_BLOCK_BYTES];
    size_t bytes = count * call->element_bytes;
    const char *source = call->source + first * call->element_bytes;
    char *dest = call->dest + first * call->element_bytes;
    for (int rank = 0; rank < team->size; rank++) {
        memcpy(operand, sheaf_coll_peer(team, rank, source, bytes), bytes);
        char *theirs = sheaf_coll_peer(team, rank, dest, bytes);
        if (call->exclusive) {
            if (rank == 0)
                memset(theirs, 0, bytes);
            else
                memcpy(theirs, prefix, bytes);
        }
        if (rank == 0)
            memcpy(prefix, operand, bytes);
        else
            call->combine(prefix, operand, count);
        if (!call->exclusive)
            memcpy(theirs, prefix, bytes);
    }
}

/* Each rank computes its share of the elements for all ranks and writes the results to their dest: size
 * combinations per element in all, not size * size. All ranks are in the call by then, and a share is
 * read and written only by its owner. */
static void scan_by_shares(struct sheaf_team *team, const struct scan *call)
{
    size_t first, length, block = SHEAF_BLOCK_BYTES / call->element_bytes;
    size_t bytes = call->count * call->element_bytes;
    sheaf_check_reached(call->dest, bytes, call->source, bytes, sheaf_call.name);
    sheaf_coll_share(call->count, call->element_bytes, team->size, team->rank, &first, &length);
    sheaf_coll_enter(team);
    for (size_t done = 0; done < length; done += block)
        scan_block(team, call, first + done, length - done < block ? length - done : block);
    sheaf_coll_leave(team);
}

static int scan_without_notes(struct sheaf_team *team, const struct scan *call, size_t bytes)
{
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_NO_ROOT, bytes);
    if (bytes == 0)
        return sheaf_coll_end(record);
    if (team->size == 1 && call->exclusive)
        memset(call->dest, 0, bytes);
    else if (team->size == 1)
        sheaf_coll_copy(call->dest, call->source, bytes);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_scan(team, &(struct sheaf_reduce_call){call->dest, call->source, call->count,
                                                          call->element_bytes, call->combine},
                             call->exclusive);
    else
        scan_by_shares(team, call);
    return sheaf_coll_end(record);
}

int sheaf_scan(struct sheaf_team *team, void *dest, const void *source, size_t count,
               const struct sheaf_operator *operator, bool exclusive)
{
    struct scan call = {dest,      source, count, operator->element_bytes, operator->combine,
                        exclusive};
    size_t bytes = sheaf_check_bytes(count, operator->element_bytes, sheaf_call.name);
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
        sheaf_coll_check_objects(team, dest, bytes, source, bytes, true);
    }
    if (!sheaf_coll_fits(bytes, team->note_bytes))
        return scan_without_notes(team, &call, bytes);
    struct sheaf_record *record = sheaf_coll_begin_by_note(team, SHEAF_NO_ROOT, bytes, source, bytes);
    scan_notes(team, &call);
    return sheaf_coll_end(record);
}

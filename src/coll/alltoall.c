/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Alltoall and alltoalls: block k of each member goes to rank k. Blocks that fit a note travel in it;
 * larger ones are read directly from the others' sources.
 */
#include "coll/coll_internal.h"
#include "coll/multinode.h"
#include "coll/staging.h"
#include "core/team/agree.h"
#include "core/memory/check.h"

static void read_notes(struct sheaf_team *team, char *dest, size_t bytes)
{
    for (int rank = 0; rank < team->size; rank++) {
        const char *theirs = sheaf_near_note_wait(team, rank);
        sheaf_near_note_copy(dest + (size_t)rank * bytes, theirs + (size_t)team->rank * bytes, bytes);
    }
}

static void alltoall_pull(struct sheaf_team *team, char *dest, const char *source, size_t bytes)
{
    const char *for_me = source + (size_t)team->rank * bytes;
    size_t total = bytes * (size_t)team->size;
    sheaf_check_reached(dest, total, source, total, sheaf_call.name);
    struct sheaf_staging staging;
    sheaf_staging_begin(&staging, team, SHEAF_STAGED_ALLTOALL, total - bytes);
    if (staging.place)
        sheaf_staging_copy_blocks(&staging, source, total, (size_t)team->rank * bytes, bytes);
    sheaf_staging_announce(team, &staging);
    sheaf_copy_part(dest + (size_t)team->rank * bytes, for_me, bytes, total);
    for (int distance = 1; distance < team->size; distance++) {
        int rank = sheaf_coll_after(team, distance);
        const char *staged = sheaf_staging_await(team, rank);
        if (staged)
            sheaf_staging_read(dest + (size_t)rank * bytes,
                               staged + sheaf_staging_block_at(team->rank, rank, bytes), bytes, total);
        else
            sheaf_copy_part(dest + (size_t)rank * bytes, sheaf_coll_peer(team, rank, for_me, bytes),
                            bytes, total);
    }
    sheaf_coll_leave(team);
    sheaf_staging_end(&staging);
}

static int alltoall_without_notes(struct sheaf_team *team, void *dest, const void *source, size_t bytes)
{
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, bytes);
    if (bytes == 0)
        return sheaf_coll_end(record);
    if (team->size == 1)
        sheaf_coll_copy(dest, source, bytes);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_alltoall(team, dest, source, bytes);
    else
        alltoall_pull(team, dest, source, bytes);
    return sheaf_coll_end(record);
}

int sheaf_alltoall(struct sheaf_team *team, void *dest, const void *source, size_t bytes)
{
    size_t total = sheaf_check_bytes(bytes, (size_t)team->size, sheaf_call.name);
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
        sheaf_coll_check_objects(team, dest, total, source, total, false);
    }
    if (!sheaf_coll_fits(total, team->note_bytes))
        return alltoall_without_notes(team, dest, source, bytes);
    struct sheaf_record *record = sheaf_coll_begin_by_note(team, SHEAF_WAITS_FOR_ALL, bytes, source, total);
    read_notes(team, dest, bytes);
    return sheaf_coll_end(record);
}

/* Every block is read directly from its owner's source. */
static void alltoalls_pull(struct sheaf_team *team, const struct sheaf_strided_call *call)
{
    ptrdiff_t block = call->source_stride * (ptrdiff_t)call->count;
    const char *for_me = call->source + team->rank * block;
    size_t span = (call->count - 1) * (size_t)call->source_stride + call->element_bytes;
    if (team->size > 1)
        sheaf_coll_announce(team);
    for (int distance = 0; distance < team->size; distance++) {
        int rank = sheaf_coll_after(team, distance);
        if (rank != team->rank)
            sheaf_note_wait(team, rank);
        sheaf_coll_copy_elements((char *)call->dest + rank * call->dest_stride * (ptrdiff_t)call->count,
                                 call->dest_stride, sheaf_coll_peer(team, rank, for_me, span),
                                 call->source_stride, call->count, call->element_bytes);
    }
    if (team->size > 1)
        sheaf_coll_leave(team);
}

/* Checks both strides, and the bytes from the first element of the first block to the last of the last. */
static void check_strided(const struct sheaf_team *team, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                          size_t count, size_t element_bytes)
{
    size_t bytes = sheaf_check_bytes(count, element_bytes, sheaf_call.name);
    bytes = sheaf_check_bytes(bytes, (size_t)team->size, sheaf_call.name);
    bool dest_is_wrong = dest_stride < 1;
    if (sheaf_unlikely(dest_is_wrong || source_stride < 1))
        sheaf_fatal("SH104 %s: %s is %td; expected a stride of 1 element or more", sheaf_call.name,
                    dest_is_wrong ? "dst" : "sst", dest_is_wrong ? dest_stride : source_stride);
    sheaf_check_bytes((size_t)(dest_stride > source_stride ? dest_stride : source_stride), bytes,
                      sheaf_call.name);
}

int sheaf_alltoalls(struct sheaf_team *team, void *dest, const void *source, ptrdiff_t dest_stride,
                    ptrdiff_t source_stride, size_t count, size_t element_bytes)
{
    check_strided(team, dest_stride, source_stride, count, element_bytes);
    ptrdiff_t to_stride = dest_stride * (ptrdiff_t)element_bytes;
    ptrdiff_t from_stride = source_stride * (ptrdiff_t)element_bytes;
    sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)(count * element_bytes));
    sheaf_agree_on_number(team, "dst", dest_stride);
    sheaf_agree_on_number(team, "sst", source_stride);
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, count * element_bytes);
    if (count == 0)
        return sheaf_coll_end(record);
    sheaf_agree_on_object(team, "dest", dest);
    sheaf_agree_on_object(team, "source", source);
    size_t before_last = count * (size_t)team->size - 1;
    if (team->size > 1)
        sheaf_check_reached(dest, before_last * (size_t)to_stride + element_bytes, source,
                            before_last * (size_t)from_stride + element_bytes, sheaf_call.name);
    struct sheaf_strided_call call = {dest, source, to_stride, from_stride, count, element_bytes};
    if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_alltoalls(team, &call);
    else
        alltoalls_pull(team, &call);
    return sheaf_coll_end(record);
}

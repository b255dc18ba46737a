/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collect and fcollect: every member's block goes to every member, in rank order. Small blocks travel in
 * notes; large ones are read directly from their owner's source.
 */
#include "coll/choice.h"
#include "coll/coll_internal.h"
#include "coll/multinode.h"
#include "coll/staging.h"
#include "core/team/agree.h"
#include "core/memory/check.h"

struct fcollect {
    char *dest;
    const char *source;
    size_t bytes; /* per rank */
};
typedef void fcollect_algorithm(struct sheaf_team *team, const struct fcollect *call);

static char *block_of(const struct fcollect *call, int rank)
{
    return call->dest + (size_t)rank * call->bytes;
}

static size_t total_of(const struct sheaf_team *team, const struct fcollect *call)
{
    return call->bytes * (size_t)team->size;
}

static void read_notes(struct sheaf_team *team, const struct fcollect *call)
{
    for (int rank = 0; rank < team->size; rank++)
        sheaf_near_note_copy(block_of(call, rank), sheaf_near_note_wait(team, rank), call->bytes);
}

static void fcollect_notes(struct sheaf_team *team, const struct fcollect *call)
{
    sheaf_near_note_post(team, call->source, call->bytes);
    read_notes(team, call);
}

static void fcollect_linear(struct sheaf_team *team, const struct fcollect *call)
{
    struct sheaf_staging staging;
    sheaf_staging_begin(&staging, team, SHEAF_STAGED_FCOLLECT, call->bytes);
    if (staging.place)
        sheaf_staging_copy(&staging, staging.place, call->source, call->bytes);
    sheaf_staging_announce(team, &staging);
    sheaf_copy_part(block_of(call, team->rank), call->source, call->bytes, total_of(team, call));
    for (int distance = 1; distance < team->size; distance++) {
        int rank = sheaf_coll_after(team, distance);
        const char *staged = sheaf_staging_await(team, rank);
        if (staged)
            sheaf_staging_read(block_of(call, rank), staged, call->bytes, total_of(team, call));
        else
            sheaf_copy_part(block_of(call, rank), sheaf_coll_peer(team, rank, call->source, call->bytes),
                            call->bytes, total_of(team, call));
    }
    sheaf_coll_leave(team);
    sheaf_staging_end(&staging);
}

static void fcollect_naive(struct sheaf_team *team, const struct fcollect *call)
{
    size_t total = total_of(team, call);
    sheaf_coll_announce(team);
    if (team->rank == 0) {
        for (int rank = 0; rank < team->size; rank++) {
            sheaf_note_wait(team, rank);
            sheaf_copy_part(block_of(call, rank), sheaf_coll_peer(team, rank, call->source, call->bytes),
                            call->bytes, total);
        }
    }
    sheaf_coll_leave(team);
    if (team->rank != 0)
        sheaf_copy_part(call->dest, sheaf_coll_peer(team, 0, call->dest, total), total, total);
    sheaf_coll_leave(team);
}

/* After step s a member holds its own block and those of the s members below it, cyclically. */
static void fcollect_ring(struct sheaf_team *team, const struct fcollect *call)
{
    int lower = (team->rank + team->size - 1) % team->size;
    sheaf_steps_begin(team);
    sheaf_copy_part(block_of(call, team->rank), call->source, call->bytes, total_of(team, call));
    sheaf_steps_reach(team, 1);
    for (int step = 1; step < team->size; step++) {
        char *mine = block_of(call, (team->rank - step + team->size) % team->size);
        sheaf_steps_wait(team, lower, (uint32_t)step);
        sheaf_copy_part(mine, sheaf_coll_peer(team, lower, mine, call->bytes), call->bytes,
                        total_of(team, call));
        sheaf_steps_reach(team, (uint32_t)step + 1);
    }
    sheaf_coll_leave(team);
}

static fcollect_algorithm *const algorithms[SHEAF_FCOLLECT_ALGORITHMS] = {
    [SHEAF_FCOLLECT_NOTE] = fcollect_notes,
    [SHEAF_FCOLLECT_NAIVE] = fcollect_naive,
    [SHEAF_FCOLLECT_LINEAR] = fcollect_linear,
    [SHEAF_FCOLLECT_RING] = fcollect_ring,
};

/* Chooses the algorithm. All except the notes access the members' buffers directly. */
static fcollect_algorithm *choose_fcollect(const struct sheaf_team *team, const struct fcollect *call)
{
    int algorithm = sheaf_choose(SHEAF_FCOLLECT, team->size, call->bytes);
    if (algorithm != SHEAF_FCOLLECT_NOTE)
        sheaf_check_reached(call->dest, call->bytes * (size_t)team->size, call->source, call->bytes,
                            sheaf_call.name);
    return algorithms[algorithm];
}

static int fcollect_by_choice(struct sheaf_team *team, const struct fcollect *call)
{
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, call->bytes);
    if (call->bytes == 0)
        return sheaf_coll_end(record);
    if (team->size == 1)
        sheaf_coll_copy(call->dest, call->source, call->bytes);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_fcollect(team, call->dest, call->source, call->bytes);
    else
        choose_fcollect(team, call)(team, call);
    return sheaf_coll_end(record);
}

int sheaf_fcollect(struct sheaf_team *team, void *dest, const void *source, size_t bytes)
{
    struct fcollect call = {dest, source, bytes};
    size_t total = sheaf_check_bytes(bytes, (size_t)team->size, sheaf_call.name);
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
        sheaf_coll_check_objects(team, dest, total, source, bytes, false);
    }
    if (!sheaf_coll_fits(bytes, team->by_note[SHEAF_FCOLLECT]))
        return fcollect_by_choice(team, &call);
    struct sheaf_record *record = sheaf_coll_begin_by_note(team, SHEAF_WAITS_FOR_ALL, bytes, source, bytes);
    read_notes(team, &call);
    return sheaf_coll_end(record);
}

/* A member's note in a collect: the number of its bytes, and the data itself where it fits. */
struct contribution {
    uint64_t bytes;
    unsigned char data[SHEAF_NOTE_BYTES - sizeof(uint64_t)];
};
_Static_assert(sizeof(struct contribution) == SHEAF_NOTE_BYTES, "fits a note");

/* Returns the bytes of the note. */
static size_t fill_contribution(struct contribution *mine, const void *source, size_t bytes)
{
    mine->bytes = bytes;
    if (bytes > sizeof mine->data) {
        sheaf_check_reached(NULL, 0, source, bytes, sheaf_call.name);
        return sizeof mine->bytes;
    }
    if (bytes > 0)
        sheaf_near_note_copy(mine->data, source, bytes);
    return sizeof mine->bytes + bytes;
}

static size_t bytes_of(struct sheaf_team *team, int rank)
{
    const struct contribution *note = sheaf_near_note_wait(team, rank);
    return note->bytes;
}

static void copy_contribution(struct sheaf_team *team, int rank, char *dest, const void *source,
                              size_t total)
{
    const struct contribution *note = sheaf_near_note_wait(team, rank);
    if (note->bytes == 0)
        return;
    if (note->bytes <= sizeof note->data)
        sheaf_near_note_copy(dest, note->data, note->bytes);
    else
        sheaf_copy_part(dest, sheaf_coll_peer(team, rank, source, note->bytes), note->bytes, total);
}

static int collect_without_notes(struct sheaf_team *team, void *dest, const void *source, size_t bytes)
{
    struct sheaf_record *record = sheaf_coll_begin(team, SHEAF_WAITS_FOR_ALL, SHEAF_NO_BYTES);
    if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_collect(team, dest, source, bytes);
    else if (bytes > 0)
        sheaf_coll_copy(dest, source, bytes);
    return sheaf_coll_end(record);
}

int sheaf_collect(struct sheaf_team *team, void *dest, const void *source, size_t bytes)
{
    size_t before_me = 0, largest = 0, total = 0;
    struct contribution mine;
    sheaf_check_bytes(bytes, (size_t)team->size, sheaf_call.name);
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_check_buffers(dest, bytes, source, bytes, true, sheaf_call.name);
        sheaf_agree_on_object(team, "dest", dest);
    }
    if (sheaf_unlikely(!team->note_bytes))
        return collect_without_notes(team, dest, source, bytes);
    size_t used = fill_contribution(&mine, source, bytes);
    struct sheaf_record *record = sheaf_coll_begin_by_note(team, SHEAF_WAITS_FOR_ALL, SHEAF_NO_BYTES, &mine,
                                                           used);
    for (int rank = 0; rank < team->size; rank++) {
        size_t theirs = bytes_of(team, rank);
        if (rank < team->rank)
            before_me += theirs;
        if (theirs > largest)
            largest = theirs;
        total += theirs;
    }
    size_t at = before_me; /* dest may be null where no member contributes */
    for (int distance = 0; distance < team->size; distance++) {
        int rank = sheaf_coll_after(team, distance);
        if (rank == 0)
            at = 0;
        copy_contribution(team, rank, (void *)((uintptr_t)dest + at), source, total);
        at += bytes_of(team, rank);
    }
    if (largest > sizeof((struct contribution *)0)->data)
        sheaf_coll_leave(team);
    return sheaf_coll_end(record);
}

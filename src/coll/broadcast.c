/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast: every member gets the root's data. A small payload travels in the root's note; a large one is
 * read directly from the root's source.
 */
#include "coll/choice.h"
#include "coll/coll_internal.h"
#include "coll/multinode.h"
#include "coll/staging.h"
#include "core/team/agree.h"
#include "core/memory/check.h"
#include "core/memory/symmetric.h"

struct broadcast {
    void *dest;
    const void *source;
    size_t bytes;
    int root;
    bool on_root; /* the root's dest is written too */
};
typedef void broadcast_algorithm(struct sheaf_team *team, const struct broadcast *call);

static void copy_on_root(const struct broadcast *call)
{
    if (call->on_root)
        sheaf_coll_copy(call->dest, call->source, call->bytes);
}

static void read_part(struct sheaf_team *team, int rank, const struct broadcast *call, size_t at,
                      size_t bytes)
{
    const char *from = (const char *)(rank == call->root ? call->source : call->dest) + at;
    sheaf_copy_part((char *)call->dest + at, sheaf_coll_peer(team, rank, from, bytes), bytes, call->bytes);
}

static void broadcast_note(struct sheaf_team *team, const struct broadcast *call)
{
    sheaf_broadcast_by_note(team, call->dest, call->source, call->bytes, call->root);
    if (team->rank == call->root)
        copy_on_root(call);
}

/* In pieces, each of which the others read while the next one is copied. Step n: n pieces are there. */
#define STAGED_PIECE ((size_t)16 << 10)

static size_t piece_at(size_t at, size_t bytes)
{
    return bytes - at < STAGED_PIECE ? bytes - at : STAGED_PIECE;
}

static void stage_pieces(struct sheaf_team *team, const struct sheaf_staging *staging,
                         const struct broadcast *call)
{
    uint32_t step = 0;
    for (size_t at = 0; at < call->bytes; at += STAGED_PIECE) {
        sheaf_staging_copy(staging, staging->place + at, (const char *)call->source + at,
                           piece_at(at, call->bytes));
        sheaf_steps_reach(team, ++step);
    }
}

static void read_pieces(struct sheaf_team *team, const struct broadcast *call, const char *staged)
{
    uint32_t step = 0;
    for (size_t at = 0; at < call->bytes; at += STAGED_PIECE) {
        sheaf_steps_wait(team, call->root, ++step);
        sheaf_staging_read((char *)call->dest + at, staged + at, piece_at(at, call->bytes), call->bytes);
    }
}

static void pull_on_root(struct sheaf_team *team, const struct broadcast *call)
{
    struct sheaf_staging staging;
    sheaf_staging_begin(&staging, team, SHEAF_STAGED_BROADCAST, call->bytes);
    if (staging.place)
        sheaf_steps_begin(team);
    sheaf_staging_announce(team, &staging);
    if (staging.place)
        stage_pieces(team, &staging, call);
    copy_on_root(call);
    sheaf_coll_leave(team);
    sheaf_staging_end(&staging);
}

static void broadcast_pull(struct sheaf_team *team, const struct broadcast *call)
{
    if (team->rank == call->root) {
        pull_on_root(team, call);
        return;
    }
    sheaf_coll_announce(team);
    const char *staged = sheaf_staging_await(team, call->root);
    if (staged) {
        sheaf_steps_begin(team);
        read_pieces(team, call, staged);
    } else {
        read_part(team, call->root, call, 0, call->bytes);
    }
    sheaf_coll_leave(team);
}

static void broadcast_push(struct sheaf_team *team, const struct broadcast *call)
{
    sheaf_coll_announce(team);
    if (team->rank == call->root) {
        copy_on_root(call);
        for (int distance = 1; distance < team->size; distance++) {
            int rank = sheaf_coll_after(team, distance);
            sheaf_note_wait(team, rank);
            sheaf_copy_part(sheaf_coll_peer(team, rank, call->dest, call->bytes), call->source,
                            call->bytes, call->bytes * (size_t)(team->size - 1));
        }
    }
    sheaf_coll_leave(team);
}

/* Each member takes the message in pieces from another, -1 on the root. Step n: n pieces are there. */
static void pass_on(struct sheaf_team *team, const struct broadcast *call, int from, size_t piece)
{
    uint32_t step = 0;
    sheaf_steps_begin(team);
    if (from < 0) {
        copy_on_root(call);
        sheaf_steps_reach(team, SHEAF_MOST_PIECES);
    }
    for (size_t at = 0; from >= 0 && at < call->bytes; at += piece) {
        sheaf_steps_wait(team, from, ++step);
        read_part(team, from, call, at, call->bytes - at < piece ? call->bytes - at : piece);
        sheaf_steps_reach(team, step);
    }
    sheaf_coll_leave(team);
}

/* With positions counted from the root's rank, the parent of a position is the position without its
 * lowest set bit. */
static void broadcast_binomial(struct sheaf_team *team, const struct broadcast *call)
{
    int position = (team->rank - call->root + team->size) % team->size;
    int parent = ((position & (position - 1)) + call->root) % team->size;
    pass_on(team, call, position == 0 ? -1 : parent, call->bytes);
}

/* Along the tree of the host's levels. */
static void broadcast_levels(struct sheaf_team *team, const struct broadcast *call)
{
    bool is_small = call->bytes <= SHEAF_NOTE_BYTES;
    if (!team->has_levels) {
        (is_small ? broadcast_note : broadcast_pull)(team, call);
    } else if (is_small) {
        if (team->rank == call->root)
            copy_on_root(call);
        sheaf_broadcast_by_tree(team, call->dest, call->source, call->bytes, call->root);
    } else {
        pass_on(team, call, sheaf_tree_source(&team->tree, team->rank, call->root),
                sheaf_coll_piece(call->bytes, 1));
    }
}

static broadcast_algorithm *const algorithms[SHEAF_BROADCAST_ALGORITHMS] = {
    [SHEAF_BROADCAST_NOTE] = broadcast_note,
    [SHEAF_BROADCAST_PUSH] = broadcast_push,
    [SHEAF_BROADCAST_PULL] = broadcast_pull,
    [SHEAF_BROADCAST_BINOMIAL] = broadcast_binomial,
    [SHEAF_BROADCAST_LEVELS] = broadcast_levels,
};

/* Chooses the algorithm. All except the note access the members' buffers directly: the root's source,
 * and the others' dest. */
static broadcast_algorithm *choose_broadcast(const struct sheaf_team *team, const struct broadcast *call)
{
    int algorithm = sheaf_choose(SHEAF_BROADCAST, team->size, call->bytes);
    bool is_root = team->rank == call->root;
    if (algorithm != SHEAF_BROADCAST_NOTE)
        sheaf_symmetric_require(is_root ? call->source : call->dest, call->bytes, sheaf_call.name);
    return algorithms[algorithm];
}

__attribute__((noinline)) static int broadcast_by_choice(struct sheaf_team *team,
                                                         const struct broadcast *call)
{
    struct sheaf_record *record = sheaf_coll_begin(team, call->root, call->bytes);
    if (call->bytes == 0)
        return sheaf_coll_end(record);
    if (team->size == 1)
        copy_on_root(call);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_broadcast(team, call->dest, call->source, call->bytes, call->root,
                                  call->on_root);
    else
        choose_broadcast(team, call)(team, call);
    return sheaf_coll_end(record);
}

int sheaf_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes, int root,
                    bool on_root)
{
    bool is_root = team->rank == root;
    struct sheaf_record *record;
    if (sheaf_unlikely(sheaf_agree_is_checked)) {
        sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
        sheaf_agree_on_number(team, "PE_root", root);
        sheaf_coll_check_objects(team, dest, bytes, source, bytes, true);
    }
    if (!sheaf_coll_fits(bytes, team->by_note[SHEAF_BROADCAST]) || (is_root && !sheaf_coll_has_place(team)))
        return broadcast_by_choice(team, &(struct broadcast){dest, source, bytes, root, on_root});
    if (is_root) {
        record = sheaf_coll_begin_by_note(team, root, bytes, source, bytes);
        if (on_root && dest != source)
            sheaf_near_note_copy(dest, source, bytes);
    } else {
        record = sheaf_coll_begin_by_note(team, root, bytes, "", 0);
        sheaf_near_note_copy(dest, sheaf_near_note_wait(team, root), bytes);
    }
    return sheaf_coll_end(record);
}

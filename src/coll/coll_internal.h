/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of all collectives: the address of a member's copy of an object, entering a call together, the
 * bookkeeping of notes, and a step counter per member for algorithms of several stages.
 */
#ifndef SHEAF_COLL_COLL_INTERNAL_H
#define SHEAF_COLL_COLL_INTERNAL_H

#include "base/probe.h"
#include "base/atomic.h"
#include "coll/coll.h"
#include "core/memory/check.h"
#include "core/access/copy/copy.h"
#include "core/access/route.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "core/team/near.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/team/team.h"
#include "core/pe/wait.h"

#include <string.h>

/* The collectives' use of a member's words, which the member alone writes. */
enum sheaf_coll_word {
    SHEAF_WORD_STEP = 0,     /* instance << 16 | steps done in it; read by others */
    SHEAF_WORD_INSTANCE = 1, /* collectives that counted steps so far; the same on all members */
    SHEAF_WORD_RESULT = 2    /* from here to the end: rank 0's result of a small reduction */
};
#define SHEAF_RESULT_BYTES (sizeof(((struct sheaf_member *)0)->words) - SHEAF_WORD_RESULT * 4)

/* Private working memory of a call: small enough for the first-level cache and any stack. */
#define SHEAF_BLOCK_BYTES 8192

/* Where arguments are checked: dest and source are the same objects on all members, symmetric, and apart.
 * Nothing is checked of a call without bytes. */
static inline void sheaf_coll_check_objects(struct sheaf_team *team, const void *dest, size_t dest_bytes,
                                            const void *source, size_t source_bytes, bool may_be_same)
{
    if (dest_bytes == 0)
        return;
    sheaf_agree_on_object(team, "dest", dest);
    sheaf_agree_on_object(team, "source", source);
    sheaf_check_buffers(dest, dest_bytes, source, source_bytes, may_be_same, sheaf_call.name);
}

/* Begins the entry of a collective in the flight recorder, after the comparisons of debug level and
 * before the first word to another member. A team of one has no entry. end returns the collective's
 * result, 0. */
static inline struct sheaf_record *sheaf_coll_begin(struct sheaf_team *team, int root, uint64_t bytes)
{
    struct sheaf_record *record = sheaf_history_begin_several(team, root, bytes);
    if (record)
        SHEAF_PROBE3(collective_begin, team->identity, root, bytes);
    return record;
}

/* The same for a collective whose data is in one note per member, in a team with note_bytes: this PE's note
 * leaves. The entry and the progress are written while the note's line comes. */
static inline struct sheaf_record *sheaf_coll_begin_by_note(struct sheaf_team *team, int root,
                                                            uint64_t bytes, const void *payload,
                                                            size_t payload_bytes)
{
    sheaf_near_fetch_note(team);
    struct sheaf_record *record = sheaf_coll_begin(team, root, bytes);
    sheaf_near_note_post(team, payload, payload_bytes);
    return record;
}

/* Whether bytes, not 0, are at most most. */
static inline bool sheaf_coll_fits(size_t bytes, size_t most)
{
    return sheaf_likely(bytes - 1 < most);
}

static inline int sheaf_coll_end(struct sheaf_record *record)
{
    if (record) {
        SHEAF_PROBE1(collective_end, sheaf_load_relaxed(&record->team));
        sheaf_record_end(record);
    }
    return 0;
}

static inline struct sheaf_member *sheaf_coll_member(struct sheaf_team *team, int rank)
{
    return &team->block->members[rank];
}

/* The address in this process of rank's copy of the symmetric object at local; local itself for the own
 * rank. */
static inline void *sheaf_coll_peer(const struct sheaf_team *team, int rank, const void *local,
                                    size_t bytes)
{
    if (rank == team->rank)
        return (void *)(uintptr_t)local;
    return sheaf_route_to(local, bytes, sheaf_team_world_pe(team, rank), sheaf_call.name);
}

/* The rank (own rank + distance) mod size: every member starts with another peer. */
static inline int sheaf_coll_after(const struct sheaf_team *team, int distance)
{
    int rank = team->rank + distance;
    return rank < team->size ? rank : rank - team->size;
}

static inline void sheaf_coll_copy(void *dest, const void *source, size_t bytes)
{
    if (dest != source)
        sheaf_copy_part(dest, source, bytes, bytes);
}

/* Copies count elements; strides are in bytes. */
void sheaf_coll_copy_elements(char *to, ptrdiff_t to_stride, const char *from,
                              ptrdiff_t from_stride, size_t count, size_t element_bytes);

/* Posts a note that this member is in the call, so that the others may read its source. */
static inline void sheaf_coll_announce(struct sheaf_team *team)
{
    sheaf_note_post(team, "", 0);
}

/* Returns when every member is in the call: then its source may be read and its dest written. */
static inline void sheaf_coll_enter(struct sheaf_team *team)
{
    sheaf_coll_announce(team);
    for (int distance = 1; distance < team->size; distance++)
        sheaf_note_wait(team, sheaf_coll_after(team, distance));
}

/* After a barrier all notes have been read, and also after a collective that no member leaves before
 * all are in it. */
static inline void sheaf_coll_set_read(struct sheaf_team *team)
{
    team->read = team->exchange;
}

/* Whether the root's next note has a place without a wait: see below. */
static inline bool sheaf_coll_has_place(const struct sheaf_team *team)
{
    return sheaf_likely(team->exchange - team->read < SHEAF_NOTE_PLACES - 1);
}

/* Called by a root that waits for no reader. Returns once its next note, and the notes that the others post
 * after having seen it, overwrite only notes that all members have read. The others' notes tell: a member
 * that has begun an exchange has read all notes of earlier ones. The root waits until half of the places
 * are free, so that it looks once in three broadcasts. */
static inline void sheaf_coll_await_place(struct sheaf_team *team)
{
    if (sheaf_coll_has_place(team))
        return;
    uint32_t begun = team->exchange + 1 - SHEAF_NOTE_PLACES / 2;
    for (int distance = 1; distance < team->size; distance++) {
        union sheaf_step *step = &sheaf_near_note_at(team, sheaf_coll_after(team, distance), begun)->step;
        sheaf_near_await_step(team, step, sheaf_load_acquire(&step->both), begun, 0);
    }
    team->read = begun - 1;
}

/* The end of a collective: the others' reads and writes are complete afterwards. */
static inline void sheaf_coll_leave(struct sheaf_team *team)
{
    sheaf_sync(team);
}

/* Sends up to SHEAF_NOTE_BYTES from root's source to the others' dest. Only the root's note carries
 * data. The root runs ahead of the others as far as notes have places. */
static inline void sheaf_broadcast_by_note(struct sheaf_team *team, void *dest, const void *source,
                                           size_t bytes, int root)
{
    if (team->rank == root) {
        sheaf_coll_await_place(team);
        sheaf_note_post(team, source, bytes);
    } else {
        sheaf_coll_announce(team);
        memcpy(dest, sheaf_note_wait(team, root), bytes);
    }
}

/* The same along the tree of a team by levels: each member's note has the message, for those that take it
 * there. */
static inline void sheaf_broadcast_by_tree(struct sheaf_team *team, void *dest, const void *source,
                                           size_t bytes, int root)
{
    int from = sheaf_tree_source(&team->tree, team->rank, root);
    if (from < 0)
        sheaf_coll_await_place(team);
    else
        source = memcpy(dest, sheaf_near_note_ahead(team, from), bytes);
    sheaf_near_note_post(team, source, bytes);
}

/* Pieces in which data goes through a tree of members, so that each passes on a piece while the next one is
 * under way: a second-level cache has several of them. In elements; at most SHEAF_MOST_PIECES a call. */
#define SHEAF_PIECE_BYTES ((size_t)64 << 10)
#define SHEAF_MOST_PIECES 8192
static inline size_t sheaf_coll_piece(size_t count, size_t element_bytes)
{
    size_t piece = SHEAF_PIECE_BYTES / element_bytes, least = count / SHEAF_MOST_PIECES + 1;
    return piece > least ? piece : least;
}

/* Elements [first, first + length) of an array are rank's share of the work. Shares begin at multiples
 * of a cache line, so two members never write to the same line. Returns the length of all
 * but the last ones. */
static inline size_t sheaf_coll_share(size_t count, size_t element_bytes, int size, int rank,
                                      size_t *first, size_t *length)
{
    size_t line = element_bytes < SHEAF_CACHE_LINE ? SHEAF_CACHE_LINE / element_bytes : 1;
    size_t share = (count + (size_t)size - 1) / (size_t)size;
    share = (share + line - 1) / line * line;
    *first = share * (size_t)rank < count ? share * (size_t)rank : count;
    *length = count - *first < share ? count - *first : share;
    return share;
}

/* Steps: a counter per member that starts at 0 in each collective. All members begin together. Each
 * then announces its own step, and waits for the steps of others. A member that is already in a later
 * collective counts as beyond every step of this one. */
void sheaf_steps_begin(struct sheaf_team *team);
void sheaf_steps_reach(struct sheaf_team *team, uint32_t step);
void sheaf_steps_wait(struct sheaf_team *team, int rank, uint32_t step);

#endif

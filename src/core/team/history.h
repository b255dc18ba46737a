/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that a PE makes with a team: their number, a digest of them all, and an entry for each in the
 * flight recorder. Members make the same calls in the same order, so their digests are equal whenever they
 * synchronize. The digest travels in the words by which members synchronize. A member that sees another
 * digest ends the job with a line that names both calls.
 */
#ifndef SHEAF_CORE_TEAM_HISTORY_H
#define SHEAF_CORE_TEAM_HISTORY_H

#include "core/pe/record.h"
#include "core/team/team.h"

/* Values of root: for a call without a root, and for a call that no member leaves before all members
 * are in it. Value of bytes: for a call whose members may bring different numbers of bytes. */
#define SHEAF_NO_ROOT  SHEAF_RECORD_NO_ROOT
#define SHEAF_WAITS_FOR_ALL  SHEAF_RECORD_WAITS_FOR_ALL
#define SHEAF_NO_BYTES UINT64_MAX

/* The mask of the names' part of the digest: names count only where all PEs' libraries have the same
 * names. sheaf_agree_init() finds out. */
extern SHEAF_HIDDEN uint32_t sheaf_history_names;

/* Begins the entry of this thread's call, before the members synchronize in it and after the
 * comparisons of debug level. name: the part of the call's name that enters the digest. Two calls that
 * differ in name, root or bytes alone never have the same digest, because the multiplication, which
 * makes it depend on the calls' order, is by an odd number. The multiplication applies to the former
 * digest, and this call's part is mixed in by rotations: the members wait for the last one's digest,
 * which is ready 1 ns earlier this way. */
static inline struct sheaf_record *sheaf_history_begin_as(struct sheaf_team *team, uint32_t name,
                                                          int root, uint64_t bytes)
{
    uint32_t what = name << 19 ^ name >> 13 ^ (uint32_t)root << 10 ^ (uint32_t)root >> 22;
    what ^= (uint32_t)(bytes ^ bytes >> 32);
    uint64_t before = *team->progress;
    uint32_t digest = SHEAF_PROGRESS_DIGEST(before) * UINT32_C(0x9e3779b1) ^ what;
    uint64_t progress = (uint64_t)digest << 32 | (uint32_t)(before + 1);
    sheaf_store_relaxed(team->progress, progress);
    return sheaf_record_begin(team->identity, progress, bytes, root);
}

static inline struct sheaf_record *sheaf_history_begin(struct sheaf_team *team, int root,
                                                       uint64_t bytes)
{
    return sheaf_history_begin_as(team, sheaf_record_name() & sheaf_history_names, root, bytes);
}

/* The same where the team has several members. A team of one has nothing to compare, and gets no entry.
 * subject: what else the members must have alike; it enters the digest, not the record. */
static inline struct sheaf_record *sheaf_history_begin_about(struct sheaf_team *team, uint32_t subject,
                                                             int root, uint64_t bytes)
{
    uint32_t name = sheaf_record_name() & sheaf_history_names;
    return sheaf_likely(team->size != 1) ? sheaf_history_begin_as(team, name ^ subject, root, bytes) : NULL;
}

static inline struct sheaf_record *sheaf_history_begin_several(struct sheaf_team *team, int root,
                                                               uint64_t bytes)
{
    return sheaf_history_begin_about(team, 0, root, bytes);
}

static inline void sheaf_history_end(struct sheaf_record *record)
{
    if (record)
        sheaf_record_end(record);
}

/* Counts a call of a library over this one, whose members compare their calls themselves: it has ended for
 * the recorder. Returns the progress with it. */
uint64_t sheaf_history_count(struct sheaf_team *team);

/* A step's number with this PE's digest in the upper half. */
static inline uint64_t sheaf_history_step(const struct sheaf_team *team, uint32_t number)
{
    return (*team->progress & ~(uint64_t)UINT32_MAX) | number;
}

/* Ends the job: another member's digest differs from this PE's. */
_Noreturn void sheaf_history_differs(const struct sheaf_team *team);

/* The same for PE pe on another host, whose flight recorder cannot be read here: a message of that PE
 * has matched a receive in another call. */
void sheaf_history_differs_far(int pe) __attribute__((noreturn)); /* _Noreturn is not of the type */

/* Counts this PE in, at a word to which all members add. Returns how many are missing; for 0 its caller
 * resets the word to 0. */
static inline uint32_t sheaf_history_arrive(struct sheaf_team *team, uint64_t *arrived)
{
    uint64_t all = __atomic_add_fetch(arrived, sheaf_history_step(team, 1), __ATOMIC_ACQ_REL);
    if ((uint32_t)all != (uint32_t)team->size)
        return (uint32_t)team->size - (uint32_t)all;
    if (sheaf_unlikely(all >> 32 != SHEAF_PROGRESS_DIGEST(*team->progress) * (uint32_t)team->size))
        sheaf_history_differs(team);
    return 0;
}

/* Called in a long wait: ends the job where a member on this node has made another call than this PE,
 * or waits for this PE in a call of another team. */
void sheaf_history_check(const void *team);

/* A team's identity, the same on all members: computed from its parent, the parent's progress at that
 * time, and three numbers. parent is NULL for a team without a parent. */
uint64_t sheaf_history_identity(const struct sheaf_team *parent, uint64_t a, uint64_t b,
                                uint64_t c);

/* Adds the team, whose identity is set, to the list that other PEs read; close removes it. */
void sheaf_history_open(struct sheaf_team *team);
void sheaf_history_close(struct sheaf_team *team);

/* Prints the source line of a call of the PE in slot. Returns false where it is not known. */
typedef bool sheaf_history_place(int slot, const struct sheaf_record *call, char *text, size_t size);
void sheaf_history_set_place(sheaf_history_place *place);

#endif

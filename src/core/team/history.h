/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that a PE makes with a team: their number, a digest of them all, and an entry of each
 * in the flight recorder. Members make the same calls in the same order, so their digests are equal
 * wherever they meet; the digest travels in the words by which they meet, and whoever sees another
 * ends the job with a line that names both calls.
 */
#ifndef SHEAF_CORE_TEAM_HISTORY_H
#define SHEAF_CORE_TEAM_HISTORY_H

#include "core/pe/record.h"
#include "core/team/team.h"

/* root of a call that has none, and of one that nobody leaves before all members are in it; bytes
 * of one whose members need not bring as many. */
#define SHEAF_NO_ROOT  SHEAF_RECORD_NO_ROOT
#define SHEAF_MEETING  SHEAF_RECORD_MEETING
#define SHEAF_NO_BYTES UINT64_MAX

/* Names of calls count where the library has the same on all PEs: sheaf_agree_init() finds out. */
extern SHEAF_HIDDEN uint32_t sheaf_history_names;

/* The entry of the call that this thread is in begins: before the members meet in it, and after
 * what debug level compares. name: what the digest has of the call's name. Calls that differ in one
 * of the three have never the same digest: the multiplication, which tells their order, is by an odd
 * number. It is of the digest before, and what this call brings goes in by rotations: the members
 * wait for the last one's digest, and this way it is 1 ns earlier. */
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

/* The same where the team has several members: one of one has nothing to remember, and no entry. */
static inline struct sheaf_record *sheaf_history_begin_several(struct sheaf_team *team, int root,
                                                               uint64_t bytes)
{
    return sheaf_likely(team->size != 1) ? sheaf_history_begin(team, root, bytes) : NULL;
}

static inline void sheaf_history_end(struct sheaf_record *record)
{
    if (record)
        sheaf_record_end(record);
}

/* A step's number with my digest. */
static inline uint64_t sheaf_history_step(const struct sheaf_team *team, uint32_t number)
{
    return (*team->progress & ~(uint64_t)UINT32_MAX) | number;
}

/* Ends the job: another member's digest is not mine. */
_Noreturn void sheaf_history_differs(const struct sheaf_team *team);

/* The same of PE pe on another host, whose flight recorder cannot be read here: a message of it has met a
 * receive in another call. */
void sheaf_history_differs_afar(int pe) __attribute__((noreturn)); /* _Noreturn is not of the type */

/* Counts me in at a word that all members add to; true for the last, which begins again at 0. */
static inline bool sheaf_history_arrive(struct sheaf_team *team, uint64_t *arrived)
{
    uint64_t all = __atomic_add_fetch(arrived, sheaf_history_step(team, 1), __ATOMIC_ACQ_REL);
    if ((uint32_t)all != (uint32_t)team->size)
        return false;
    if (sheaf_unlikely(all >> 32 != SHEAF_PROGRESS_DIGEST(*team->progress) * (uint32_t)team->size))
        sheaf_history_differs(team);
    return true;
}

/* For a wait that lasts: ends the job where a member on this node has made another call than I, or
 * waits for me in a call of another team. */
void sheaf_history_check(const void *team);

/* Identities follow from how a team was made, alike on all its members: from its parent, how far
 * that was, and three numbers; parent NULL: of a team that no parent makes. */
uint64_t sheaf_history_identity(const struct sheaf_team *parent, uint64_t a, uint64_t b,
                                uint64_t c);

/* Lists the team, whose identity is there, for others to read; and takes it off. */
void sheaf_history_open(struct sheaf_team *team);
void sheaf_history_close(struct sheaf_team *team);

/* Says where a call of the PE in slot is in the program: text. False where it is not known. */
typedef bool sheaf_history_place(int slot, const struct sheaf_record *call, char *text, size_t size);
void sheaf_history_set_place(sheaf_history_place *place);

#endif

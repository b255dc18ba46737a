/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that go on when a PE dies: who has died, agreement and teams of those who live, and a way out
 * of calls that wait for the dead. With SHEAF_FAILURES=report; without it the first death ends the job.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_SHMEMX_FT_H
#define SHEAF_SHMEMX_FT_H

#include "shmemx.h"

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

/* What shmemx_pe_status() says of a PE: its process runs; it has died; another has been started in its
 * place, which has not joined the others in shmemx_rejoin() yet. */
#define SHMEMX_PE_ALIVE     0
#define SHMEMX_PE_DEAD      1
#define SHMEMX_PE_RESPAWNED 2

/* What is called in place of a call that waits for a dead PE. It must not return: siglongjmp() leads
 * out. */
typedef void (*shmemx_failure_handler_t)(void *argument);

#ifdef __cplusplus
extern "C" {
#endif

/* Jobs that go on when a PE dies =============================================================== */

/* Writes the numbers of the dead PEs, ascending, to list, which has room for as many as the world has PEs
 * and may be NULL; returns how many they are. A respawned PE counts as dead until its shmemx_rejoin.
 * Waits for a variable no longer end because of these deaths: the program knows of them now. */
int shmemx_failed_pes(int *list);

/* SHMEMX_PE_ALIVE, SHMEMX_PE_DEAD or SHMEMX_PE_RESPAWNED; -1 for a number that is no PE of the world. */
int shmemx_pe_status(int pe);

/* Sets what the calling thread does in a call that cannot end because a PE has died: the call runs handler
 * with argument in that thread, and handler must leave by siglongjmp() or longjmp(). NULL, the default:
 * the job ends. Such calls are
 * - collectives over a team that has lost a member, under way or called later;
 * - shmem_wait_until and its like (not tests), once after each death, until shmemx_failed_pes is called.
 * Allocation, shmem_finalize, locks and the calls of this chapter go on among the living PEs. The team may
 * then be used in shmemx_agree, shmemx_team_shrink and shmem_team_destroy only; for the world see
 * shmemx_rejoin. The contents of the call's buffers are undefined. */
void shmemx_on_failure(shmemx_failure_handler_t handler, void *argument);

/* Collective over the living members of team, which may have lost others before and may lose some in
 * the call. *flags becomes the bitwise and of the flags of all members that came, the same on all that
 * return. Returns how many members have died, by the same count on all that return: each that did not
 * come is counted; -1 for SHMEM_TEAM_INVALID. Where a member has met a death before and is in
 * shmemx_team_shrink already, all of those here return with flags of 0, and that one waits for them there.
 * Waits for no dead PE and calls no handler. Completes no other operation. */
int shmemx_agree(shmem_team_t team, uint64_t *flags);

/* Makes a team of the living members of team, in their order; its PE numbers have no gaps. Collective
 * over them. All get the same team; a member that dies meanwhile may be in it, and then it has failed.
 * Returns 0; nonzero on all of them, and SHMEM_TEAM_INVALID, where there is no memory, and for
 * SHMEM_TEAM_INVALID. Waits for no dead PE and calls no handler. */
int shmemx_team_shrink(shmem_team_t team, shmem_team_t *new_team);

/* The number of the PE that died with the lock, where the caller has taken it over from that one,
 * until it clears it: what the lock protects may be half written. -1 otherwise. */
int shmemx_lock_inherited(const long *lock);

/* Starts a new process, one of those of oshrun --spare, as the dead PE pe. It runs the program from its
 * start on the same host, with the same arguments and PE number, and has the dead PE's symmetric heap as
 * it was left; its variables have their first values. If that host is lost, all its PEs go to one other
 * host that has spare processes, with that host's arguments and an empty heap: see shmemx_restore. One PE
 * calls it. Returns 0; nonzero if no process is spare, pe is alive, or another PE has called before. */
int shmemx_respawn(int pe);

/* Whether shmemx_respawn has started this process. It then must call shmemx_rejoin before collectives. */
int shmemx_is_respawned(void);

/* Collective over all PEs of the world, living and respawned: the world and its shared team can be
 * used again, and all have the heap's blocks of the PEs that lived. Other teams stay as they are. Returns
 * the same on all: 0; the number of PEs that have died in the call, which one PE respawns before all call
 * it again; or -1, with no effect, if shmemx_respawn was not called for some dead PE. Calls no handler. */
int shmemx_rejoin(void);

#ifdef __cplusplus
}
#endif

/* Their profiling interface. */

#ifdef __cplusplus
extern "C" {
#endif

/* Jobs that go on when a PE dies =============================================================== */

int pshmemx_failed_pes(int *list);

int pshmemx_pe_status(int pe);

void pshmemx_on_failure(shmemx_failure_handler_t handler, void *argument);

int pshmemx_agree(shmem_team_t team, uint64_t *flags);

int pshmemx_team_shrink(shmem_team_t team, shmem_team_t *new_team);

int pshmemx_lock_inherited(const long *lock);

int pshmemx_respawn(int pe);

int pshmemx_is_respawned(void);

int pshmemx_rejoin(void);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && __cplusplus < 201103L && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif

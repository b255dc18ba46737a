/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that go on when a PE dies: who has died, agreement and teams of those who live, and a way out
 * of calls that wait for the dead. With SHEAF_FAILURES=report; without it nobody dies alone.
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
 * place, which has not met the others in shmemx_rejoin() yet. */
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

/* Writes the numbers in the world of the PEs that are dead, ascending, to list, which has room for as
 * many as the world has and may be NULL; returns how many they are. PEs that were respawned count
 * until they have met the others in shmemx_rejoin. The program has heard of these deaths then: calls
 * that wait for a variable go on after it. */
int shmemx_failed_pes(int *list);

/* SHMEMX_PE_ALIVE, SHMEMX_PE_DEAD or SHMEMX_PE_RESPAWNED; -1 for a number that is no PE of the world. */
int shmemx_pe_status(int pe);

/* What the calling thread does from now on in a call that cannot end because a PE has died: handler is
 * called with argument, as a function of that thread, and must leave by siglongjmp() or longjmp().
 * NULL: the job ends, which is how threads begin. Such calls are
 * - collectives over a team that has lost a member, for good: those that had begun, and those that
 * begin after;
 * - waits for a variable, of the library's (not tests), once after each death: until shmemx_failed_pes
 * is called. Not among them are allocation and shmem_finalize, which the living do among themselves,
 * locks, and what this chapter has. The team must not be used after that but in shmemx_agree,
 * shmemx_team_shrink and shmem_team_destroy; for the world see shmemx_rejoin. The contents of the
 * call's buffers are undefined. */
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

/* Asks for a new process in the place of pe, which is dead: one of those that oshrun --spare keeps. It
 * runs the program from its start, on that PE's host, with its arguments and its number, and begins with
 * the dead one's symmetric heap as that left it; its variables begin as the program's. Where pe's host is
 * lost it runs on another one that has processes in reserve, as all PEs of that host do, with the
 * arguments of that one's; its heap is empty then: see shmemx_restore. One PE asks. Returns 0; nonzero
 * where none is in reserve, where pe is not dead, and where somebody has asked before. */
int shmemx_respawn(int pe);

/* Whether this process has taken a dead one's place. It must call shmemx_rejoin before any collective. */
int shmemx_is_respawned(void);

/* Collective over all PEs of the world, living and respawned: from here on the world and its shared
 * team are whole again, and the heap's blocks are those of the PEs that lived. Other teams stay as
 * they are. Returns 0; else, the same on all, the number of PEs that have died meanwhile: somebody
 * asks for these, and all call again. -1 on all where a PE is dead for which nobody has asked; nothing
 * has changed then. Calls no handler. */
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

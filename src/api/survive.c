/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that go on when a PE dies.
 */
#include "api/define.h"

#include "core/team/agree.h"
#include "core/team/history.h"
#include "survive/agree/agreement.h"
#include "survive/agree/shrink.h"
#include "survive/failed.h"
#include "survive/locks.h"
#include "survive/public_survive.h"
#include "survive/rejoin.h"

static int status_of(int pe)
{
    static const int statuses[] = {[SHEAF_PE_THERE] = SHMEMX_PE_ALIVE,
                                   [SHEAF_PE_DEAD] = SHMEMX_PE_DEAD,
                                   [SHEAF_PE_WANTED] = SHMEMX_PE_DEAD,
                                   [SHEAF_PE_STARTED] = SHMEMX_PE_RESPAWNED};
    return statuses[sheaf_failure_presence(pe)];
}

SHEAF_CHAPTER("Jobs that go on when a PE dies")

/* Writes the numbers in the world of the PEs that are dead, ascending, to list, which has room for as
 * many as the world has and may be NULL; returns how many they are. PEs that were respawned count
 * until they have met the others in shmemx_rejoin. The program has heard of these deaths then: calls
 * that wait for a variable go on after it. */
SHEAF_EXTENSION(int, failed_pes, (int *list), {
    sheaf_job_require(call);
    return sheaf_failure_list(list);
})

/* SHMEMX_PE_ALIVE, SHMEMX_PE_DEAD or SHMEMX_PE_RESPAWNED; -1 for a number that is no PE of the world. */
SHEAF_EXTENSION(int, pe_status, (int pe), {
    sheaf_job_require(call);
    return pe < 0 || pe >= sheaf_job.npes ? -1 : status_of(pe);
})

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
SHEAF_EXTENSION(void, on_failure, (shmemx_failure_handler_t handler, void *argument), {
    sheaf_job_require(call);
    sheaf_failure_set_handler(handler, argument);
})

/* Collective over the living members of team, which may have lost others before and may lose some in
 * the call. *flags becomes the bitwise and of the flags of all members that came, the same on all that
 * return. Returns how many members have died, by the same count on all that return: each that did not
 * come is counted; -1 for SHMEM_TEAM_INVALID. Where a member has met a death before and is in
 * shmemx_team_shrink already, all of those here return with flags of 0, and that one waits for them there.
 * Waits for no dead PE and calls no handler. Completes no other operation. */
SHEAF_EXTENSION(int, agree, (shmem_team_t team, uint64_t *flags), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_find(team, call);
    if (members == NULL)
        return -1;
    uint32_t deaths = sheaf_agreement(members, flags);
    return sheaf_failed_count_by(members, deaths);
})

/* Makes a team of the living members of team, in their order; its PE numbers have no gaps. Collective
 * over them. All get the same team; a member that dies meanwhile may be in it, and then it has failed.
 * Returns 0; nonzero on all of them, and SHMEM_TEAM_INVALID, where there is no memory, and for
 * SHMEM_TEAM_INVALID. Waits for no dead PE and calls no handler. */
SHEAF_EXTENSION(int, team_shrink, (shmem_team_t team, shmem_team_t *new_team), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_find(team, call);
    *new_team = SHMEM_TEAM_INVALID;
    return members == NULL ? -1 : sheaf_team_shrink(members, new_team);
})

/* The number of the PE that died with the lock, where the caller has taken it over from that one,
 * until it clears it: what the lock protects may be half written. -1 otherwise. */
SHEAF_EXTENSION(int, lock_inherited, (const long *lock), {
    sheaf_job_require(call);
    return sheaf_locks_inherited(lock);
})

/* Asks for a new process in the place of pe, which is dead: one of those that oshrun --spare keeps. It
 * runs the program from its start, on that PE's host, with its arguments and its number, and begins with
 * the dead one's symmetric heap as that left it; its variables begin as the program's. Where pe's host is
 * lost it runs on another one that has processes in reserve, as all PEs of that host do, with the
 * arguments of that one's; its heap is empty then: see shmemx_restore. One PE asks. Returns 0; nonzero
 * where none is in reserve, where pe is not dead, and where somebody has asked before. */
SHEAF_EXTENSION(int, respawn, (int pe), {
    sheaf_job_require(call);
    return pe < 0 || pe >= sheaf_job.npes ? -1 : sheaf_respawn(pe);
})

/* Whether this process has taken a dead one's place. It must call shmemx_rejoin before any collective. */
SHEAF_EXTENSION(int, is_respawned, (void), {
    sheaf_job_require(call);
    return sheaf_is_respawned();
})

/* Collective over all PEs of the world, living and respawned: from here on the world and its shared
 * team are whole again, and the heap's blocks are those of the PEs that lived. Other teams stay as
 * they are. Returns 0; else, the same on all, the number of PEs that have died meanwhile: somebody
 * asks for these, and all call again. -1 on all where a PE is dead for which nobody has asked; nothing
 * has changed then. Calls no handler. */
SHEAF_EXTENSION(int, rejoin, (void), {
    SHEAF_CALL(call);
    sheaf_job_require(call);
    return sheaf_rejoin();
})

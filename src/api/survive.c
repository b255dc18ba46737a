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

/* Writes the numbers of the dead PEs, ascending, to list, which has room for as many as the world has PEs
 * and may be NULL; returns how many they are. A respawned PE counts as dead until its shmemx_rejoin.
 * Waits for a variable no longer end because of these deaths: the program knows of them now. */
SHEAF_EXTENSION(int, failed_pes, (int *list), {
    sheaf_job_require(call);
    return sheaf_failure_list(list);
})

/* SHMEMX_PE_ALIVE, SHMEMX_PE_DEAD or SHMEMX_PE_RESPAWNED; -1 for a number that is no PE of the world. */
SHEAF_EXTENSION(int, pe_status, (int pe), {
    sheaf_job_require(call);
    return pe < 0 || pe >= sheaf_job.npes ? -1 : status_of(pe);
})

/* Sets what the calling thread does in a call that cannot end because a PE has died: the call runs handler
 * with argument in that thread, and handler must leave by siglongjmp() or longjmp(). NULL, the default:
 * the job ends. Such calls are
 * - collectives over a team that has lost a member, under way or called later;
 * - shmem_wait_until and its like (not tests), once after each death, until shmemx_failed_pes is called.
 * Allocation, shmem_finalize, locks and the calls of this chapter go on among the living PEs. The team may
 * then be used in shmemx_agree, shmemx_team_shrink and shmem_team_destroy only; for the world see
 * shmemx_rejoin. The contents of the call's buffers are undefined. */
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

/* Starts a new process, one of those of oshrun --spare, as the dead PE pe. It runs the program from its
 * start on the same host, with the same arguments and PE number, and has the dead PE's symmetric heap as
 * it was left; its variables have their first values. If that host is lost, all its PEs go to one other
 * host that has spare processes, with that host's arguments and an empty heap: see shmemx_restore. One PE
 * calls it. Returns 0; nonzero if no process is spare, pe is alive, or another PE has called before. */
SHEAF_EXTENSION(int, respawn, (int pe), {
    sheaf_job_require(call);
    return pe < 0 || pe >= sheaf_job.npes ? -1 : sheaf_respawn(pe);
})

/* Whether shmemx_respawn has started this process. It then must call shmemx_rejoin before collectives. */
SHEAF_EXTENSION(int, is_respawned, (void), {
    sheaf_job_require(call);
    return sheaf_is_respawned();
})

/* Collective over all PEs of the world, living and respawned: the world and its shared team can be
 * used again, and all have the heap's blocks of the PEs that lived. Other teams stay as they are. Returns
 * the same on all: 0; the number of PEs that have died in the call, which one PE respawns before all call
 * it again; or -1, with no effect, if shmemx_respawn was not called for some dead PE. Calls no handler. */
SHEAF_EXTENSION(int, rejoin, (void), {
    SHEAF_CALL(call);
    sheaf_job_require(call);
    return sheaf_rejoin();
})

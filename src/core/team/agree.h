/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_CHECK=args the members of a team must be in the same collective and pass the same arguments.
 * Otherwise the program ends with a line that says which PE differs, and in what. Each check is an
 * exchange of its own, so all collectives make their checks in one order: first the call, then its
 * arguments. On a PE that does not check arguments these functions do nothing.
 */
#ifndef SHEAF_CORE_TEAM_AGREE_H
#define SHEAF_CORE_TEAM_AGREE_H

#include "core/pe/job.h"
#include "core/team/team.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds out whether all PEs check arguments and have the same names of calls. Collective over world,
 * the team of all PEs. */
void sheaf_agree_init(struct sheaf_team *world);

/* Set before init. The function is called before each collective that the program calls, with its team
 * and name. */
typedef void sheaf_agree_visit(struct sheaf_team *team, const char *call);
void sheaf_agree_set_visit(sheaf_agree_visit *visit);

/* Whether the entry of a collective has anything to check: arguments, the heap, lost members, or a
 * function that sheaf_agree_set_visit() has set. */
extern SHEAF_HIDDEN bool sheaf_agree_is_checked;

void sheaf_agree_on_call_now(struct sheaf_team *team, const char *call);
void sheaf_agree_on_number_now(struct sheaf_team *team, const char *name, ptrdiff_t number);
void sheaf_agree_on_object_now(struct sheaf_team *team, const char *name, const void *object);

/* The entry of a collective: checks that the team has lost no member and that all members are in this
 * call. A collective that goes on among survivors (allocation, finalize) calls sheaf_agree_on_call()
 * only. */
void sheaf_agree_enter(struct sheaf_team *team, const char *call);

/* The team of a collective, as sheaf_team_find(), and the check of its entry. Ends the program, naming the
 * call, on SHMEM_TEAM_INVALID. */
struct sheaf_team *sheaf_team_require_now(shmem_team_t handle, const char *call);
static inline struct sheaf_team *sheaf_team_require(shmem_team_t handle, const char *call)
{
    if (sheaf_likely(handle == SHMEM_TEAM_WORLD && sheaf_job_is_initialized() && !sheaf_agree_is_checked))
        return &sheaf_world;
    return sheaf_team_require_now(handle, call);
}

/* Checks that all members are in this call. */
static inline void sheaf_agree_on_call(struct sheaf_team *team, const char *call)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_call_now(team, call);
}

/* Checks that all members pass this number to their call; name is the argument's. */
static inline void sheaf_agree_on_number(struct sheaf_team *team, const char *name, ptrdiff_t number)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_number_now(team, name, number);
}

/* Checks that all members pass the same symmetric object. Other checks find an object that is not
 * symmetric. */
static inline void sheaf_agree_on_object(struct sheaf_team *team, const char *name, const void *object)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_object_now(team, name, object);
}

#endif

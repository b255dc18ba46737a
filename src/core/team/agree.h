/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_CHECK=args: the members of a team are in the same collective and pass it the same
 * arguments, or the program ends with a line that says which PE differs, in what. Each check is an
 * exchange of its own, so collectives go through them in one order: the call first, then its
 * arguments. Where a PE does not check them they do nothing.
 */
#ifndef SHEAF_CORE_TEAM_AGREE_H
#define SHEAF_CORE_TEAM_AGREE_H

#include "core/team/team.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether all PEs check arguments, and have the same names of calls. Collective over world, the team of
 * all. */
void sheaf_agree_init(struct sheaf_team *world);

/* Before init: called with the team and the name of each collective that a program calls, before it
 * begins. */
typedef void sheaf_agree_visit(struct sheaf_team *team, const char *call);
void sheaf_agree_set_visit(sheaf_agree_visit *visit);

/* Whether there is anything to look at here: arguments, the heap, lost members, or a visit to make. */
extern SHEAF_HIDDEN bool sheaf_agree_is_checked;

void sheaf_agree_on_call_now(struct sheaf_team *team, const char *call);
void sheaf_agree_on_number_now(struct sheaf_team *team, const char *name, ptrdiff_t number);
void sheaf_agree_on_object_now(struct sheaf_team *team, const char *name, const void *object);

/* The entry of a collective: the team has lost no member, and all members are in this call. One that
 * survivors go on with (allocation, the end) has sheaf_agree_on_call() alone. */
void sheaf_agree_enter_now(struct sheaf_team *team, const char *call);
static inline void sheaf_agree_enter(struct sheaf_team *team, const char *call)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_enter_now(team, call);
}

/* All members are in this call. */
static inline void sheaf_agree_on_call(struct sheaf_team *team, const char *call)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_call_now(team, call);
}

/* All members pass this number to the call they are in; name says what it is. */
static inline void sheaf_agree_on_number(struct sheaf_team *team, const char *name, ptrdiff_t number)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_number_now(team, name, number);
}

/* All members pass the same symmetric object; one that is not symmetric is left to other checks. */
static inline void sheaf_agree_on_object(struct sheaf_team *team, const char *name, const void *object)
{
    if (sheaf_unlikely(sheaf_agree_is_checked))
        sheaf_agree_on_object_now(team, name, object);
}

#endif

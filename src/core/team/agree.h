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

#include <stddef.h>

/* Whether all PEs check arguments, and have the same names of calls. Collective over world, the team of
 * all. */
void sheaf_agree_init(struct sheaf_team *world);

/* All members are in this call. */
void sheaf_agree_on_call(struct sheaf_team *team, const char *call);

/* All members pass this number to the call they are in; name says what it is. */
void sheaf_agree_on_number(struct sheaf_team *team, const char *name, ptrdiff_t number);

/* All members pass the same symmetric object; one that is not symmetric is left to other checks. */
void sheaf_agree_on_object(struct sheaf_team *team, const char *name, const void *object);

#endif

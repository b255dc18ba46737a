/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated active sets as teams.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_ACTIVE_SET_H
#define SHEAF_CORE_TEAM_LISTED_ACTIVE_SET_H

#include "core/team/team.h"

/* The team of an active set, made at its first call and cached from then on. NULL on a PE outside the
 * set; at debug level such a call ends the program, naming the call. */
struct sheaf_team *sheaf_team_active_set(int start, int log_stride, int size, const char *call);

/* Called by init.c, before sheaf_team_fini. */
void sheaf_active_sets_fini(void);

#endif

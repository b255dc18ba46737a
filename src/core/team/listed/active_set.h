/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated active sets as teams.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_ACTIVE_SET_H
#define SHEAF_CORE_TEAM_LISTED_ACTIVE_SET_H

#include "core/team/team.h"

/* The team of a set; made by its first member to call, cached since. NULL on a PE outside the set; at debug
 * level its call ends the program by name. */
struct sheaf_team *sheaf_team_active_set(int start, int log_stride, int size, const char *call);

/* By init.c, before sheaf_team_fini. */
void sheaf_active_sets_fini(void);

#endif

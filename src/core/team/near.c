/* SPDX-License-Identifier: BSD-3-Clause
 * See near.h.
 */
#include "core/team/near.h"

#include <stdio.h>

void sheaf_near_describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    if (team->predefined)
        snprintf(text, size, "the %s team", team->node_domain ? "shared" : "world");
    else
        snprintf(text, size, "a team of %d PEs: %d, %d, ...", team->size,
                 sheaf_team_world_pe(team, 0), sheaf_team_world_pe(team, 1));
}

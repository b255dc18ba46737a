/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that members of a team on other hosts get, by messages. Collective over the team, whose members are
 * on several nodes.
 */
#ifndef SHEAF_SNAPSHOT_CARRY_H
#define SHEAF_SNAPSHOT_CARRY_H

#include "core/team/team.h"
#include "snapshot/file/reason.h"

#include <stdint.h>

/* One file on its way, of which all members know but the descriptor: that is of the file to read on the
 * member that sends, and of an empty one on the member that receives. -1: that member could not open it. */
struct sheaf_carried {
    int from, to; /* ranks, on different nodes */
    int fd;
    uint64_t length;
};

/* All of them at the same time, in pieces. why: what failed here; the others are not kept waiting. */
void sheaf_carry(struct sheaf_team *team, const struct sheaf_carried *files, int count,
                 struct sheaf_snapshot_reason *why);

#endif

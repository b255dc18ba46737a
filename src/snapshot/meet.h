/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What snapshot and restore share: the members say together whether one of them has failed.
 */
#ifndef SHEAF_SNAPSHOT_MEET_H
#define SHEAF_SNAPSHOT_MEET_H

#include "core/team/team.h"
#include "snapshot/file/format.h"
#include "snapshot/file/reason.h"

/* Collective: -1 on all where why has a text on one: the first says "call: doing DIR/TAG: why". */
int sheaf_snapshot_meet(struct sheaf_team *team, const struct sheaf_snapshot_reason *why, const char *call,
                        const char *doing);

/* Collective: rank 0's. */
struct sheaf_snapshot_id sheaf_snapshot_share_id(struct sheaf_team *team,
                                                 const struct sheaf_snapshot_id *mine);

/* Collective: what all members have started, on whatever context, is complete. */
void sheaf_snapshot_settle(struct sheaf_team *team);

#endif

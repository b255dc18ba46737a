/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of symmetric memory as programs and the environment ask for them. Collective.
 */
#ifndef SHEAF_SNAPSHOT_SNAPSHOT_H
#define SHEAF_SNAPSHOT_SNAPSHOT_H

#include "base/settings/env.h"
#include "core/team/team.h"

/* Writes DIR/TAG. 0, or -1 on all members; one of them has printed why. dir NULL: SHEAF_SNAPSHOT_DIR. */
int sheaf_snapshot_take(struct sheaf_team *team, const char *dir, const char *tag, const char *call);

/* The contents of DIR/TAG, or of DIR without a tag, become those of symmetric memory. 0; 1 where dir is
 * NULL and SHEAF_RESTART not set; -1 on all members, and nothing has changed, and one of them has printed
 * why. */
int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call);

/* At the first snapshot, the first restore of what SHEAF_RESTART names, or the end: says once that the
 * job has not begun from there, unless it has. */
void sheaf_snapshot_settle_restart(bool is_restored);

/* Before init: what SHEAF_SNAPSHOT_EVERY and SHEAF_SNAPSHOT_SIGNAL ask for. -1, and the reason is
 * printed. */
int sheaf_snapshot_prepare(const struct sheaf_settings *settings);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of symmetric memory, for programs and settings. Collective.
 */
#ifndef SHEAF_SNAPSHOT_SNAPSHOT_H
#define SHEAF_SNAPSHOT_SNAPSHOT_H

#include "base/settings/env.h"
#include "core/team/team.h"

#include <stdbool.h>

/* Writes DIR/TAG. Returns 0, or -1 on all members, one of which has printed the reason. dir NULL:
 * SHEAF_SNAPSHOT_DIR. */
int sheaf_snapshot_take(struct sheaf_team *team, const char *dir, const char *tag, const char *call);

/* Restores symmetric memory from DIR/TAG, or from DIR without a tag. Returns 0; 1 where dir is NULL and
 * SHEAF_RESTART not set; -1 on all members, with nothing changed, one of which has printed the reason. */
int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call);

/* Called at the first snapshot, the first restore of SHEAF_RESTART, and the end. Warns once where
 * SHEAF_RESTART is set and the job has not been restored from it. */
void sheaf_snapshot_check_restart(bool is_restored);

/* Whether this PE has called for a snapshot, or for the restore of one. */
bool sheaf_snapshot_is_used(void);

/* Called before init: prepares for SHEAF_SNAPSHOT_EVERY and SHEAF_SNAPSHOT_SIGNAL. Returns -1 with the
 * reason printed. */
int sheaf_snapshot_prepare(const struct sheaf_settings *settings);

#endif

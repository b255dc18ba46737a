/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --snapshot-dir, --snapshot-every, --snapshot-signal and --restart: the variables for the PEs, and the
 * parts of a snapshot that decide how the PEs are started.
 */
#ifndef SHEAF_OSHRUN_SNAPSHOT_H
#define SHEAF_OSHRUN_SNAPSHOT_H

#include "oshrun/command/options.h"

/* Makes the folder where it is missing, and passes it to the PEs by the variable. Prints the reason and
 * ends oshrun where it cannot be used. */
void sheaf_snapshot_set_folder(const char *option, const char *folder, const char *variable);

void sheaf_snapshot_set_dir(const char *option, const char *folder);
void sheaf_snapshot_set_every(const char *option, const char *seconds);
void sheaf_snapshot_set_signal(const char *option, const char *name);

/* Ends oshrun where snapshots are asked for and have no folder.
 * Uses the snapshot that --restart names, or the newest one in that folder. The job gets its number of
 * PEs and its heap size, unless options give others. Where each host may have a folder of its own
 * (SHEAF_BUDDY=on) and this host has none, the PEs find theirs. */
void sheaf_snapshot_restart(struct options *options);

/* Called once the programs are known: makes their addresses the same in every run where a snapshot may
 * need it. */
void sheaf_snapshot_settle(struct options *options);

#endif

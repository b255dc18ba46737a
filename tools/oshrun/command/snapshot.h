/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --snapshot-dir, --snapshot-every, --snapshot-signal and --restart: what the PEs are told, by variables,
 * and what of a snapshot decides how they are started.
 */
#ifndef SHEAF_OSHRUN_SNAPSHOT_H
#define SHEAF_OSHRUN_SNAPSHOT_H

#include "oshrun/command/options.h"

/* Makes the folder where it is missing, and lets the PEs know it by the variable. Prints the reason and
 * ends where it cannot be used. */
void sheaf_snapshot_set_folder(const char *option, const char *folder, const char *variable);

void sheaf_snapshot_set_dir(const char *option, const char *folder);
void sheaf_snapshot_set_every(const char *option, const char *seconds);
void sheaf_snapshot_set_signal(const char *option, const char *name);

/* The snapshot that --restart names, or the newest of those in it: its number of PEs and heap are those of
 * the job where nothing else was asked for. Where each host may have its own (SHEAF_BUDDY=on) and this one
 * has none, the PEs find theirs. */
void sheaf_snapshot_restart(struct options *options);

/* Once the programs are known: their addresses are to be the same in every run where a snapshot may need
 * it. */
void sheaf_snapshot_settle(struct options *options);

#endif

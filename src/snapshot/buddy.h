/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_BUDDY=on: each host has a folder of its own for snapshots, in its memory or on its disk. The
 * folder holds the files of the host's PEs, and copies of the files of the previous host's PEs. So one
 * host may be lost. Files are sent to other hosts by messages, which is collective over the team.
 */
#ifndef SHEAF_SNAPSHOT_BUDDY_H
#define SHEAF_SNAPSHOT_BUDDY_H

#include "core/team/team.h"
#include "snapshot/circle.h"
#include "snapshot/file/folder.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The transfer of one file. All members know it, except the descriptor: on the sending member it is the
 * file to read, and on the receiving member an empty file. -1: that member could not open it. */
struct sheaf_file_transfer {
    int from, to; /* ranks, on different nodes */
    int fd;
    uint64_t length;
};

/* Transfers all files at the same time, in pieces. why: the failure of this member; it does not delay
 * the others. */
void sheaf_transfer_files(struct sheaf_team *team, const struct sheaf_file_transfer *files, int count,
                          struct sheaf_snapshot_reason *why);

/* is_asked_for: whether the setting is on. is_on: whether also the team is on several hosts. */
bool sheaf_buddy_is_asked_for(void);
bool sheaf_buddy_is_on(const struct sheaf_team *team);

/* Whether this member is its host's lowest, which makes the host's folder. */
bool sheaf_buddy_leads(const struct sheaf_team *team);

/* The folder that DIR names on this host: with SHEAF_BUDDY=on the host's name replaces %h. Returns -1
 * with the reason. */
int sheaf_buddy_name_dir(char path[PATH_MAX], const char *dir, struct sheaf_snapshot_reason *why);

/* Collective: copies each member's file of the folder being written to another host, durably. */
void sheaf_buddy_copy(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                      struct sheaf_snapshot_reason *why);

/* For search.h: the cyclic order of the team's hosts; a member's file with its length; zeroed memory,
 * without which the job ends. */
void sheaf_buddy_make_circle(const struct sheaf_team *team, struct sheaf_circle *circle);
int sheaf_buddy_open_file(const struct sheaf_team *team, int folder, int rank, uint64_t *length,
                          struct sheaf_snapshot_reason *why);
void *sheaf_buddy_allocate(size_t bytes);

#endif

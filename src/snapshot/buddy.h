/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_BUDDY=on: each host has a folder of its own for snapshots, in its memory or on its disk. There lie
 * the files of its PEs, and copies of those of the PEs of the host before it. So a host may be lost.
 * Files travel to other hosts by messages; that is collective over the team.
 */
#ifndef SHEAF_SNAPSHOT_BUDDY_H
#define SHEAF_SNAPSHOT_BUDDY_H

#include "core/team/team.h"
#include "snapshot/circle.h"
#include "snapshot/file/folder.h"

#include <limits.h>
#include <stdbool.h>
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

/* Whether it is asked for; and the team is on several hosts, too. */
bool sheaf_buddy_is_asked_for(void);
bool sheaf_buddy_is_on(const struct sheaf_team *team);

/* Whether this member makes its host's folder: the lowest there. */
bool sheaf_buddy_leads(const struct sheaf_team *team);

/* The folder that DIR means here: with SHEAF_BUDDY=on the host's name replaces %h. -1, and why. */
int sheaf_buddy_name_dir(char path[PATH_MAX], const char *dir, struct sheaf_snapshot_reason *why);

/* Collective: each member's file of the folder under way is copied to another host's, durable. */
void sheaf_buddy_copy(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                      struct sheaf_snapshot_reason *why);

/* For search.h. The team's hosts; a member's file, and its length; memory of zeros, or the job ends. */
void sheaf_buddy_make_circle(const struct sheaf_team *team, struct sheaf_circle *circle);
int sheaf_buddy_open_file(const struct sheaf_team *team, int folder, int rank, uint64_t *length,
                          struct sheaf_snapshot_reason *why);
void *sheaf_buddy_allocate(size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A restore with SHEAF_BUDDY=on: finds a snapshot that is complete on all hosts together, and an undamaged
 * copy of each member's file. Collective, except _publish and _end; all members compute the same result
 * from the data that they have exchanged.
 */
#ifndef SHEAF_SNAPSHOT_SEARCH_H
#define SHEAF_SNAPSHOT_SEARCH_H

#include "core/team/team.h"
#include "snapshot/circle.h"
#include "snapshot/file/folder.h"

#include <stdbool.h>

struct sheaf_search {
    struct sheaf_team *team;
    const char *dir, *tag;
    struct sheaf_circle circle;
    size_t width;        /* bytes of a row */
    unsigned char *rows; /* by host, as circle.leaders: a bit for each rank whose file is there, judged by
                            its header */
    int folder;          /* this host's folder; -1: it has none */
    struct sheaf_snapshot_folder part; /* the same, where it has a temporary name; else .part is -1 */
    int file;            /* this member's file where another host has sent it, or -1; a function that takes
                            it over sets -1 */
    struct sheaf_manifest manifest;
};

/* Finds a snapshot of which some host has each member's file. The contents of the files are not yet
 * checked. */
void sheaf_search_begin(struct sheaf_search *search, struct sheaf_team *team, const char *dir,
                        const char *tag, struct sheaf_snapshot_reason *why);

/* mine: why this member's file cannot be used, or "". Where each damaged file has a copy on another
 * host, the copies are sent, and one member prints a line: returns true, with mine "" again, since the
 * copies must be checked. */
bool sheaf_search_replace(struct sheaf_search *search, struct sheaf_snapshot_reason *mine,
                          const char *call);

/* Called on the leaders once the snapshot is restored: gives a folder with a temporary name its name.
 * -1: it still has the temporary one. */
int sheaf_search_publish(struct sheaf_search *search);

void sheaf_search_end(struct sheaf_search *search);

#endif

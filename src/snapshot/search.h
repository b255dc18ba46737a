/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A restore with SHEAF_BUDDY=on: a snapshot that all hosts together have whole, and of each member's file a
 * copy that is undamaged. Collective, but for _settle and _end; all members compute the same from what they
 * have told each other.
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
    unsigned char *rows; /* by host, as circle.leaders: a bit for each rank whose file is there, as far as
                            its header tells */
    int folder;          /* this host's; -1: it has none */
    struct sheaf_snapshot_folder part; /* the same, where it has no name; .part -1: it has one */
    int file;            /* this member's where another host has sent it, or -1; whoever takes it sets -1 */
    struct sheaf_manifest manifest;
};

/* A snapshot of which some host has each member's file. Nothing of the files' contents has been checked. */
void sheaf_search_begin(struct sheaf_search *search, struct sheaf_team *team, const char *dir,
                        const char *tag, struct sheaf_snapshot_reason *why);

/* mine: why this member's file cannot be used, or "". Where another host has a copy of each damaged one,
 * those are sent, and one member says so: true, and mine is "" again, for the copies are to be checked. */
bool sheaf_search_replace(struct sheaf_search *search, struct sheaf_snapshot_reason *mine,
                          const char *call);

/* Once it is restored, on the members that lead: gives the folder its name. -1: it has none yet. */
int sheaf_search_settle(struct sheaf_search *search);

void sheaf_search_end(struct sheaf_search *search);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One PE's symmetric state to a file and back: format.h has the file. Nothing here is collective, and
 * nothing prints.
 */
#ifndef SHEAF_SNAPSHOT_PE_FILE_H
#define SHEAF_SNAPSHOT_PE_FILE_H

#include "snapshot/file/folder.h"
#include "snapshot/file/format.h"

#include <stdbool.h>

/* Writes this PE's state to a file of that name in the folder under way, durable; no thread writes
 * symmetric memory meanwhile. Where the snapshot that is to be replaced is the one that this process has
 * taken last, its files are linked beside it, and the new one has what has changed since, unless it is to
 * be whole. */
int sheaf_snapshot_write(const struct sheaf_snapshot_folder *folder, const char *name,
                         const struct sheaf_snapshot_id *id, bool whole, struct sheaf_snapshot_reason *why);

/* The snapshot is in its place: later ones may add to it. */
void sheaf_snapshot_written(void);

/* This PE's files of a snapshot, which are being read: opened by _open, which checks that all of them are
 * there and undamaged, that they are of this PE of this program and each of the one before, and that their
 * addresses are those of this process. id: of which snapshot they must be. newest: its descriptor where
 * that file is not in the folder, which the files own then; else -1. exactly: the same blocks exist
 * already. */
struct sheaf_snapshot_file {
    int fd;
    struct sheaf_snapshot_header header;
    struct sheaf_snapshot_extent *table;
    uint64_t extents;
};
struct sheaf_snapshot_files {
    struct sheaf_snapshot_file list[SHEAF_SNAPSHOT_PARTS + 1]; /* the whole one first, the newest last */
    int count;
    void *state;
};
int sheaf_snapshot_open(struct sheaf_snapshot_files *files, int folder, int newest,
                        const struct sheaf_snapshot_id *id, bool exactly,
                        struct sheaf_snapshot_reason *why);
void sheaf_snapshot_close(struct sheaf_snapshot_files *files);

/* Whether the folder has PE pe's file of that snapshot, as far as its header and its length tell. */
bool sheaf_snapshot_has_file(int folder, int pe, const struct sheaf_snapshot_id *id);

/* Gives symmetric memory the contents that the files have; nobody else writes it meanwhile. -1: it has some
 * of them, and the process cannot go on. */
int sheaf_snapshot_load(const struct sheaf_snapshot_files *files, struct sheaf_snapshot_reason *why);

#endif

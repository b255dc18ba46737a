/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes one PE's symmetric state to a file, and reads it back; format.h has the format. Nothing here is
 * collective or prints.
 */
#ifndef SHEAF_SNAPSHOT_PE_FILE_H
#define SHEAF_SNAPSHOT_PE_FILE_H

#include "snapshot/file/folder.h"
#include "snapshot/file/format.h"

#include <stdbool.h>

/* Writes this PE's state to a file of that name in the folder being written, durably. No thread may
 * write symmetric memory meanwhile. Where the snapshot that is being replaced is the last one that this
 * process has taken, its files are linked beside the new one, which contains only the changes since,
 * unless full is set. */
int sheaf_snapshot_write(const struct sheaf_snapshot_folder *folder, const char *name,
                         const struct sheaf_snapshot_id *id, bool full, struct sheaf_snapshot_reason *why);

/* Called once the snapshot has its name: later ones may be incremental to it. */
void sheaf_snapshot_written(void);

/* This PE's files of a snapshot, for reading. _open checks that all of them exist and are undamaged,
 * that they belong to this PE of this program and each to the one before, and that their addresses are
 * those of this process. id: the snapshot that they must belong to. newest: the descriptor of the
 * newest file where that is not in the folder; the files then own it; else -1. exactly: the same blocks
 * exist already. */
struct sheaf_snapshot_file {
    int fd;
    struct sheaf_snapshot_header header;
    struct sheaf_snapshot_extent *table;
    uint64_t extents;
};
struct sheaf_snapshot_files {
    struct sheaf_snapshot_file list[SHEAF_SNAPSHOT_PARTS + 1]; /* the full one first, the newest last */
    int count;
    void *state;
};
int sheaf_snapshot_open(struct sheaf_snapshot_files *files, int folder, int newest,
                        const struct sheaf_snapshot_id *id, bool exactly,
                        struct sheaf_snapshot_reason *why);
void sheaf_snapshot_close(struct sheaf_snapshot_files *files);

/* Whether the folder has PE pe's file of that snapshot, judged by its header and its length. */
bool sheaf_snapshot_has_file(int folder, int pe, const struct sheaf_snapshot_id *id);

/* Restores the contents of symmetric memory from the files; no other process may write it meanwhile.
 * -1: only some of it is restored, and the process cannot go on. */
int sheaf_snapshot_load(const struct sheaf_snapshot_files *files, struct sheaf_snapshot_reason *why);

#endif

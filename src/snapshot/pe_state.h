/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One PE's symmetric state to a file and back: format.h has the file. A file is any descriptor that can be
 * read at a place, one in memory too. Nothing here is collective but the last function, and nothing prints.
 */
#ifndef SHEAF_SNAPSHOT_PE_STATE_H
#define SHEAF_SNAPSHOT_PE_STATE_H

#include "snapshot/format.h"
#include "snapshot/reason.h"

#include <stdbool.h>

/* Writes this PE's state to an empty file; no thread writes symmetric memory meanwhile. Durable once the
 * caller has it so. *bytes: of the file. */
int sheaf_snapshot_write(int fd, const struct sheaf_snapshot_id *id, uint64_t *bytes,
                         struct sheaf_snapshot_reason *why);

/* A file that is being read: opened by _open, which checks that all of it is there and undamaged, that it
 * is of this PE of this program, and that its addresses are those of this process; closed by _close, but
 * for its descriptor. id: of which snapshot it must be; NULL: of any. exactly: the same blocks exist
 * already. */
struct sheaf_snapshot_file {
    int fd;
    struct sheaf_snapshot_header header;
    struct sheaf_snapshot_extent *table;
    uint64_t extents;
    void *state;
};
int sheaf_snapshot_open(struct sheaf_snapshot_file *file, int fd, const struct sheaf_snapshot_id *id,
                        bool exactly, struct sheaf_snapshot_reason *why);
void sheaf_snapshot_close(struct sheaf_snapshot_file *file);

/* Gives symmetric memory the contents that the file has; nobody else writes it meanwhile. -1: it has some
 * of them, and the process cannot go on. */
int sheaf_snapshot_load(const struct sheaf_snapshot_file *file, struct sheaf_snapshot_reason *why);

#endif

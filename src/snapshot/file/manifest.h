/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The manifest of a snapshot: a few lines of text, "name value", that say what it is of. PE 0 writes it
 * last; restores, oshrun and oshdump read it. What a failed job has left has one too, which oshrun writes.
 */
#ifndef SHEAF_SNAPSHOT_FILE_MANIFEST_H
#define SHEAF_SNAPSHOT_FILE_MANIFEST_H

#include "snapshot/file/folder.h"
#include "snapshot/file/format.h"
#include "snapshot/file/reason.h"

struct sheaf_manifest {
    struct sheaf_snapshot_id id;
    int npes;            /* of the world */
    int start, stride, size; /* whose PEs it has */
    uint64_t heap;       /* bytes that may be handed out */
    char build_id[40];   /* of the program, hexadecimal, or "" */
    enum sheaf_snapshot_kind kind;
};

/* To a new file of the folder, durable. */
int sheaf_manifest_write(int folder, const struct sheaf_manifest *manifest,
                         struct sheaf_snapshot_reason *why);

/* Of either kind. Numbers are within their ranges. */
int sheaf_manifest_read(int folder, struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

/* Whether a job can go on from it. */
int sheaf_manifest_require_taken(const struct sheaf_manifest *manifest, struct sheaf_snapshot_reason *why);

#endif

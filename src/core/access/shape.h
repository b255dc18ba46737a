/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An n-dimensional set of blocks at both ends of a transfer. The caller's arguments are checked and turned
 * into rows of blocks.
 */
#ifndef SHEAF_CORE_ACCESS_SHAPE_H
#define SHEAF_CORE_ACCESS_SHAPE_H

#include "core/pe/public_extensions.h"
#include "engine/engine.h"

#include <stdbool.h>

#define SHEAF_SHAPE_LEVELS (SHMEMX_MAX_DIMS - 1)

/* The caller's description: counts[0] bytes are contiguous, and counts[i + 1] units of the level below
 * lie strides[i] bytes apart. */
struct sheaf_shape_call {
    const ptrdiff_t *dest_strides;
    const ptrdiff_t *source_strides;
    const size_t *counts;
    int dims;
};

/* The same without levels of one unit, and without levels that are contiguous at both ends. */
struct sheaf_shape {
    size_t block_bytes; /* 0: there is nothing to do */
    int levels;
    struct sheaf_level {
        size_t count; /* 2 or more */
        ptrdiff_t dest_stride;
        ptrdiff_t source_stride;
    } level[SHEAF_SHAPE_LEVELS];
};

/* Ends the program with a line about call where the arguments make no sense. */
void sheaf_shape_read(struct sheaf_shape *shape, const struct sheaf_shape_call *given,
                      const char *call);

/* The bytes that the destination or the source covers: low is the first one's offset from its address. */
struct sheaf_extent {
    ptrdiff_t low;
    size_t bytes;
};
struct sheaf_extent sheaf_shape_extent(const struct sheaf_shape *shape, bool of_source);

/* Called by a walk for each row. The shape is not empty. */
typedef void sheaf_row_action(void *context, const struct sheaf_row *row);
void sheaf_shape_walk(const struct sheaf_shape *shape, void *dest, const void *source,
                      sheaf_row_action *action, void *context);

#endif

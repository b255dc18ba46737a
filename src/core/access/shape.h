/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An n-dimensional set of blocks at both ends of a transfer: from what a caller passes, checked, to
 * rows of blocks.
 */
#ifndef SHEAF_CORE_ACCESS_SHAPE_H
#define SHEAF_CORE_ACCESS_SHAPE_H

#include "core/pe/public_extensions.h"
#include "engine/engine.h"

#include <stdbool.h>

#define SHEAF_SHAPE_LEVELS (SHMEMX_MAX_DIMS - 1)

/* As a caller gives it: counts[0] bytes are contiguous, and counts[i + 1] of what lies below are
 * strides[i] bytes apart. */
struct sheaf_shape_call {
    const ptrdiff_t *dest_strides;
    const ptrdiff_t *source_strides;
    const size_t *counts;
    int dims;
};

/* The same without levels of one, and without those that are contiguous at both ends. */
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

/* Where the destination, or the source, lies around its address: from low on, so many bytes. */
struct sheaf_extent {
    ptrdiff_t low;
    size_t bytes;
};
struct sheaf_extent sheaf_shape_extent(const struct sheaf_shape *shape, bool of_source);

/* What a walk does with each row; the shape is not empty. */
typedef void sheaf_row_action(void *context, const struct sheaf_row *row);
void sheaf_shape_walk(const struct sheaf_shape *shape, void *dest, const void *source,
                      sheaf_row_action *action, void *context);

#endif

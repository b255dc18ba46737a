/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which addresses are symmetric: the segments of sheaf_image, where the variables' has gaps, and memory
 * spaces.
 */
#ifndef SHEAF_CORE_MEMORY_SYMMETRIC_H
#define SHEAF_CORE_MEMORY_SYMMETRIC_H

#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>

/* The segment that the byte at local lies in; NULL where it is not symmetric. */
const struct sheaf_segment *sheaf_symmetric_segment(const void *local);

/* Whether it is symmetric on every PE of the world, as data and heap are; and whether pe, one of them,
 * has a copy, also of what lies in a memory space. */
bool sheaf_symmetric_in_world(const void *local);
bool sheaf_symmetric_on(const void *local, int pe);

/* Which of them a segment is: data and heap are 0 and 1, spaces follow. */
int sheaf_symmetric_kind(const struct sheaf_segment *segment);

/* Whether the whole range lies in one piece of data or heap: nearly always, and quickly told. */
bool sheaf_symmetric_is_plain(const void *local, size_t bytes);

/* Where it lies in symmetric memory: for the same object the same number on every PE, above 0; different
 * ones for different objects. 0 where it is not symmetric. */
ptrdiff_t sheaf_symmetric_position(const void *local);

/* symmetric_require.c. Each ends the program with a line that names call and address where [local, local
 * + bytes) is not symmetric. The first looks at both ends alone, the second with SHEAF_CHECK=args, which
 * it tests, at every byte and at the blocks of the heap. */
void sheaf_symmetric_require_ends(const void *local, size_t bytes, const char *call);
void sheaf_symmetric_require(const void *local, size_t bytes, const char *call);

/* What the call writes begins at no constant. */
void sheaf_symmetric_require_variable(const void *dest, size_t bytes, const char *call);

/* At every level: within one block or variable. */
void sheaf_symmetric_require_object(const void *local, size_t bytes, const char *call);

#endif

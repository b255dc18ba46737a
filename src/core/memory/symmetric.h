/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric addresses: those in the segments of sheaf_image, where the variables' segment has gaps, and in
 * memory spaces.
 */
#ifndef SHEAF_CORE_MEMORY_SYMMETRIC_H
#define SHEAF_CORE_MEMORY_SYMMETRIC_H

#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The segment that the byte at local lies in; NULL where it is not symmetric. */
const struct sheaf_segment *sheaf_symmetric_segment(const void *local);

/* in_world: whether local is symmetric on every PE, as data and heap are. on: whether pe has a copy of
 * it, also of memory in a space. */
bool sheaf_symmetric_in_world(const void *local);
bool sheaf_symmetric_on(const void *local, int pe);

/* The number of a segment: 0 for data and 1 for the heap; spaces follow. */
int sheaf_symmetric_kind(const struct sheaf_segment *segment);

/* Whether the whole range lies in one piece of data or heap, which is nearly always so and quickly
 * found. */
bool sheaf_symmetric_is_plain(const void *local, size_t bytes);

/* The position in symmetric memory: the same number above 0 on every PE for one object, and different
 * numbers for different objects. 0 where local is not symmetric. */
ptrdiff_t sheaf_symmetric_position(const void *local);

/* The address in PE pe of its own copy of local; 0 where it has none. And the way back: the address here of
 * what PE pe has at address; NULL where that is not symmetric. pe is a PE's number. No lock is taken; for a
 * PE of another node the first call may ask the launcher where its memory begins. */
uint64_t sheaf_symmetric_to_owner(const void *local, int pe);
void *sheaf_symmetric_from_owner(const void *address, int pe);

/* symmetric_require.c. Each ends the program with a line that names call and address where [local,
 * local + bytes) is not symmetric. The first checks only the two ends. The second checks, with
 * SHEAF_CHECK=args, every byte and the blocks of the heap. */
void sheaf_symmetric_require_ends(const void *local, size_t bytes, const char *call);
void sheaf_symmetric_require(const void *local, size_t bytes, const char *call);

/* Ends the program where dest, which the call writes, begins in a constant. */
void sheaf_symmetric_require_variable(const void *dest, size_t bytes, const char *call);

/* Checks at every level that the range lies within one block or variable. */
void sheaf_symmetric_require_object(const void *local, size_t bytes, const char *call);

#endif

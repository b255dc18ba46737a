/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large copies that go past the caches: stores that do not read the line they fill, and that leave
 * the cache to others. memcpy first loads every line of dest, a third of the traffic to memory; where
 * source and dest fit the cache it is faster nevertheless. Each processor's loops are in a file of
 * its name. Knows no PE; how large is large is the caller's choice.
 */
#ifndef SHEAF_BASE_STREAM_H
#define SHEAF_BASE_STREAM_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stddef.h>

/* What the loops are given: dest begins a line, bytes is a number of steps. */
#define SHEAF_STREAM_LINE 64
#define SHEAF_STREAM_STEP 128

/* One loop. Stores of the caller before and after it stay before and after all of its own, for
 * whoever sees them: such stores have no order by themselves. */
struct sheaf_stream_way {
    const char *name;
    bool (*is_here)(void); /* whether this processor, under this kernel, can */
    void (*copy)(char *dest, const char *source, size_t bytes);
};

/* The processor's ways, the best one first; the last one's name is NULL. */
extern const struct sheaf_stream_way sheaf_stream_ways[];

/* Copies of so many bytes and more go past the caches; SIZE_MAX: none. Written at initialization. */
extern SHEAF_HIDDEN size_t sheaf_stream_from;

/* The best way that is here, or NULL: what sheaf_stream_copy uses. */
const struct sheaf_stream_way *sheaf_stream_way(void);

/* memcpy past the caches, of any alignment and length; only where there is a way. */
void sheaf_stream_copy(void *dest, const void *source, size_t bytes);

/* The same by a given way. */
void sheaf_stream_copy_by(const struct sheaf_stream_way *way, void *dest, const void *source,
                          size_t bytes);

#endif

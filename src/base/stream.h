/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large copies other than memcpy's. Some go past the caches: by stores that do not read the line they
 * fill, and that leave the cache to others. memcpy first loads every line of dest, a third of the
 * traffic to memory; where source and dest fit the cache it is faster nevertheless. Some go through
 * the caches by the processor's wide registers: libc may copy by REP MOVSB from 2 KiB on, which takes
 * 1.6 times as long for 32 to 256 KiB in the second-level cache (Intel Xeon, Cascade Lake). Each
 * processor's loops are in a file of its name. Knows no PE; which way a copy goes is the caller's
 * choice.
 */
#ifndef SHEAF_BASE_STREAM_H
#define SHEAF_BASE_STREAM_H

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

/* The processor's ways past the caches, and those through them, the best one first; the last one's
 * name is NULL. */
extern const struct sheaf_stream_way sheaf_stream_ways[], sheaf_vector_ways[];

/* The best way that is here, or NULL: what sheaf_stream_copy uses. */
const struct sheaf_stream_way *sheaf_stream_way(void);

/* memcpy past the caches, of any alignment and length; only where there is a way. */
void sheaf_stream_copy(void *dest, const void *source, size_t bytes);

/* The same by a given way. */
void sheaf_stream_copy_by(const struct sheaf_stream_way *way, void *dest, const void *source,
                          size_t bytes);

/* memcpy through the caches by wide registers, of any alignment and length; only where there is one:
 * NULL. */
const struct sheaf_stream_way *sheaf_vector_way(void);
void sheaf_vector_copy(void *dest, const void *source, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copy behind put, get and the collectives, where one end is another PE's memory. It goes through
 * registers or by memcpy. A long one goes the way that is fastest here, or that a setting names: by
 * memcpy, by wide registers, or past the caches (base/stream.h).
 */
#ifndef SHEAF_CORE_ACCESS_COPY_COPY_H
#define SHEAF_CORE_ACCESS_COPY_COPY_H

#include "base/atomic.h"
#include "base/settings/env.h"
#include "core/access/copy/way.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* sheaf_copy for lengths that fit no register. */
void sheaf_copy_many(void *dest, const void *source, size_t bytes);

/* A length that fits a register is one load and one store. memcpy would store the two ends of a short
 * range, so one element twice: a peer that has seen a flag and reset it could lose the reset to the
 * second store. memcpy also takes 1.6 ns more. With 0 bytes both pointers may be null. */
static inline __attribute__((always_inline)) void sheaf_copy(void *dest, const void *source,
                                                             size_t bytes)
{
    if (bytes > 8)
        sheaf_copy_many(dest, source, bytes);
    else if (bytes == 8)
        memcpy(dest, source, 8);
    else if (bytes == 4)
        memcpy(dest, source, 4);
    else if (bytes == 2)
        memcpy(dest, source, 2);
    else if (bytes != 0)
        sheaf_copy_many(dest, source, bytes);
}

/* The same for a nonblocking put or get: the copier makes a long copy, where there is a copier. */
extern SHEAF_HIDDEN size_t sheaf_copy_nbi_from;
void sheaf_copy_many_nbi(void *dest, const void *source, size_t bytes);

static inline __attribute__((always_inline)) void sheaf_copy_nbi(void *dest, const void *source,
                                                                 size_t bytes)
{
    if (sheaf_unlikely(bytes > 8))
        sheaf_copy_many_nbi(dest, source, bytes);
    else
        sheaf_copy(dest, source, bytes);
}

/* For elements of 1, 2, 4, 8 and 16 bytes: from this many elements on, a copy is long, or the
 * copier's, or exceeds an address space. Before init chooses the lengths they are 0, so that every
 * copy counts as long. */
#define SHEAF_COPY_SIZES 5
extern SHEAF_HIDDEN size_t sheaf_copy_most[SHEAF_COPY_SIZES], sheaf_copy_nbi_most[SHEAF_COPY_SIZES];

/* Makes such a long copy, as sheaf_copy or sheaf_copy_nbi. */
void sheaf_copy_long(void *dest, const void *source, size_t bytes, bool nbi);

/* Called by init.c once the rules and the copier's length are known. */
void sheaf_copy_choose(void);

/* A shorter part of a long copy goes by memcpy: a part that streams waits at its end for its last
 * stores. */
#define SHEAF_COPY_LEAST_PART ((size_t)16 << 10)

/* Copies one part of the total bytes that this PE writes in one call; total decides which way. */
static inline void sheaf_copy_part(void *dest, const void *source, size_t bytes, size_t total)
{
    if (sheaf_unlikely(total >= sheaf_copy_long_from && bytes >= SHEAF_COPY_LEAST_PART))
        sheaf_copy_long_part(dest, source, bytes, total);
    else
        memcpy(dest, source, bytes);
}

/* Copies count blocks of block_bytes, in order; the strides are the bytes between the starts of blocks
 * at either end. The source has been read before the caller's later stores. */
void sheaf_copy_blocks(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                       size_t count, size_t block_bytes);

/* The same for one block size that the compiler knows, and for all other sizes. */
#define SHEAF_COPY_BLOCK_SIZES(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)
#define SHEAF_COPY_BLOCKS(BYTES)                                                                   \
    void sheaf_copy_blocks_##BYTES(char *dest, const char *source, ptrdiff_t dest_stride,          \
                                   ptrdiff_t source_stride, size_t count);
SHEAF_COPY_BLOCK_SIZES(SHEAF_COPY_BLOCKS)
void sheaf_copy_blocks_of(char *dest, const char *source, ptrdiff_t dest_stride,
                          ptrdiff_t source_stride, size_t count, size_t block_bytes);

#endif

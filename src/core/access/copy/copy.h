/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copy behind put, get and the collectives, where one end is another PE's memory: registers,
 * memcpy, or past the caches (base/stream.h).
 */
#ifndef SHEAF_CORE_ACCESS_COPY_COPY_H
#define SHEAF_CORE_ACCESS_COPY_COPY_H

#include "base/atomic.h"
#include "base/settings/env.h"
#include "base/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* memcpy, or past the caches from sheaf_stream_from on: the rest of sheaf_copy, of any length. */
void sheaf_copy_many(void *dest, const void *source, size_t bytes);

/* A length that fits a register is one load and one store. memcpy stores the two ends of a short range,
 * which for one element means that it stores it twice: a peer that has seen a flag and reset it could
 * lose that to the second store. It also takes 1.6 ns more. Without bytes both pointers may be null. */
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

/* The same for a nonblocking put or get: a long one is the copier's, where there is one. */
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

/* Of elements of 1, 2, 4, 8 and 16 bytes: so many are copied past the caches, or by the copier, or are more
 * than an address space holds. Before it is known 0: all of them. */
#define SHEAF_COPY_SIZES 5
extern SHEAF_HIDDEN size_t sheaf_copy_most[SHEAF_COPY_SIZES], sheaf_copy_nbi_most[SHEAF_COPY_SIZES];

/* Those: as sheaf_copy or sheaf_copy_nbi. */
void sheaf_copy_long(void *dest, const void *source, size_t bytes, bool nbi);

/* By init.c, when it is known from where on copies stream and which are the copier's. */
void sheaf_copy_choose(void);

/* Shorter parts of a whole go by memcpy: a part that streams waits at its end for its last stores. */
#define SHEAF_COPY_LEAST_PART ((size_t)16 << 10)

/* One part of a whole that this PE writes in one call: its length decides. */
static inline void sheaf_copy_part(void *dest, const void *source, size_t bytes, size_t whole)
{
    if (sheaf_unlikely(whole >= sheaf_stream_from && bytes >= SHEAF_COPY_LEAST_PART))
        sheaf_stream_copy(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

/* count blocks of block_bytes, whose starts lie so many bytes apart at either end, in order; what was read
 * has been read before the caller's later stores. */
void sheaf_copy_blocks(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                       size_t count, size_t block_bytes);

/* The same for one size that the compiler knows, and for all others. */
#define SHEAF_COPY_BLOCK_SIZES(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)
#define SHEAF_COPY_BLOCKS(BYTES)                                                                   \
    void sheaf_copy_blocks_##BYTES(char *dest, const char *source, ptrdiff_t dest_stride,          \
                                   ptrdiff_t source_stride, size_t count);
SHEAF_COPY_BLOCK_SIZES(SHEAF_COPY_BLOCKS)
void sheaf_copy_blocks_of(char *dest, const char *source, ptrdiff_t dest_stride,
                          ptrdiff_t source_stride, size_t count, size_t block_bytes);

/* From how many bytes on a copy streams where nobody has said: see copy.c. */
size_t sheaf_copy_usual_from(void);

#endif

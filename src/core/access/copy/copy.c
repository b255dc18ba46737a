/* SPDX-License-Identifier: BSD-3-Clause
 * See copy.h.
 */
#include "core/access/copy/copy.h"

void sheaf_copy_many(void *dest, const void *source, size_t bytes)
{
    if (sheaf_unlikely(bytes >= sheaf_copy_long_from))
        sheaf_copy_long_whole(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

/* A turn copies two blocks, with strides in bytes: it makes about one store per cycle, the processor's
 * limit. A turn for each block, with its multiplications, took twice as long. There is a function for
 * each size of the specification's types, and for the usual sizes of halos and columns, so that a block
 * is loads and stores without a call. */
#define COPY_BLOCKS(BYTES)                                                                         \
    void sheaf_copy_blocks_##BYTES(char *dest, const char *source, ptrdiff_t dest_stride,          \
                                   ptrdiff_t source_stride, size_t count)                          \
    {                                                                                              \
        if (count % 2 != 0) {                                                                      \
            memcpy(dest, source, BYTES);                                                           \
            dest += dest_stride;                                                                   \
            source += source_stride;                                                               \
        }                                                                                          \
        for (count /= 2; count > 0; count--) {                                                     \
            memcpy(dest, source, BYTES);                                                           \
            memcpy(dest + dest_stride, source + source_stride, BYTES);                             \
            dest += 2 * dest_stride;                                                               \
            source += 2 * source_stride;                                                           \
        }                                                                                          \
        sheaf_fence_copy();                                                                        \
    }
SHEAF_COPY_BLOCK_SIZES(COPY_BLOCKS)

void sheaf_copy_blocks_of(char *dest, const char *source, ptrdiff_t dest_stride,
                          ptrdiff_t source_stride, size_t count, size_t block_bytes)
{
    for (; count > 0; count--, dest += dest_stride, source += source_stride)
        memcpy(dest, source, block_bytes);
    sheaf_fence_copy();
}

#define CASE(BYTES)                                                                                \
    case BYTES: sheaf_copy_blocks_##BYTES(dest, source, dest_stride, source_stride, count); break;

void sheaf_copy_blocks(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                       size_t count, size_t block_bytes)
{
    switch (block_bytes) {
        SHEAF_COPY_BLOCK_SIZES(CASE)
    default: sheaf_copy_blocks_of(dest, source, dest_stride, source_stride, count, block_bytes);
    }
}

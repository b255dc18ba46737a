/* SPDX-License-Identifier: BSD-3-Clause
 * See copy.h.
 */
#include "core/access/copy/copy.h"

#include "base/os/cache.h"
#include "boot/boot.h"
#include "core/access/copy/copier.h"
#include "core/memory/check.h"
#include "core/pe/call.h"
#include "core/pe/job.h"

#include <stdint.h>

void sheaf_copy_many(void *dest, const void *source, size_t bytes)
{
    if (sheaf_unlikely(bytes >= sheaf_stream_from))
        sheaf_stream_copy(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

size_t sheaf_copy_nbi_from = SIZE_MAX;
size_t sheaf_copy_most[SHEAF_COPY_SIZES], sheaf_copy_nbi_most[SHEAF_COPY_SIZES];

static void set_most(size_t most[SHEAF_COPY_SIZES], size_t from)
{
    for (int shift = 0; shift < SHEAF_COPY_SIZES; shift++)
        most[shift] = (from < PTRDIFF_MAX ? from : PTRDIFF_MAX) >> shift;
}

void sheaf_copy_choose(void)
{
    sheaf_copy_nbi_from = sheaf_stream_from < sheaf_copier_from ? sheaf_stream_from : sheaf_copier_from;
    set_most(sheaf_copy_most, sheaf_stream_from);
    set_most(sheaf_copy_nbi_most, sheaf_copy_nbi_from);
}

static __attribute__((noinline)) void copy_long_nbi(void *dest, const void *source, size_t bytes)
{
    if (bytes >= sheaf_copier_from)
        sheaf_copier_copy(dest, source, bytes, NULL, NULL);
    else
        sheaf_copy_many(dest, source, bytes);
}

void sheaf_copy_many_nbi(void *dest, const void *source, size_t bytes)
{
    if (sheaf_unlikely(bytes >= sheaf_copy_nbi_from))
        copy_long_nbi(dest, source, bytes);
    else
        memcpy(dest, source, bytes);
}

void sheaf_copy_long(void *dest, const void *source, size_t bytes, bool nbi)
{
    sheaf_check_size(bytes, sheaf_call.name);
    (nbi ? sheaf_copy_many_nbi : sheaf_copy_many)(dest, source, bytes);
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

/* Source and dest of less than this many bytes fit the second-level cache of current processors. */
#define LEAST_STREAMED ((size_t)1 << 20)

/* The number of PEs that can run at once and share one last-level cache. */
static int sharing_pes(const struct sheaf_cache *cache)
{
    int cpus = sheaf_job_cpus();
    int running = sheaf_boot.host_npes < cpus ? sheaf_boot.host_npes : cpus;
    return running < cache->cpus ? running : cache->cpus;
}

/* A copy touches twice its length. Where that is more than a PE's share of the last-level cache, memcpy
 * waits for memory. Measured with two PEs on 32 MiB of cache, the time of streaming over that of memcpy
 * is 1.2 to 1.4 for 4 MiB, 0.6 to 0.8 for 8 MiB and 0.6 to 0.75 for 16 MiB and more, with one PE
 * copying or both. */
size_t sheaf_copy_usual_from(void)
{
    struct sheaf_cache cache = sheaf_cache_last();
    if (cache.bytes == 0 || !sheaf_stream_way())
        return SIZE_MAX;
    size_t share = cache.bytes / (size_t)sharing_pes(&cache) / 2;
    return share > LEAST_STREAMED ? share : LEAST_STREAMED;
}

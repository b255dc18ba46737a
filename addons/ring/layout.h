/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the memory of a ring holds, in this order: the head, a place for each reader, and from a
 * page's begin on the blocks. Readers cannot write blocks.
 *
 * Message n stands in block n mod block_count. published is the number of messages; a reader's
 * cursor is the number of the message that it reads next. Where the writer waits for readers:
 *   published - block_count <= each cursor <= published.
 */
#ifndef SHEAF_RING_LAYOUT_H
#define SHEAF_RING_LAYOUT_H

#include "base/atomic.h"

#include <stddef.h>
#include <stdint.h>

#define RING_MAGIC   UINT64_C(0x676e697266616568) /* "heafring" */
#define RING_VERSION 1
#define RING_KEY     16
#define RING_PAGE    4096

/* Of every ring: shmemx_ring_create() and whoever opens one refuse more. */
#define RING_BLOCKS_MOST  ((uint64_t)1 << 20)
#define RING_MESSAGE_MOST ((uint64_t)1 << 32)
#define RING_READERS_MOST 4096

/* What the writer decides; nobody writes it later. */
struct ring_shape {
    uint64_t magic;
    uint32_t version;
    uint32_t overflow;
    uint64_t block_count;
    uint64_t message_most; /* bytes */
    uint32_t reader_count; /* places */
    uint8_t key[RING_KEY];
};

struct ring_head {
    struct ring_shape shape;
    /* By the writer. Readers sleep on the lower half of published. */
    _Alignas(SHEAF_CACHE_LINE) uint64_t published;
    uint32_t is_closed;
    /* By a reader before it sleeps: 1. The writer that finds it takes it back, and wakes all. */
    _Alignas(SHEAF_CACHE_LINE) uint32_t has_sleepers;
    /* wanted, by the writer: the cursor for which it sleeps, on news. Who comes to it changes news.
     */
    _Alignas(SHEAF_CACHE_LINE) uint64_t wanted;
    uint32_t news;
};
#define RING_WANTS_NONE UINT64_MAX

/* By its reader, which has the lock of the place as long as it lives (memory.h). */
struct ring_place {
    _Alignas(SHEAF_CACHE_LINE) uint64_t cursor;
    uint32_t is_used;
    uint32_t deaths; /* of readers that had it, by whoever found that out and has the lock */
};

/* By the writer. sequence: 1 + the number of the message that stands here; 0 while it is being
 * written. */
struct ring_block {
    uint64_t sequence;
    uint64_t bytes;
    unsigned char data[];
};

_Static_assert(sizeof(struct ring_shape) <= SHEAF_CACHE_LINE, "the shape is the first cache line");
_Static_assert(offsetof(struct ring_head, published) == SHEAF_CACHE_LINE,
               "the writer's cache line");
_Static_assert(offsetof(struct ring_head, has_sleepers) == 2 * SHEAF_CACHE_LINE,
               "the readers' cache line");
_Static_assert(sizeof(struct ring_head) == 4 * SHEAF_CACHE_LINE, "the layout of version 1");
_Static_assert(sizeof(struct ring_place) == SHEAF_CACHE_LINE, "a cache line for each reader");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "sleepers use the lower half of published");

static inline uint64_t ring_rounded(uint64_t bytes, uint64_t step)
{
    return (bytes + step - 1) / step * step;
}

/* Bytes before the blocks, of a block, and in all. None can overflow within the limits above. */
static inline uint64_t ring_control_bytes(const struct ring_shape *shape)
{
    return ring_rounded(sizeof(struct ring_head) + shape->reader_count * sizeof(struct ring_place),
                        RING_PAGE);
}

static inline uint64_t ring_block_bytes(const struct ring_shape *shape)
{
    return ring_rounded(sizeof(struct ring_block) + shape->message_most, SHEAF_CACHE_LINE);
}

static inline uint64_t ring_bytes(const struct ring_shape *shape)
{
    return ring_control_bytes(shape) +
           ring_rounded(shape->block_count * ring_block_bytes(shape), RING_PAGE);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided puts and gets. Small blocks travel packed, as many as a fragment holds; the side that has
 * them strided packs and the other scatters. Large ones go by themselves, which saves the copy.
 */
#include "engine/ucx/ucx.h"

#include <stdlib.h>
#include <string.h>

/* The largest block that is packed. */
#define PACKED_BLOCK 8192

static size_t blocks_per_fragment(const struct sheaf_blocks *blocks)
{
    size_t fit = SHEAF_UCX_FRAGMENT / blocks->block_bytes;
    return fit < blocks->count ? fit : blocks->count;
}

static void pack(unsigned char *packed, const unsigned char *source,
                 const struct sheaf_blocks *blocks, size_t count)
{
    for (; count > 0; count--, packed += blocks->block_bytes, source += blocks->source_stride)
        memcpy(packed, source, blocks->block_bytes);
}

static void put_packed(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       unsigned char *dest, const unsigned char *source,
                       const struct sheaf_blocks *blocks)
{
    size_t most = blocks_per_fragment(blocks), bytes = blocks->block_bytes;
    unsigned char *packed = malloc(most * bytes);
    if (!packed)
        sheaf_ucx_failed(peer->pe, "strided put", UCS_ERR_NO_MEMORY);
    for (size_t done = 0, part; done < blocks->count; done += part) {
        part = blocks->count - done < most ? blocks->count - done : most;
        pack(packed, source + (ptrdiff_t)done * blocks->source_stride, blocks, part);
        struct sheaf_ucx_put_blocks header = {
            {sheaf_ucx_remote(peer, dest) + (uint64_t)((ptrdiff_t)done * blocks->dest_stride)},
            blocks->dest_stride,
            bytes,
        };
        sheaf_ucx_count_sent(worker, peer);
        sheaf_ucx_send_wait(worker, peer, SHEAF_UCX_PUT_BLOCKS, &header, packed, part * bytes);
    }
    free(packed);
}

void sheaf_ucx_put_blocks(sheaf_engine_context *context, int pe, void *dest, const void *source,
                          const struct sheaf_blocks *blocks)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (blocks->count == 0 || blocks->block_bytes == 0)
        return;
    if (sheaf_ucx_is_batching(worker) &&
        sheaf_ucx_batch_put_blocks(worker, pe, dest, source, blocks))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (peer->is_native)
        sheaf_ucx_native_put_blocks(worker, peer, dest, source, blocks);
    else if (blocks->block_bytes <= PACKED_BLOCK)
        put_packed(worker, peer, dest, source, blocks);
    else
        sheaf_ucx_put_one_by_one(worker, peer, dest, source, blocks);
    sheaf_ucx_unlock(worker);
}

static void start_get_packed(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                             unsigned char *dest, const unsigned char *source,
                             const struct sheaf_blocks *blocks, size_t *waiter)
{
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->header.get_blocks = (struct sheaf_ucx_get_blocks){
        operation->handle,   sheaf_ucx_remote(peer, source), blocks->source_stride,
        blocks->block_bytes, blocks->count,
    };
    operation->dest = dest;
    operation->blocks = *blocks;
    operation->waiter = waiter;
    sheaf_ucx_expect_answer(operation, SHEAF_UCX_DATA, blocks->block_bytes * blocks->count);
    sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_GET_BLOCKS, NULL, 0);
}

/* Requests under way: the peer keeps a packed copy for each. */
#define MOST_REQUESTS 16

static void get_packed(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       unsigned char *dest, const unsigned char *source,
                       const struct sheaf_blocks *blocks)
{
    size_t most = blocks_per_fragment(blocks), left = 0;
    for (size_t done = 0; done < blocks->count;) {
        struct sheaf_blocks part = *blocks;
        part.count = blocks->count - done < most ? blocks->count - done : most;
        sheaf_ucx_wait(worker, &left, MOST_REQUESTS - 1);
        left++;
        start_get_packed(worker, peer, dest + (ptrdiff_t)done * blocks->dest_stride,
                         source + (ptrdiff_t)done * blocks->source_stride, &part, &left);
        done += part.count;
    }
    sheaf_ucx_wait(worker, &left, 0);
}

void sheaf_ucx_get_blocks(sheaf_engine_context *context, int pe, void *dest, const void *source,
                          const struct sheaf_blocks *blocks)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (blocks->count == 0 || blocks->block_bytes == 0)
        return;
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (peer->is_native)
        sheaf_ucx_native_get_blocks(worker, peer, dest, source, blocks);
    else if (blocks->block_bytes <= PACKED_BLOCK)
        get_packed(worker, peer, dest, source, blocks);
    else
        sheaf_ucx_get_one_by_one(worker, peer, dest, source, blocks);
    sheaf_ucx_unlock(worker);
}

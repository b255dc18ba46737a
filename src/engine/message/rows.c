/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noncontiguous puts, accumulates and gets. Small blocks travel packed, as many as a message holds, from
 * any rows. Large blocks travel by themselves, from the program's memory, which saves a copy. All
 * messages of a call go on one connection in order, so the answer to the last one answers all.
 */
#include "engine/message/message.h"

#include <stdlib.h>
#include <string.h>

/* The largest block that is packed, in bytes. */
#define PACKED_BLOCK 16384

/* Packed copies are as long as a message, here or at the peer. So fewer of them may be under way than of
 * other messages. In bytes. */
#define MOST_COPIED ((size_t)16 << 20)

static bool has_room_for_copy(const struct sheaf_msg_worker *worker, size_t bytes)
{
    return worker->in_use <= MOST_COPIED / bytes;
}

static void take_row(struct sheaf_rows *rows)
{
    rows->row++;
    rows->count--;
}

/* A put of rows in progress, and the packed message that is being filled. */
struct putter {
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_scale scale;
    size_t *remaining;
    unsigned char *data; /* NULL: no message is being filled */
    size_t used, room;
    size_t rest;         /* bytes of the call that are not in a message yet, with packing's overhead */
};

static void *allocate_for(const struct sheaf_msg_peer *peer, size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        sheaf_msg_failed(peer->pe, "noncontiguous transfer", "no memory");
    return memory;
}

/* answered: counted down by DONE; NULL: no answer is wanted. */
static void send_packed(struct putter *putter, size_t *answered)
{
    struct sheaf_msg_worker *worker = putter->worker;
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, putter->peer);
    operation->header.rows = (struct sheaf_msg_rows){
        answered ? operation->handle : 0, putter->scale};
    operation->packed = putter->data;
    sheaf_msg_operation_count(operation, answered);
    if (answered)
        sheaf_msg_expect_answer(operation, SHEAF_MSG_DONE, 1);
    else
        sheaf_msg_count_sent(worker, putter->peer);
    sheaf_msg_send_operation(operation, putter->peer->link, SHEAF_MSG_ROWS, putter->data,
                             putter->used);
    putter->data = NULL;
    putter->used = 0;
}

static void flush_packed(struct putter *putter)
{
    if (putter->data)
        send_packed(putter, NULL);
}

/* Of the next packed message. */
static size_t next_bytes(const struct putter *putter)
{
    size_t most = putter->peer->longest_whole;
    return putter->rest < most ? putter->rest : most;
}

static void *reserve_packed(struct putter *putter, size_t bytes)
{
    if (!putter->data) {
        putter->room = next_bytes(putter);
        putter->data = allocate_for(putter->peer, putter->room);
    }
    void *at = putter->data + putter->used;
    putter->used += bytes;
    return at;
}

/* The number of blocks that still fit into the message, after the row that introduces them: a block of 24
 * bytes, say, need not end where a message does. */
static size_t blocks_that_fit(const struct putter *putter, const struct sheaf_blocks *blocks)
{
    size_t used = (putter->data ? putter->used : 0) + sizeof(struct sheaf_msg_row);
    if (used > putter->peer->longest_whole)
        return 0;
    size_t most = (putter->peer->longest_whole - used) / blocks->block_bytes;
    return most < blocks->count ? most : blocks->count;
}

static void pack_row(struct putter *putter, const struct sheaf_row *row)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    struct sheaf_msg_row heading = {sheaf_msg_remote(putter->peer, row->dest), blocks->dest_stride,
                                    (uint32_t)blocks->block_bytes, (uint32_t)blocks->count};
    size_t bytes = blocks->block_bytes * blocks->count;
    unsigned char *at = reserve_packed(putter, sizeof heading + bytes);
    const unsigned char *from = row->source;
    memcpy(at, &heading, sizeof heading);
    at += sizeof heading;
    for (size_t i = 0; i < blocks->count; i++, from += blocks->source_stride)
        memcpy(at + i * blocks->block_bytes, from, blocks->block_bytes);
    putter->rest -= bytes;
}

/* Whether another packed message may be filled. */
static bool may_fill(const struct putter *putter)
{
    return has_room_for_copy(putter->worker, putter->peer->longest_whole) &&
           sheaf_msg_may_send_data(putter->worker, putter->peer, next_bytes(putter));
}

/* Returns whether all of the row is in messages. */
static bool put_packed(struct putter *putter, struct sheaf_row *row)
{
    while (row->blocks.count > 0) {
        struct sheaf_row part = *row;
        part.blocks.count = blocks_that_fit(putter, &row->blocks);
        if (part.blocks.count == 0) {
            flush_packed(putter);
            continue;
        }
        if (!putter->data && !may_fill(putter))
            return false;
        pack_row(putter, &part);
        sheaf_msg_advance(row, part.blocks.count);
    }
    return true;
}

#define LARGEST_NUMBER 16 /* in bytes: none is split between messages */

/* With credit every message is counted, not only the last one: what is under way to a peer is no longer
 * known otherwise. */
static bool is_each_counted(void)
{
    return sheaf_msg_state.free_credit != SIZE_MAX;
}

/* is_last, here and below: no message of the call follows the block. */
static void add_large_block(struct putter *putter, const struct sheaf_row *row, bool is_last)
{
    struct sheaf_msg_worker *worker = putter->worker;
    uint64_t address = sheaf_msg_remote(putter->peer, row->dest);
    size_t bytes = row->blocks.block_bytes;
    size_t most = putter->peer->longest_whole / LARGEST_NUMBER * LARGEST_NUMBER;
    for (size_t offset = 0, part; offset < bytes; offset += part) {
        part = bytes - offset < most ? bytes - offset : most;
        bool is_counted = (is_last && offset + part == bytes) || is_each_counted();
        struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, putter->peer);
        operation->header.add = (struct sheaf_msg_add){{address + offset}, putter->scale};
        sheaf_msg_operation_count(operation, putter->remaining);
        if (is_counted)
            sheaf_msg_count_sent(worker, putter->peer);
        sheaf_msg_send_operation(operation, putter->peer->link,
                                 is_counted ? SHEAF_MSG_ADD : SHEAF_MSG_ADD_PART,
                                 (const char *)row->source + offset, part);
    }
}

static void put_large_block(struct putter *putter, const struct sheaf_row *row, bool is_last)
{
    bool is_continued = !is_last && !is_each_counted();
    const struct sheaf_msg_deferred put = {putter->peer, row->dest, row->source, row->blocks.block_bytes,
                                           is_continued};
    sheaf_msg_start_put(putter->worker, &put, putter->remaining);
}

static bool put_large_blocks(struct putter *putter, struct sheaf_row *row, bool is_last_row)
{
    flush_packed(putter);
    while (row->blocks.count > 0) {
        if (!sheaf_msg_may_send_data(putter->worker, putter->peer, row->blocks.block_bytes))
            return false;
        bool is_last = is_last_row && row->blocks.count == 1;
        (putter->scale.number == SHEAF_NUMBERS ? put_large_block : add_large_block)(putter, row, is_last);
        sheaf_msg_advance(row, 1);
    }
    return true;
}

static bool is_packed(const struct sheaf_row *row)
{
    return row->blocks.block_bytes <= PACKED_BLOCK;
}

static size_t packed_bytes(const struct sheaf_rows *rows)
{
    size_t bytes = 0;
    for (const struct sheaf_row *row = rows->row; row < rows->row + rows->count; row++)
        if (is_packed(row))
            bytes += sizeof(struct sheaf_msg_row) + row->blocks.block_bytes * row->blocks.count;
    return bytes;
}

/* stored: counted down once the target has everything; or NULL. */
static bool put_all_rows(struct putter *putter, struct sheaf_rows *rows, size_t *stored)
{
    bool all = true;
    while (all && rows->count > 0) {
        all = is_packed(rows->row) ? put_packed(putter, rows->row)
                                   : put_large_blocks(putter, rows->row, rows->count == 1 && !stored);
        if (all)
            take_row(rows);
    }
    if (all && stored)
        send_packed(putter, stored);
    else
        flush_packed(putter);
    return all;
}

static struct sheaf_msg_scale scale_on_wire(const struct sheaf_scale *scale)
{
    struct sheaf_msg_scale on_wire = {.number = SHEAF_NUMBERS};
    if (scale) {
        on_wire.number = scale->number;
        memcpy(on_wire.alpha, scale->alpha, sizeof on_wire.alpha);
    }
    return on_wire;
}

/* A single row travels as other puts and gets do. */
static bool is_single_row(const struct sheaf_rows *rows)
{
    return rows->count == 1;
}

bool sheaf_msg_put_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                        const struct sheaf_scale *scale, bool until_stored, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    bool has_started, is_put = is_single_row(rows) && !scale && !until_stored;
    if (is_put && sheaf_msg_has_batches(worker) &&
        sheaf_msg_batch_put_row(worker, pe, rows->row, &has_started))
        return has_started;
    if (!is_put)
        sheaf_msg_batch_first(worker, pe);
    struct putter putter = {
        .worker = worker,
        .peer = sheaf_msg_peer_at(worker, pe),
        .scale = scale_on_wire(scale),
        .remaining = remaining,
        .rest = packed_bytes(rows),
    };
    sheaf_msg_enter(worker);
    if (is_put && sheaf_msg_goes_native(putter.peer, rows->row->dest))
        has_started = sheaf_msg_native_put_row(worker, putter.peer, rows->row, remaining);
    else
        has_started = sheaf_msg_may_send(worker, putter.peer) &&
                      put_all_rows(&putter, rows, until_stored ? remaining : NULL);
    sheaf_msg_unlock(worker);
    return has_started;
}

/* Most rows of one request, and so of one answer. */
#define MOST_ROWS 128

/* A get of rows in progress, and the request that is being filled. */
struct getter {
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_request *request; /* NULL: no request is being filled */
    size_t bytes;                      /* of its answer */
    size_t *remaining;
};

static struct sheaf_msg_request *make_request(const struct sheaf_msg_peer *peer, size_t rows)
{
    size_t asked = rows * sizeof(struct sheaf_msg_row), targets = rows * sizeof(struct sheaf_msg_target);
    struct sheaf_msg_request *request = allocate_for(peer, sizeof *request + asked + targets);
    request->count = 0;
    request->targets = (struct sheaf_msg_target *)(request->asked + rows);
    return request;
}

static void send_request(struct getter *getter)
{
    struct sheaf_msg_request *request = getter->request;
    if (!request)
        return;
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(getter->worker, getter->peer);
    operation->header.done = (struct sheaf_msg_done){operation->handle};
    operation->packed = request;
    sheaf_msg_operation_count(operation, getter->remaining);
    sheaf_msg_expect_answer(operation, SHEAF_MSG_ROWS_DATA, getter->bytes);
    sheaf_msg_send_operation(operation, getter->peer->link, SHEAF_MSG_GET_ROWS, request->asked,
                             request->count * sizeof request->asked[0]);
    getter->request = NULL;
    getter->bytes = 0;
}

/* Adds as many of the row's blocks as fit into the answer. remaining_rows: rows of the call, this one
 * included. */
static size_t add_to_request(struct getter *getter, const struct sheaf_row *row, size_t remaining_rows)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    if (!getter->request)
        getter->request = make_request(getter->peer,
                                       remaining_rows < MOST_ROWS ? remaining_rows : MOST_ROWS);
    struct sheaf_msg_request *request = getter->request;
    size_t most = (SHEAF_TRANSPORT_FRAGMENT - getter->bytes) / blocks->block_bytes;
    size_t part = most < blocks->count ? most : blocks->count;
    if (part == 0 || request->count == MOST_ROWS)
        return 0;
    request->asked[request->count] = (struct sheaf_msg_row){
        sheaf_msg_remote(getter->peer, row->source), blocks->source_stride,
        (uint32_t)blocks->block_bytes, (uint32_t)part};
    request->targets[request->count++] =
        (struct sheaf_msg_target){row->dest, blocks->dest_stride};
    getter->bytes += part * blocks->block_bytes;
    return part;
}

/* Returns whether all of the row is requested. */
static bool get_packed(struct getter *getter, struct sheaf_row *row, size_t remaining_rows)
{
    while (row->blocks.count > 0) {
        if (!getter->request && !has_room_for_copy(getter->worker, SHEAF_TRANSPORT_FRAGMENT))
            return false;
        size_t part = add_to_request(getter, row, remaining_rows);
        if (part == 0)
            send_request(getter);
        sheaf_msg_advance(row, part);
    }
    return true;
}

static bool get_blocks(struct getter *getter, struct sheaf_row *row)
{
    while (row->blocks.count > 0) {
        if (!has_room_for_copy(getter->worker, SHEAF_TRANSPORT_FRAGMENT))
            return false;
        sheaf_msg_start_get(sheaf_msg_operation_get(getter->worker, getter->peer), row->dest,
                            row->source, row->blocks.block_bytes, getter->remaining);
        sheaf_msg_advance(row, 1);
    }
    return true;
}

static bool get_all_rows(struct getter *getter, struct sheaf_rows *rows)
{
    bool all = true;
    while (all && rows->count > 0) {
        all = is_packed(rows->row) ? get_packed(getter, rows->row, rows->count)
                                   : get_blocks(getter, rows->row);
        if (all)
            take_row(rows);
    }
    send_request(getter);
    return all;
}

bool sheaf_msg_get_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    struct getter getter = {
        .worker = worker, .peer = sheaf_msg_peer_at(worker, pe), .remaining = remaining};
    bool has_started;
    sheaf_msg_batch_first(worker, pe);
    sheaf_msg_enter(worker);
    if (is_single_row(rows) && sheaf_msg_goes_native(getter.peer, rows->row->source))
        has_started = sheaf_msg_native_get_row(worker, getter.peer, rows->row, remaining);
    else
        has_started = sheaf_msg_may_send(worker, getter.peer) && get_all_rows(&getter, rows);
    sheaf_msg_unlock(worker);
    return has_started;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noncontiguous puts, accumulates and gets. Small blocks travel packed, whatever rows they belong to,
 * as many as a fragment holds; large ones by themselves, from the program's memory, which saves a
 * copy. All messages of a call go on the one connection in order, so the answer to the last is the
 * answer to all.
 */
#include "engine/message/message.h"

#include <stdlib.h>
#include <string.h>

/* The largest block that is packed. */
#define PACKED_BLOCK 8192

/* A block of a size such as 24 bytes need not end where a fragment does. */
#define MOST_PACKED (SHEAF_TRANSPORT_FRAGMENT - sizeof(struct sheaf_msg_row))

/* Packed copies are 64 KiB each, here or at the peer: fewer may be under way than of other messages. */
#define MOST_COPIES 256

static bool has_room(const struct sheaf_msg_worker *worker)
{
    return worker->in_use <= MOST_COPIES;
}

static void take_row(struct sheaf_rows *rows)
{
    rows->row++;
    rows->count--;
}

/* The call under way, and the packed message that is being filled. */
struct parcel {
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_scale scale;
    size_t *left;
    unsigned char *data; /* NULL while there is none */
    size_t used, room;
    size_t rest;         /* bytes of the call that are not in a message yet, with what packing adds */
};

static void *memory_for(const struct sheaf_msg_peer *peer, size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        sheaf_msg_failed(peer->pe, "noncontiguous transfer", "no memory");
    return memory;
}

/* answered: counted down by DONE, or NULL. */
static void send_packed(struct parcel *parcel, size_t *answered)
{
    struct sheaf_msg_worker *worker = parcel->worker;
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, parcel->peer);
    operation->header.rows = (struct sheaf_msg_rows){
        answered ? operation->handle : 0, parcel->scale};
    operation->packed = parcel->data;
    sheaf_msg_operation_count(operation, answered);
    if (answered)
        sheaf_msg_expect_answer(operation, SHEAF_MSG_DONE, 1);
    else
        sheaf_msg_count_sent(worker, parcel->peer);
    sheaf_msg_send_operation(operation, parcel->peer->link, SHEAF_MSG_ROWS, parcel->data,
                             parcel->used);
    parcel->data = NULL;
    parcel->used = 0;
}

static void send_what_there_is(struct parcel *parcel)
{
    if (parcel->data)
        send_packed(parcel, NULL);
}

static void *room_for(struct parcel *parcel, size_t bytes)
{
    if (!parcel->data) {
        parcel->room = parcel->rest < SHEAF_TRANSPORT_FRAGMENT ? parcel->rest : SHEAF_TRANSPORT_FRAGMENT;
        parcel->data = memory_for(parcel->peer, parcel->room);
    }
    void *at = parcel->data + parcel->used;
    parcel->used += bytes;
    return at;
}

/* How many blocks still go into the message, behind the row that introduces them. */
static size_t fit(const struct parcel *parcel, const struct sheaf_blocks *blocks)
{
    size_t used = parcel->data ? parcel->used : 0;
    if (used > MOST_PACKED)
        return 0;
    size_t most = (MOST_PACKED - used) / blocks->block_bytes;
    return most < blocks->count ? most : blocks->count;
}

static void pack(struct parcel *parcel, const struct sheaf_row *row)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    struct sheaf_msg_row heading = {sheaf_msg_remote(parcel->peer, row->dest), blocks->dest_stride,
                                    (uint32_t)blocks->block_bytes, (uint32_t)blocks->count};
    size_t bytes = blocks->block_bytes * blocks->count;
    unsigned char *at = room_for(parcel, sizeof heading + bytes);
    const unsigned char *from = row->source;
    memcpy(at, &heading, sizeof heading);
    at += sizeof heading;
    for (size_t i = 0; i < blocks->count; i++, from += blocks->source_stride)
        memcpy(at + i * blocks->block_bytes, from, blocks->block_bytes);
    parcel->rest -= bytes;
}

/* Whether all of the row is in messages. */
static bool put_packed(struct parcel *parcel, struct sheaf_row *row)
{
    while (row->blocks.count > 0) {
        struct sheaf_row part = *row;
        part.blocks.count = fit(parcel, &row->blocks);
        if (part.blocks.count == 0) {
            send_what_there_is(parcel);
            continue;
        }
        if (!parcel->data && !has_room(parcel->worker))
            return false;
        pack(parcel, &part);
        sheaf_msg_advance(row, part.blocks.count);
    }
    return true;
}

/* A fragment is a whole number of the largest numbers, so that none is cut in two. */
_Static_assert(SHEAF_TRANSPORT_FRAGMENT % 16 == 0, "numbers are at most 16 bytes");

static void put_block(struct parcel *parcel, unsigned char *dest, const unsigned char *source,
                      size_t bytes)
{
    struct sheaf_msg_worker *worker = parcel->worker;
    uint64_t address = sheaf_msg_remote(parcel->peer, dest);
    bool is_add = parcel->scale.number != SHEAF_NUMBERS;
    for (size_t offset = 0, part; offset < bytes; offset += part) {
        part = bytes - offset < SHEAF_TRANSPORT_FRAGMENT ? bytes - offset : SHEAF_TRANSPORT_FRAGMENT;
        struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, parcel->peer);
        operation->header.add = (struct sheaf_msg_add){
            {address + offset}, parcel->scale}; /* a put is its start */
        sheaf_msg_operation_count(operation, parcel->left);
        sheaf_msg_count_sent(worker, parcel->peer);
        sheaf_msg_send_operation(operation, parcel->peer->link,
                                 is_add ? SHEAF_MSG_ADD : SHEAF_MSG_PUT, source + offset, part);
    }
}

static bool put_blocks(struct parcel *parcel, struct sheaf_row *row)
{
    send_what_there_is(parcel);
    while (row->blocks.count > 0) {
        if (!sheaf_msg_may_send(parcel->worker, parcel->peer))
            return false;
        put_block(parcel, row->dest, row->source, row->blocks.block_bytes);
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

/* stored: counted down once the target has everything, or NULL. */
static bool put_all(struct parcel *parcel, struct sheaf_rows *rows, size_t *stored)
{
    bool all = true;
    while (all && rows->count > 0) {
        all = (is_packed(rows->row) ? put_packed : put_blocks)(parcel, rows->row);
        if (all)
            take_row(rows);
    }
    if (all && stored)
        send_packed(parcel, stored);
    else
        send_what_there_is(parcel);
    return all;
}

static struct sheaf_msg_scale scale_of(const struct sheaf_scale *scale)
{
    struct sheaf_msg_scale on_wire = {.number = SHEAF_NUMBERS};
    if (scale) {
        on_wire.number = scale->number;
        memcpy(on_wire.alpha, scale->alpha, sizeof on_wire.alpha);
    }
    return on_wire;
}

/* A row by itself goes as other puts and gets do. */
static bool is_alone(const struct sheaf_rows *rows)
{
    return rows->count == 1;
}

bool sheaf_msg_put_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                        const struct sheaf_scale *scale, bool until_stored, size_t *left)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    bool has_started, is_put = is_alone(rows) && !scale && !until_stored;
    if (is_put && sheaf_msg_has_batches(worker) &&
        sheaf_msg_batch_put_row(worker, pe, rows->row, &has_started))
        return has_started;
    if (!is_put)
        sheaf_msg_batch_first(worker, pe);
    struct parcel parcel = {
        .worker = worker,
        .peer = sheaf_msg_peer_at(worker, pe),
        .scale = scale_of(scale),
        .left = left,
        .rest = packed_bytes(rows),
    };
    sheaf_msg_enter(worker);
    if (is_put && sheaf_msg_goes_native(parcel.peer, rows->row->dest))
        has_started = sheaf_msg_native_put_row(worker, parcel.peer, rows->row, left);
    else
        has_started = sheaf_msg_may_send(worker, parcel.peer) &&
                      put_all(&parcel, rows, until_stored ? left : NULL);
    sheaf_msg_unlock(worker);
    return has_started;
}

/* Rows of one request, and thus of one answer. */
#define MOST_ROWS 128

/* The request that is being filled. */
struct inquiry {
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_request *request; /* NULL while there is none */
    size_t bytes;                      /* of its answer */
    size_t *left;
};

static struct sheaf_msg_request *make_request(const struct sheaf_msg_peer *peer, size_t rows)
{
    size_t asked = rows * sizeof(struct sheaf_msg_row), places = rows * sizeof(struct sheaf_msg_place);
    struct sheaf_msg_request *request = memory_for(peer, sizeof *request + asked + places);
    request->count = 0;
    request->places = (struct sheaf_msg_place *)(request->asked + rows);
    return request;
}

static void ask(struct inquiry *inquiry)
{
    struct sheaf_msg_request *request = inquiry->request;
    if (!request)
        return;
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(inquiry->worker, inquiry->peer);
    operation->header.done = (struct sheaf_msg_done){operation->handle};
    operation->packed = request;
    sheaf_msg_operation_count(operation, inquiry->left);
    sheaf_msg_expect_answer(operation, SHEAF_MSG_ROWS_DATA, inquiry->bytes);
    sheaf_msg_send_operation(operation, inquiry->peer->link, SHEAF_MSG_GET_ROWS, request->asked,
                             request->count * sizeof request->asked[0]);
    inquiry->request = NULL;
    inquiry->bytes = 0;
}

/* As many of the row's blocks as fit into the answer; rows_left: of the call, with this one. */
static size_t add_to_request(struct inquiry *inquiry, const struct sheaf_row *row, size_t rows_left)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    if (!inquiry->request)
        inquiry->request = make_request(inquiry->peer, rows_left < MOST_ROWS ? rows_left : MOST_ROWS);
    struct sheaf_msg_request *request = inquiry->request;
    size_t most = (SHEAF_TRANSPORT_FRAGMENT - inquiry->bytes) / blocks->block_bytes;
    size_t part = most < blocks->count ? most : blocks->count;
    if (part == 0 || request->count == MOST_ROWS)
        return 0;
    request->asked[request->count] = (struct sheaf_msg_row){
        sheaf_msg_remote(inquiry->peer, row->source), blocks->source_stride,
        (uint32_t)blocks->block_bytes, (uint32_t)part};
    request->places[request->count++] =
        (struct sheaf_msg_place){row->dest, blocks->dest_stride};
    inquiry->bytes += part * blocks->block_bytes;
    return part;
}

/* Whether all of the row is asked for. */
static bool get_packed(struct inquiry *inquiry, struct sheaf_row *row, size_t rows_left)
{
    while (row->blocks.count > 0) {
        if (!inquiry->request && !has_room(inquiry->worker))
            return false;
        size_t part = add_to_request(inquiry, row, rows_left);
        if (part == 0)
            ask(inquiry);
        sheaf_msg_advance(row, part);
    }
    return true;
}

static bool get_blocks(struct inquiry *inquiry, struct sheaf_row *row)
{
    while (row->blocks.count > 0) {
        if (!has_room(inquiry->worker))
            return false;
        sheaf_msg_start_get(sheaf_msg_operation_get(inquiry->worker, inquiry->peer), row->dest,
                            row->source, row->blocks.block_bytes, inquiry->left);
        sheaf_msg_advance(row, 1);
    }
    return true;
}

static bool get_all(struct inquiry *inquiry, struct sheaf_rows *rows)
{
    bool all = true;
    while (all && rows->count > 0) {
        all = is_packed(rows->row) ? get_packed(inquiry, rows->row, rows->count)
                                   : get_blocks(inquiry, rows->row);
        if (all)
            take_row(rows);
    }
    ask(inquiry);
    return all;
}

bool sheaf_msg_get_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *left)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    struct inquiry inquiry = {
        .worker = worker, .peer = sheaf_msg_peer_at(worker, pe), .left = left};
    bool has_started;
    sheaf_msg_batch_first(worker, pe);
    sheaf_msg_enter(worker);
    if (is_alone(rows) && sheaf_msg_goes_native(inquiry.peer, rows->row->source))
        has_started = sheaf_msg_native_get_row(worker, inquiry.peer, rows->row, left);
    else
        has_started = sheaf_msg_may_send(worker, inquiry.peer) && get_all(&inquiry, rows);
    sheaf_msg_unlock(worker);
    return has_started;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of noncontiguous transfers and accumulates that arrive: rows are stored, added to or read at
 * the target, and stored at the origin. As in serve.c, nothing here may wait.
 */
#include "engine/message/serve/serve.h"

#include <stdlib.h>
#include <string.h>

static struct sheaf_scale scale_from_wire(const struct sheaf_msg_scale *on_wire)
{
    struct sheaf_scale scale = {.number = (enum sheaf_number)on_wire->number};
    memcpy(scale.alpha, on_wire->alpha, sizeof scale.alpha);
    return scale;
}

static void add_data(const struct sheaf_msg_arrival *arrival, const struct sheaf_msg_add *call)
{
    struct sheaf_scale scale = scale_from_wire(&call->scale);
    sheaf_msg_state.job.accumulate(sheaf_msg_at(call->put.address), arrival->data, arrival->length, &scale);
}

void sheaf_msg_handle_add(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    add_data(arrival, &header->add);
    sheaf_msg_add_pending_ack(arrival, 1);
}

/* As parts of puts: the last one's acknowledgement is enough. */
void sheaf_msg_handle_add_part(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    add_data(arrival, &header->add);
    sheaf_msg_count_writes(arrival->worker, 1);
}

static void add_row(const struct sheaf_msg_row *row, const unsigned char *data,
                    const struct sheaf_scale *scale)
{
    unsigned char *dest = sheaf_msg_at(row->address);
    for (uint32_t i = 0; i < row->count; i++)
        sheaf_msg_state.job.accumulate(dest + (ptrdiff_t)i * row->stride,
                                       data + (size_t)i * row->block_bytes, row->block_bytes, scale);
}

static size_t row_data_bytes(const struct sheaf_msg_row *row)
{
    return (size_t)row->block_bytes * row->count;
}

static bool is_row(const struct sheaf_msg_row *row, bool is_read)
{
    return row->block_bytes > 0 && row->count > 0 &&
           sheaf_msg_are_symmetric(row->address, row->stride, row->block_bytes, row->count, is_read);
}

bool sheaf_msg_admit_rows(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    const struct sheaf_msg_scale *scale = &header->rows.scale;
    struct sheaf_msg_row row;
    for (size_t at = 0; at < arrival->length; at += row_data_bytes(&row)) {
        if (arrival->length - at < sizeof row)
            return false;
        memcpy(&row, arrival->data + at, sizeof row);
        at += sizeof row;
        if (!is_row(&row, false) || row_data_bytes(&row) > arrival->length - at ||
            !sheaf_msg_are_numbers(scale, row.address, (uint64_t)row.stride, row.block_bytes))
            return false;
    }
    return true;
}

/* Stores blocks of data at dest, stride bytes apart. */
static void scatter_blocks(unsigned char *dest, ptrdiff_t stride, size_t block_bytes,
                           const unsigned char *data, size_t length)
{
    for (; length >= block_bytes; length -= block_bytes, data += block_bytes, dest += stride)
        sheaf_msg_store(dest, data, block_bytes);
}

static void store_all_rows(const struct sheaf_msg_arrival *arrival, const struct sheaf_scale *scale)
{
    struct sheaf_msg_row row;
    for (size_t at = 0; at < arrival->length; at += row_data_bytes(&row)) {
        memcpy(&row, arrival->data + at, sizeof row);
        at += sizeof row;
        if (scale->number == SHEAF_NUMBERS)
            scatter_blocks(sheaf_msg_at(row.address), row.stride, row.block_bytes,
                           arrival->data + at, row_data_bytes(&row));
        else
            add_row(&row, arrival->data + at, scale);
    }
}

static void answer_rows(const struct sheaf_msg_arrival *arrival, enum sheaf_msg_kind message,
                        uint64_t asked, void *packed, size_t bytes)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(arrival->worker, NULL);
    operation->header.done = (struct sheaf_msg_done){asked};
    operation->packed = packed;
    sheaf_msg_send_operation(operation, arrival->origin, message, packed, bytes);
}

void sheaf_msg_handle_rows(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    struct sheaf_scale scale = scale_from_wire(&header->rows.scale);
    store_all_rows(arrival, &scale);
    if (header->rows.operation)
        answer_rows(arrival, SHEAF_MSG_DONE, header->rows.operation, NULL, 0);
    else
        sheaf_msg_add_pending_ack(arrival, 1);
}

static struct sheaf_msg_row row_at(const struct sheaf_msg_arrival *arrival, size_t index)
{
    struct sheaf_msg_row row;
    memcpy(&row, arrival->data + index * sizeof row, sizeof row);
    return row;
}

bool sheaf_msg_admit_get_rows(const struct sheaf_msg_arrival *arrival,
                              const union sheaf_msg_header *header)
{
    size_t bytes = 0;
    (void)header;
    for (size_t i = 0; i < arrival->length / sizeof(struct sheaf_msg_row); i++) {
        struct sheaf_msg_row row = row_at(arrival, i);
        if (!is_row(&row, true) || row_data_bytes(&row) > SHEAF_TRANSPORT_FRAGMENT - bytes)
            return false;
        bytes += row_data_bytes(&row);
    }
    return bytes > 0 && arrival->length % sizeof(struct sheaf_msg_row) == 0;
}

static size_t gather_blocks(unsigned char *packed, const struct sheaf_msg_row *row)
{
    const unsigned char *source = sheaf_msg_at(row->address);
    for (uint32_t i = 0; i < row->count; i++, packed += row->block_bytes)
        memcpy(packed, source + (ptrdiff_t)i * row->stride, row->block_bytes);
    return row_data_bytes(row);
}

void sheaf_msg_handle_get_rows(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    size_t count = arrival->length / sizeof(struct sheaf_msg_row), bytes = 0, done = 0;
    struct sheaf_msg_row row;
    for (size_t i = 0; i < count; i++) {
        row = row_at(arrival, i);
        bytes += row_data_bytes(&row);
    }
    unsigned char *packed = malloc(bytes);
    if (!packed)
        sheaf_msg_failed(sheaf_msg_state.job.pe, "noncontiguous get", "no memory");
    for (size_t i = 0; i < count; i++) {
        row = row_at(arrival, i);
        done += gather_blocks(packed + done, &row);
    }
    answer_rows(arrival, SHEAF_MSG_ROWS_DATA, header->done.operation, packed, bytes);
}

void sheaf_msg_handle_rows_data(const struct sheaf_msg_arrival *arrival,
                                const union sheaf_msg_header *header)
{
    struct sheaf_msg_operation *asked = arrival->asked;
    (void)header;
    const struct sheaf_msg_request *request = asked->packed;
    const unsigned char *data = arrival->data;
    for (size_t i = 0; i < request->count; i++) {
        const struct sheaf_msg_row *row = &request->asked[i];
        scatter_blocks(request->targets[i].dest, request->targets[i].stride, row->block_bytes, data,
                       row_data_bytes(row));
        data += row_data_bytes(row);
    }
    sheaf_msg_operation_answered(asked, arrival->length);
}

void sheaf_msg_handle_done(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    (void)header;
    sheaf_msg_operation_answered(arrival->asked, 1);
}

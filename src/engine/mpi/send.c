/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends messages, with their data where that fits. Other data stays until it is fetched, or is sent
 * separately behind its message.
 */
#include "engine/mpi/mpi.h"

#include <string.h>

static void mpi_add_data(struct sheaf_mpi_send_buffer *buffer,
                         const struct sheaf_transport_message *message)
{
    if (message->bytes == 0)
        return;
    if (buffer->start_bytes + message->bytes > sizeof buffer->start) {
        buffer->source = message->source;
        buffer->source_bytes = message->bytes;
        buffer->operation = message->operation;
        return;
    }
    memcpy(buffer->start + buffer->start_bytes, message->source, message->bytes);
    buffer->start_bytes += message->bytes;
}

static const char *mpi_check_message(const sheaf_transport_link *link,
                                     const struct sheaf_transport_message *message)
{
    if (link->why)
        return link->why;
    if (message->header_bytes > SHEAF_TRANSPORT_HEADER)
        return "the header is too long";
    if (message->bytes > SHEAF_MPI_LONGEST && !message->may_ask)
        return "the message is too long";
    return NULL;
}

static enum sheaf_mpi_kind kind_of(const struct sheaf_transport_message *message)
{
    return message->bytes <= SHEAF_TRANSPORT_FRAGMENT ? SHEAF_MPI_MESSAGE
           : message->may_ask                         ? SHEAF_MPI_ASK
                                                      : SHEAF_MPI_LONG;
}

/* Prepares data that travels separately. Returns whether there is memory. */
static bool prepare_separate_data(struct sheaf_mpi_send_buffer *buffer,
                                  const struct sheaf_transport_message *message,
                                  struct sheaf_mpi_frame *frame)
{
    if (frame->kind == SHEAF_MPI_ASK)
        return (frame->number = sheaf_mpi_retain_data(buffer->link, message)) != 0;
    if (frame->kind != SHEAF_MPI_LONG)
        return true;
    buffer->data = sheaf_mpi_add_data(buffer->link, message);
    frame->data_tag = buffer->data ? (uint32_t)buffer->data->tag : 0;
    return buffer->data != NULL;
}

/* Makes the frame of a message, with its data where that fits. NULL: no memory. */
static struct sheaf_mpi_send_buffer *mpi_make_message(sheaf_transport_link *link,
                                                      const struct sheaf_transport_message *message)
{
    struct sheaf_mpi_frame frame = {.kind = (uint8_t)kind_of(message),
                                    .bytes = message->bytes,
                                    .is_answered = message->is_answered,
                                    .may_pass = message->may_pass,
                                    .header_bytes = (uint8_t)message->header_bytes};
    struct sheaf_mpi_send_buffer *buffer = sheaf_mpi_take_send_buffer(link);
    if (buffer && !prepare_separate_data(buffer, message, &frame)) {
        sheaf_mpi_free_send_buffer(link->port, buffer);
        buffer = NULL;
    }
    if (!buffer)
        return NULL;
    sheaf_mpi_begin_message(buffer, frame, message->header);
    if (frame.kind == SHEAF_MPI_MESSAGE)
        mpi_add_data(buffer, message);
    return buffer;
}

void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const char *why = mpi_check_message(link, message);
    bool is_whole = message->bytes <= SHEAF_TRANSPORT_FRAGMENT;
    struct sheaf_mpi_send_buffer *buffer = why ? NULL : mpi_make_message(link, message);
    if (!buffer) {
        sheaf_mpi_state.user->sent(message->operation, why ? why : "no memory");
        return;
    }
    bool is_reusable = sheaf_mpi_send_or_enqueue(buffer);
    if (is_reusable && is_whole)
        sheaf_mpi_state.user->sent(message->operation, link->why);
}

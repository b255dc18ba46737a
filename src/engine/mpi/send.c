/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that leave: as parcels, with their data where that fits; else it stays until it is fetched, or
 * leaves behind its message.
 */
#include "engine/mpi/mpi.h"

#include <string.h>

static void add_data(struct sheaf_mpi_parcel *parcel, const struct sheaf_transport_message *message)
{
    if (message->bytes == 0)
        return;
    if (parcel->start_bytes + message->bytes > sizeof parcel->start) {
        parcel->source = message->source;
        parcel->source_bytes = message->bytes;
        parcel->operation = message->operation;
        return;
    }
    memcpy(parcel->start + parcel->start_bytes, message->source, message->bytes);
    parcel->start_bytes += message->bytes;
}

static const char *check_message(const sheaf_transport_link *link,
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

/* What goes by itself. Returns whether there is memory for it. */
static bool part_with_data(struct sheaf_mpi_parcel *parcel, const struct sheaf_transport_message *message,
                           struct sheaf_mpi_frame *frame)
{
    if (frame->kind == SHEAF_MPI_ASK)
        return (frame->number = sheaf_mpi_keep(parcel->link, message)) != 0;
    if (frame->kind != SHEAF_MPI_LONG)
        return true;
    parcel->data = sheaf_mpi_add_data(parcel->link, message);
    frame->data_tag = parcel->data ? (uint32_t)parcel->data->tag : 0;
    return parcel->data != NULL;
}

/* The frame of a message, with its data where that fits. NULL: no memory. */
static struct sheaf_mpi_parcel *wrap(sheaf_transport_link *link,
                                     const struct sheaf_transport_message *message)
{
    struct sheaf_mpi_frame frame = {.kind = (uint8_t)kind_of(message),
                                    .bytes = message->bytes,
                                    .is_answered = message->is_answered,
                                    .may_pass = message->may_pass,
                                    .header_bytes = (uint8_t)message->header_bytes};
    struct sheaf_mpi_parcel *parcel = sheaf_mpi_take_parcel(link);
    if (parcel && !part_with_data(parcel, message, &frame)) {
        sheaf_mpi_free_parcel(link->port, parcel);
        parcel = NULL;
    }
    if (!parcel)
        return NULL;
    sheaf_mpi_begin(parcel, frame, message->header);
    if (frame.kind == SHEAF_MPI_MESSAGE)
        add_data(parcel, message);
    return parcel;
}

void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const char *why = check_message(link, message);
    bool is_whole = message->bytes <= SHEAF_TRANSPORT_FRAGMENT;
    struct sheaf_mpi_parcel *parcel = why ? NULL : wrap(link, message);
    if (!parcel) {
        sheaf_mpi_state.user->sent(message->operation, why ? why : "no memory");
        return;
    }
    bool is_reusable = sheaf_mpi_leave(parcel);
    if (is_reusable && is_whole)
        sheaf_mpi_state.user->sent(message->operation, link->why);
}

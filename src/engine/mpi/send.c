/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that leave: as parcels, with their data where that fits; else it stays until it is fetched.
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
    if (message->bytes > SHEAF_TRANSPORT_FRAGMENT && !message->may_ask)
        return "the message is longer than a fragment";
    return NULL;
}

/* The frame of a message; its data stays where it does not fit. NULL: no memory. */
static struct sheaf_mpi_parcel *wrap(sheaf_transport_link *link,
                                     const struct sheaf_transport_message *message,
                                     bool stays)
{
    struct sheaf_mpi_frame frame = {.kind = stays ? SHEAF_MPI_ASK : SHEAF_MPI_MESSAGE,
                                    .bytes = message->bytes,
                                    .is_answered = message->is_answered,
                                    .header_bytes = (uint8_t)message->header_bytes};
    struct sheaf_mpi_parcel *parcel = sheaf_mpi_take_parcel(link);
    if (parcel && stays && (frame.number = sheaf_mpi_keep(link, message)) == 0) {
        sheaf_mpi_free_parcel(link->port, parcel);
        parcel = NULL;
    }
    if (!parcel)
        return NULL;
    sheaf_mpi_begin(parcel, frame, message->header);
    if (!stays)
        add_data(parcel, message);
    return parcel;
}

void sheaf_mpi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const char *why = check_message(link, message);
    bool stays = message->bytes > SHEAF_TRANSPORT_FRAGMENT;
    struct sheaf_mpi_parcel *parcel = why ? NULL : wrap(link, message, stays);
    if (!parcel) {
        sheaf_mpi_state.user->sent(message->operation, why ? why : "no memory");
        return;
    }
    bool is_reusable = sheaf_mpi_leave(parcel);
    if (is_reusable && !stays)
        sheaf_mpi_state.user->sent(message->operation, link->why);
}

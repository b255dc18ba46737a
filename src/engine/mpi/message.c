/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: checked before any of them is used, and reported in their turn.
 */
#include "engine/mpi/mpi.h"

#include <string.h>

static bool is_long_valid(const struct sheaf_mpi_frame *frame)
{
    return frame->bytes > SHEAF_TRANSPORT_FRAGMENT && frame->bytes <= SHEAF_MPI_LONGEST &&
           frame->data_tag <= (uint32_t)sheaf_mpi_state.most_tag && frame->may_pass <= 1;
}

/* Number 0 belongs to data that comes without being asked for. */
static bool is_ask_valid(const struct sheaf_mpi_frame *frame)
{
    return frame->number != 0 && frame->bytes > SHEAF_TRANSPORT_FRAGMENT;
}

static bool mpi_is_valid_frame(const sheaf_transport_port *port, const struct sheaf_mpi_frame *frame)
{
    bool is_long = frame->kind == SHEAF_MPI_LONG;
    bool has_header = frame->kind == SHEAF_MPI_MESSAGE || frame->kind == SHEAF_MPI_ASK || is_long;
    return frame->secret == port->secret && frame->kind < SHEAF_MPI_KINDS && frame->is_answered <= 1 &&
           frame->header_bytes <= (has_header ? SHEAF_TRANSPORT_HEADER : 0) &&
           (!is_long || is_long_valid(frame)) && (frame->kind != SHEAF_MPI_ASK || is_ask_valid(frame));
}

bool sheaf_mpi_read_view(const sheaf_transport_port *port, const unsigned char *bytes, size_t length,
                         struct sheaf_mpi_view *view)
{
    if (length < sizeof view->frame || length > SHEAF_MPI_MOST)
        return false;
    memcpy(&view->frame, bytes, sizeof view->frame);
    if (!mpi_is_valid_frame(port, &view->frame))
        return false;
    size_t begins = sizeof view->frame + view->frame.header_bytes;
    uint64_t data_bytes = view->frame.kind == SHEAF_MPI_MESSAGE ? view->frame.bytes : 0;
    view->header = bytes + sizeof view->frame;
    view->data = bytes + begins;
    return begins <= length && data_bytes == length - begins;
}

struct sheaf_transport_arrival sheaf_mpi_arrival_of(sheaf_transport_link *link,
                                                    const struct sheaf_mpi_view *view)
{
    const struct sheaf_mpi_frame *frame = &view->frame;
    return (struct sheaf_transport_arrival){
        .header = view->header,
        .header_bytes = frame->header_bytes,
        .data = frame->kind == SHEAF_MPI_MESSAGE && frame->bytes > 0 ? view->data : NULL,
        .bytes = frame->bytes,
        .origin = frame->is_answered ? link : NULL,
    };
}

static void mpi_handle_message(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    const struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    sheaf_mpi_state.user->arrived(link->port->owner, &arrival);
}

/* The user fetches the data from within arrived(), or later, or never. */
static void mpi_handle_ask(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    uint64_t number = view->frame.number;
    struct sheaf_mpi_data *waiting = sheaf_mpi_expect_data(link, number, view->frame.bytes);
    if (!waiting) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    arrival.waiting = waiting;
    if (!sheaf_mpi_state.user->arrived(link->port->owner, &arrival) &&
        sheaf_mpi_forget_unfetched(link, number))
        sheaf_mpi_send_control(link, SHEAF_MPI_DROP, number, 0);
}

static void mpi_handle_fetch(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    sheaf_mpi_take_fetch(link, view->frame.number, view->frame.data_tag);
}

static void mpi_handle_drop(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    sheaf_mpi_take_drop(link, view->frame.number);
}

/* Its arrival is enough: a sleeping PE then looks often for a while. */
static void handle_look(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    (void)link, (void)view;
}

static void mpi_handle_goodbye(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    (void)view;
    sheaf_mpi_break(link, "its other end has been closed");
}

/* Handles a message in its turn. A LONG's turn comes once its data is here, and incoming.c reports it. */
void sheaf_mpi_handle_message(sheaf_transport_link *link, const struct sheaf_mpi_view *view)
{
    static void (*const handlers[SHEAF_MPI_KINDS])(sheaf_transport_link *,
                                                   const struct sheaf_mpi_view *) = {
        [SHEAF_MPI_MESSAGE] = mpi_handle_message, [SHEAF_MPI_ASK] = mpi_handle_ask,
        [SHEAF_MPI_FETCH] = mpi_handle_fetch,     [SHEAF_MPI_DROP] = mpi_handle_drop,
        [SHEAF_MPI_LOOK] = handle_look,       [SHEAF_MPI_GOODBYE] = mpi_handle_goodbye,
    };
    handlers[view->frame.kind](link, view);
}

void sheaf_mpi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message)
{
    struct sheaf_mpi_data *data = waiting;
    sheaf_transport_link *link = data->link;
    uint64_t number = data->number;
    int tag = sheaf_mpi_begin_fetch(data, dest, bytes, message);
    (void)port;
    if (tag >= 0)
        sheaf_mpi_send_control(link, SHEAF_MPI_FETCH, number, (uint32_t)tag);
}

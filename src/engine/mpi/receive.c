/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that arrive. A port's receives take messages with its tag from any sender, and MPI fills them
 * in the order in which they were posted. So one after the other they hold each sender's messages in the
 * order of sending.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>

/* Most messages taken in one turn. */
#define MOST_AT_ONCE 64

/* Most tests for the end of cancelled receives. */
#define LOOKS 100000

/* Frames about data that waits here, or about windows, need no order with the others. */
static bool is_in_order(enum sheaf_mpi_kind kind)
{
    return kind != SHEAF_MPI_FETCH && kind != SHEAF_MPI_DROP && kind != SHEAF_MPI_LOOK;
}

static void handle_frame(sheaf_transport_port *port, const unsigned char *bytes,
                         const struct sheaf_mpi_arrival *end)
{
    struct sheaf_mpi_view view;
    if (!sheaf_mpi_read_view(port, bytes, end->bytes, &view))
        return;
    sheaf_transport_link *link = sheaf_mpi_link_of(port, &view.frame, end->source);
    if (!link || link->why)
        return;
    link->has_met = true;
    enum sheaf_mpi_kind kind = (enum sheaf_mpi_kind)view.frame.kind;
    if (kind == SHEAF_MPI_LONG || (sheaf_mpi_has_incoming(link) && is_in_order(kind)))
        sheaf_mpi_queue_incoming(link, kind, bytes, end->bytes);
    else
        sheaf_mpi_handle_message(link, &view);
}

static int post_receive(sheaf_transport_port *port, struct sheaf_mpi_receive_buffer *buffer)
{
    int error = sheaf_mpi_state.shim->receive(&sheaf_mpi_state.messages, buffer->bytes,
                                              sizeof buffer->bytes, -1,
                                              port->tag, &buffer->request);
    buffer->is_posted = error == 0;
    return error;
}

bool sheaf_mpi_take_arrivals(sheaf_transport_port *port)
{
    bool any = false;
    for (int i = 0; i < MOST_AT_ONCE; i++) {
        struct sheaf_mpi_receive_buffer *buffer = &port->buffers[port->next];
        struct sheaf_mpi_arrival end;
        bool has_ended = !buffer->is_posted;
        int error = has_ended ? -1 : sheaf_mpi_state.shim->test(&buffer->request, &has_ended, &end);
        if (!has_ended)
            break;
        port->next = (port->next + 1) % SHEAF_MPI_RECEIVES;
        if (!error)
            handle_frame(port, buffer->bytes, &end);
        if (post_receive(port, buffer) != 0)
            break;
        any = true;
    }
    return any;
}

int sheaf_mpi_start_receiving(sheaf_transport_port *port, const char **why)
{
    port->buffers = calloc(SHEAF_MPI_RECEIVES, sizeof *port->buffers);
    *why = "no memory for what arrives";
    if (!port->buffers)
        return -1;
    *why = "MPI takes no buffers for what arrives";
    for (int i = 0; i < SHEAF_MPI_RECEIVES; i++)
        if (post_receive(port, &port->buffers[i]) != 0)
            return -1;
    return 0;
}

bool sheaf_mpi_stop_receiving(sheaf_transport_port *port)
{
    const struct sheaf_mpi_shim *shim = sheaf_mpi_state.shim;
    bool is_free = true;
    for (int i = 0; i < SHEAF_MPI_RECEIVES; i++) {
        struct sheaf_mpi_receive_buffer *buffer = &port->buffers[i];
        bool has_ended = !buffer->is_posted;
        if (!has_ended)
            shim->cancel(&buffer->request);
        for (int look = 0; !has_ended && look < LOOKS; look++)
            shim->test(&buffer->request, &has_ended, NULL);
        is_free &= has_ended;
    }
    return is_free;
}

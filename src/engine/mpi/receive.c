/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: looked at before any of it is used, and told. A port's receives take messages from
 * anybody with its tag, and MPI fills them in the order in which they were posted: so one after the
 * other they hold each sender's messages in the order in which it sent them.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

/* Messages that are taken in one turn. */
#define MOST_AT_ONCE 64

/* Looks for the end of receives that were cancelled. */
#define LOOKS 100000

/* A frame, and where in the message the rest lies. */
struct view {
    struct sheaf_mpi_frame frame;
    const unsigned char *header, *data;
};

static bool is_sound(const sheaf_transport_port *port, const struct sheaf_mpi_frame *frame)
{
    bool has_header = frame->kind == SHEAF_MPI_MESSAGE || frame->kind == SHEAF_MPI_ASK;
    return frame->secret == port->secret && frame->kind < SHEAF_MPI_KINDS && frame->is_answered <= 1 &&
           frame->header_bytes <= (has_header ? SHEAF_TRANSPORT_HEADER : 0);
}

static bool read_view(const sheaf_transport_port *port, const unsigned char *bytes, size_t length,
                      struct view *view)
{
    if (length < sizeof view->frame || length > SHEAF_MPI_MOST)
        return false;
    memcpy(&view->frame, bytes, sizeof view->frame);
    if (!is_sound(port, &view->frame))
        return false;
    size_t begins = sizeof view->frame + view->frame.header_bytes;
    uint64_t data_bytes = view->frame.kind == SHEAF_MPI_MESSAGE ? view->frame.bytes : 0;
    view->header = bytes + sizeof view->frame;
    view->data = bytes + begins;
    return begins <= length && data_bytes == length - begins;
}

static bool tell(sheaf_transport_link *link, const struct view *view, struct sheaf_mpi_data *waiting)
{
    const struct sheaf_mpi_frame *frame = &view->frame;
    const struct sheaf_transport_arrival arrival = {
        .header = view->header,
        .header_bytes = frame->header_bytes,
        .data = waiting || frame->bytes == 0 ? NULL : view->data,
        .bytes = frame->bytes,
        .waiting = waiting,
        .origin = frame->is_answered ? link : NULL,
    };
    return sheaf_mpi_state.user->arrived(link->port->owner, &arrival);
}

static void take_message(sheaf_transport_link *link, const struct view *view)
{
    tell(link, view, NULL);
}

/* The user fetches it from within tell(), or later, or never. */
static void take_ask(sheaf_transport_link *link, const struct view *view)
{
    uint64_t number = view->frame.number;
    struct sheaf_mpi_data *waiting = sheaf_mpi_await(link, number, view->frame.bytes);
    if (!waiting) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    if (!tell(link, view, waiting) && sheaf_mpi_forget_unfetched(link, number))
        sheaf_mpi_send_control(link, SHEAF_MPI_DROP, number, 0);
}

static void take_fetch(sheaf_transport_link *link, const struct view *view)
{
    sheaf_mpi_take_fetch(link, view->frame.number, view->frame.data_tag);
}

static void take_drop(sheaf_transport_link *link, const struct view *view)
{
    sheaf_mpi_take_drop(link, view->frame.number);
}

static void take_goodbye(sheaf_transport_link *link, const struct view *view)
{
    (void)view;
    sheaf_mpi_break(link, "its other end has been closed");
}

static void take(sheaf_transport_port *port, const unsigned char *bytes,
                 const struct sheaf_mpi_arrival *end)
{
    static void (*const takes[SHEAF_MPI_KINDS])(sheaf_transport_link *, const struct view *) = {
        [SHEAF_MPI_MESSAGE] = take_message, [SHEAF_MPI_ASK] = take_ask,
        [SHEAF_MPI_FETCH] = take_fetch,     [SHEAF_MPI_DROP] = take_drop,
        [SHEAF_MPI_GOODBYE] = take_goodbye,
    };
    struct view view;
    if (!read_view(port, bytes, end->bytes, &view))
        return;
    sheaf_transport_link *link = sheaf_mpi_link_of(port, &view.frame, end->source);
    if (!link || link->why)
        return;
    link->has_met = true;
    takes[view.frame.kind](link, &view);
}

static int post(sheaf_transport_port *port, struct sheaf_mpi_buffer *buffer)
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
        struct sheaf_mpi_buffer *buffer = &port->buffers[port->next];
        struct sheaf_mpi_arrival end;
        bool has_ended = !buffer->is_posted;
        int error = has_ended ? -1 : sheaf_mpi_state.shim->test(&buffer->request, &has_ended, &end);
        if (!has_ended)
            break;
        port->next = (port->next + 1) % SHEAF_MPI_RECEIVES;
        if (!error)
            take(port, buffer->bytes, &end);
        if (post(port, buffer) != 0)
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
        if (post(port, &port->buffers[i]) != 0)
            return -1;
    return 0;
}

bool sheaf_mpi_stop_receiving(sheaf_transport_port *port)
{
    const struct sheaf_mpi_shim *shim = sheaf_mpi_state.shim;
    bool is_free = true;
    for (int i = 0; i < SHEAF_MPI_RECEIVES; i++) {
        struct sheaf_mpi_buffer *buffer = &port->buffers[i];
        bool has_ended = !buffer->is_posted;
        if (!has_ended)
            shim->cancel(&buffer->request);
        for (int look = 0; !has_ended && look < LOOKS; look++)
            shim->test(&buffer->request, &has_ended, NULL);
        is_free &= has_ended;
    }
    return is_free;
}

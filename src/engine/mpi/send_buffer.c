/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Send buffers: messages on their way to MPI, in order on each link. The whole message is copied, a short
 * one into its send buffer, a long one into one of a few bounce buffers; its sender then continues. A
 * message for which no bounce buffer is free waits in the port's queue, and so do later ones on the same
 * link.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

/* Most bounce buffers of a port: 2 MiB, which a connection over TCP has under way. */
#define BOUNCES 32

/* Number of send buffers allocated at once, and most sends tested in one turn. */
#define SEND_BUFFERS 16
#define LOOKS   8

/* Limits of a link: messages whose data is being sent separately, and bytes of other messages sent behind
 * them. The receiver holds copies of those until the data has come. */
#define LONGS  4
#define BEHIND ((size_t)256 << 10)

static void mpi_make_send_buffers(sheaf_transport_port *port)
{
    for (int i = 0; i < SEND_BUFFERS; i++) {
        struct sheaf_mpi_send_buffer *buffer = malloc(sizeof *buffer);
        if (!buffer)
            return;
        buffer->next = port->free;
        port->free = buffer;
    }
}

struct sheaf_mpi_send_buffer *sheaf_mpi_take_send_buffer(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    if (!port->free)
        mpi_make_send_buffers(port);
    struct sheaf_mpi_send_buffer *buffer = port->free;
    if (!buffer)
        return NULL;
    port->free = buffer->next;
    buffer->link = link;
    buffer->source = NULL;
    buffer->source_bytes = 0;
    buffer->data = NULL;
    buffer->bounce = NULL;
    buffer->next = NULL;
    return buffer;
}

void sheaf_mpi_free_send_buffer(sheaf_transport_port *port, struct sheaf_mpi_send_buffer *buffer)
{
    if (buffer->bounce) {
        buffer->bounce->next = port->bounces;
        port->bounces = buffer->bounce;
    }
    buffer->next = port->free;
    port->free = buffer;
}

void sheaf_mpi_begin_message(struct sheaf_mpi_send_buffer *buffer, struct sheaf_mpi_frame frame,
                             const void *header)
{
    const sheaf_transport_link *link = buffer->link;
    frame.secret = link->secret;
    frame.sender = link->port->id;
    frame.sender_secret = link->port->secret;
    frame.sender_tag = (uint32_t)link->port->tag;
    memcpy(buffer->start, &frame, sizeof frame);
    if (header)
        memcpy(buffer->start + sizeof frame, header, frame.header_bytes);
    buffer->start_bytes = sizeof frame + frame.header_bytes;
}

static struct sheaf_mpi_bounce *take_bounce(sheaf_transport_port *port)
{
    struct sheaf_mpi_bounce *bounce = port->bounces;
    if (bounce)
        port->bounces = bounce->next;
    else if (port->bounces_made < BOUNCES && (bounce = malloc(sizeof *bounce)) != NULL)
        port->bounces_made++;
    return bounce;
}

/* Copies the message, so that its source may be reused. */
static bool copy_message(struct sheaf_mpi_send_buffer *buffer)
{
    buffer->bounce = take_bounce(buffer->link->port);
    if (!buffer->bounce)
        return false;
    memcpy(buffer->bounce->bytes, buffer->start, buffer->start_bytes);
    memcpy(buffer->bounce->bytes + buffer->start_bytes, buffer->source, buffer->source_bytes);
    return true;
}

static void append_to_list(struct sheaf_mpi_send_buffer ***last, struct sheaf_mpi_send_buffer *buffer)
{
    buffer->next = NULL;
    **last = buffer;
    *last = &buffer->next;
}

static bool may_send_now(const struct sheaf_mpi_send_buffer *buffer)
{
    const sheaf_transport_link *link = buffer->link;
    return link->longs == 0 || (link->longs < LONGS && link->behind < BEHIND);
}

static void count_behind(const struct sheaf_mpi_send_buffer *buffer)
{
    sheaf_transport_link *link = buffer->link;
    link->behind = link->longs ? link->behind + buffer->start_bytes + buffer->source_bytes : 0;
}

/* Gives the message to MPI. If MPI refuses it the link ends. */
static void mpi_post_send(struct sheaf_mpi_send_buffer *buffer)
{
    sheaf_transport_link *link = buffer->link;
    sheaf_transport_port *port = link->port;
    struct sheaf_mpi_data *data = buffer->data;
    const void *bytes = buffer->bounce ? buffer->bounce->bytes : buffer->start;
    bool has_ended = false;
    int error = sheaf_mpi_state.shim->send(&sheaf_mpi_state.messages, bytes,
                                           (int)(buffer->start_bytes + buffer->source_bytes), link->rank,
                                           link->tag, &buffer->request);
    link->has_met = true;
    count_behind(buffer);
    if (!error)
        error = sheaf_mpi_state.shim->test(&buffer->request, &has_ended, NULL);
    if (error)
        sheaf_mpi_break_by_error(link, error);
    if (error || has_ended)
        sheaf_mpi_free_send_buffer(port, buffer);
    else
        append_to_list(&port->posted_last, buffer);
    if (!error && data)
        sheaf_mpi_send_data(data);
}

static void mpi_enqueue_send(struct sheaf_mpi_send_buffer *buffer)
{
    sheaf_transport_port *port = buffer->link->port;
    append_to_list(&port->queue_last, buffer);
    buffer->link->queued++;
}

bool sheaf_mpi_send_or_enqueue(struct sheaf_mpi_send_buffer *buffer)
{
    if (buffer->link->queued || !may_send_now(buffer) || (buffer->source && !copy_message(buffer))) {
        mpi_enqueue_send(buffer);
        return !buffer->source;
    }
    mpi_post_send(buffer);
    return true;
}

void sheaf_mpi_send_control(sheaf_transport_link *link, enum sheaf_mpi_kind kind, uint64_t number,
                            uint32_t data_tag)
{
    struct sheaf_mpi_send_buffer *buffer = link->why ? NULL : sheaf_mpi_take_send_buffer(link);
    if (!buffer) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    struct sheaf_mpi_frame frame = {.kind = (uint8_t)kind, .number = number, .data_tag = data_tag};
    sheaf_mpi_begin_message(buffer, frame, NULL);
    sheaf_mpi_send_or_enqueue(buffer);
}

/* Tests the oldest first; those still under way go to the end of the list. */
bool sheaf_mpi_take_sent(sheaf_transport_port *port)
{
    const struct sheaf_mpi_send_buffer *first_pending = NULL;
    bool any = false, has_ended;
    for (int look = 0; look < LOOKS && port->posted && port->posted != first_pending; look++) {
        struct sheaf_mpi_send_buffer *buffer = port->posted;
        int error = sheaf_mpi_state.shim->test(&buffer->request, &has_ended, NULL);
        port->posted = buffer->next;
        if (!port->posted)
            port->posted_last = &port->posted;
        if (error)
            sheaf_mpi_break_by_error(buffer->link, error);
        if (has_ended)
            sheaf_mpi_free_send_buffer(port, buffer);
        else
            append_to_list(&port->posted_last, buffer);
        if (!has_ended && !first_pending)
            first_pending = buffer;
        any |= has_ended;
    }
    return any;
}

bool sheaf_mpi_send_queued(sheaf_transport_port *port)
{
    bool any = false;
    while (port->queue) {
        struct sheaf_mpi_send_buffer *buffer = port->queue;
        sheaf_transport_link *link = buffer->link;
        const void *source = buffer->source;
        void *operation = buffer->operation;
        if (!link->why && (!may_send_now(buffer) || (source && !copy_message(buffer))))
            return any;
        port->queue = buffer->next;
        if (!port->queue)
            port->queue_last = &port->queue;
        link->queued--;
        if (link->why)
            sheaf_mpi_free_send_buffer(port, buffer);
        else
            mpi_post_send(buffer);
        if (source)
            sheaf_mpi_state.user->sent(operation, link->why);
        any = true;
    }
    return any;
}

/* Removes the link's messages from the port's queue before their ends are reported, since a report may
 * send more. */
static struct sheaf_mpi_send_buffer *take_queued(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    struct sheaf_mpi_send_buffer *buffer = port->queue, *next, *taken = NULL, **taken_last = &taken;
    port->queue = NULL;
    port->queue_last = &port->queue;
    for (; buffer; buffer = next) {
        next = buffer->next;
        append_to_list(buffer->link == link ? &taken_last : &port->queue_last, buffer);
    }
    link->queued = 0;
    return taken;
}

void sheaf_mpi_end_sends(sheaf_transport_link *link)
{
    struct sheaf_mpi_send_buffer *buffer = take_queued(link), *next;
    for (; buffer; buffer = next) {
        next = buffer->next;
        if (buffer->source)
            sheaf_mpi_state.user->sent(buffer->operation, link->why);
        sheaf_mpi_free_send_buffer(link->port, buffer);
    }
}

static void free_buffer_list(struct sheaf_mpi_send_buffer *list)
{
    while (list) {
        struct sheaf_mpi_send_buffer *next = list->next;
        free(list);
        list = next;
    }
}

/* Memory that MPI still reads is not freed; the queued and free ones have no bounce buffer. */
void sheaf_mpi_free_send_buffers(sheaf_transport_port *port)
{
    free_buffer_list(port->queue);
    free_buffer_list(port->free);
    while (port->bounces) {
        struct sheaf_mpi_bounce *next = port->bounces->next;
        free(port->bounces);
        port->bounces = next;
    }
}

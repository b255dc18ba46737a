/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parcels: messages on their way to MPI, in order on each link. All of a message is copied, a short one
 * into its parcel, a long one into one of a few bounces; then its sender goes on. A parcel that finds no
 * bounce waits in the port's queue, and so does whatever follows on the same link.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

/* Of a port, at most: 2 MiB, which is what a connection over TCP has under way. */
#define BOUNCES 32

/* Parcels that are made at once, and those whose end is looked for in one turn. */
#define PARCELS 16
#define LOOKS   8

/* Of a link: messages whose data is leaving behind them, and bytes of others that may leave behind these:
 * the receiver keeps copies of them until that data has come. */
#define LONGS  4
#define BEHIND ((size_t)256 << 10)

static void make_parcels(sheaf_transport_port *port)
{
    for (int i = 0; i < PARCELS; i++) {
        struct sheaf_mpi_parcel *parcel = malloc(sizeof *parcel);
        if (!parcel)
            return;
        parcel->next = port->free;
        port->free = parcel;
    }
}

struct sheaf_mpi_parcel *sheaf_mpi_take_parcel(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    if (!port->free)
        make_parcels(port);
    struct sheaf_mpi_parcel *parcel = port->free;
    if (!parcel)
        return NULL;
    port->free = parcel->next;
    parcel->link = link;
    parcel->source = NULL;
    parcel->source_bytes = 0;
    parcel->data = NULL;
    parcel->bounce = NULL;
    parcel->next = NULL;
    return parcel;
}

void sheaf_mpi_free_parcel(sheaf_transport_port *port, struct sheaf_mpi_parcel *parcel)
{
    if (parcel->bounce) {
        parcel->bounce->next = port->bounces;
        port->bounces = parcel->bounce;
    }
    parcel->next = port->free;
    port->free = parcel;
}

void sheaf_mpi_begin(struct sheaf_mpi_parcel *parcel, struct sheaf_mpi_frame frame, const void *header)
{
    const sheaf_transport_link *link = parcel->link;
    frame.secret = link->secret;
    frame.sender = link->port->id;
    frame.sender_secret = link->port->secret;
    frame.sender_tag = (uint32_t)link->port->tag;
    memcpy(parcel->start, &frame, sizeof frame);
    if (header)
        memcpy(parcel->start + sizeof frame, header, frame.header_bytes);
    parcel->start_bytes = sizeof frame + frame.header_bytes;
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

/* Its source may be reused afterwards. */
static bool copy_all(struct sheaf_mpi_parcel *parcel)
{
    parcel->bounce = take_bounce(parcel->link->port);
    if (!parcel->bounce)
        return false;
    memcpy(parcel->bounce->bytes, parcel->start, parcel->start_bytes);
    memcpy(parcel->bounce->bytes + parcel->start_bytes, parcel->source, parcel->source_bytes);
    return true;
}

static void append(struct sheaf_mpi_parcel ***last, struct sheaf_mpi_parcel *parcel)
{
    parcel->next = NULL;
    **last = parcel;
    *last = &parcel->next;
}

static bool may_leave(const struct sheaf_mpi_parcel *parcel)
{
    const sheaf_transport_link *link = parcel->link;
    return link->longs == 0 || (link->longs < LONGS && link->behind < BEHIND);
}

static void count_behind(const struct sheaf_mpi_parcel *parcel)
{
    sheaf_transport_link *link = parcel->link;
    link->behind = link->longs ? link->behind + parcel->start_bytes + parcel->source_bytes : 0;
}

/* To MPI. Where that refuses it the link ends. */
static void post(struct sheaf_mpi_parcel *parcel)
{
    sheaf_transport_link *link = parcel->link;
    sheaf_transport_port *port = link->port;
    struct sheaf_mpi_data *data = parcel->data;
    const void *bytes = parcel->bounce ? parcel->bounce->bytes : parcel->start;
    bool has_ended = false;
    int error = sheaf_mpi_state.shim->send(&sheaf_mpi_state.messages, bytes,
                                           (int)(parcel->start_bytes + parcel->source_bytes), link->rank,
                                           link->tag, &parcel->request);
    link->has_met = true;
    count_behind(parcel);
    if (!error)
        error = sheaf_mpi_state.shim->test(&parcel->request, &has_ended, NULL);
    if (error)
        sheaf_mpi_break_by_error(link, error);
    if (error || has_ended)
        sheaf_mpi_free_parcel(port, parcel);
    else
        append(&port->posted_last, parcel);
    if (!error && data)
        sheaf_mpi_send_data(data);
}

static void enqueue(struct sheaf_mpi_parcel *parcel)
{
    sheaf_transport_port *port = parcel->link->port;
    append(&port->queue_last, parcel);
    parcel->link->queued++;
}

bool sheaf_mpi_leave(struct sheaf_mpi_parcel *parcel)
{
    if (parcel->link->queued || !may_leave(parcel) || (parcel->source && !copy_all(parcel))) {
        enqueue(parcel);
        return !parcel->source;
    }
    post(parcel);
    return true;
}

void sheaf_mpi_send_control(sheaf_transport_link *link, enum sheaf_mpi_kind kind, uint64_t number,
                            uint32_t data_tag)
{
    struct sheaf_mpi_parcel *parcel = link->why ? NULL : sheaf_mpi_take_parcel(link);
    if (!parcel) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    struct sheaf_mpi_frame frame = {.kind = (uint8_t)kind, .number = number, .data_tag = data_tag};
    sheaf_mpi_begin(parcel, frame, NULL);
    sheaf_mpi_leave(parcel);
}

/* The oldest first; what is still under way goes behind the others. */
bool sheaf_mpi_take_sent(sheaf_transport_port *port)
{
    const struct sheaf_mpi_parcel *first_kept = NULL;
    bool any = false, has_ended;
    for (int look = 0; look < LOOKS && port->posted && port->posted != first_kept; look++) {
        struct sheaf_mpi_parcel *parcel = port->posted;
        int error = sheaf_mpi_state.shim->test(&parcel->request, &has_ended, NULL);
        port->posted = parcel->next;
        if (!port->posted)
            port->posted_last = &port->posted;
        if (error)
            sheaf_mpi_break_by_error(parcel->link, error);
        if (has_ended)
            sheaf_mpi_free_parcel(port, parcel);
        else
            append(&port->posted_last, parcel);
        if (!has_ended && !first_kept)
            first_kept = parcel;
        any |= has_ended;
    }
    return any;
}

bool sheaf_mpi_send_queued(sheaf_transport_port *port)
{
    bool any = false;
    while (port->queue) {
        struct sheaf_mpi_parcel *parcel = port->queue;
        sheaf_transport_link *link = parcel->link;
        const void *source = parcel->source;
        void *operation = parcel->operation;
        if (!link->why && (!may_leave(parcel) || (source && !copy_all(parcel))))
            return any;
        port->queue = parcel->next;
        if (!port->queue)
            port->queue_last = &port->queue;
        link->queued--;
        if (link->why)
            sheaf_mpi_free_parcel(port, parcel);
        else
            post(parcel);
        if (source)
            sheaf_mpi_state.user->sent(operation, link->why);
        any = true;
    }
    return any;
}

/* Those of the link leave the port's queue before anything is told, which may send more. */
static struct sheaf_mpi_parcel *take_queued(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    struct sheaf_mpi_parcel *parcel = port->queue, *next, *taken = NULL, **taken_last = &taken;
    port->queue = NULL;
    port->queue_last = &port->queue;
    for (; parcel; parcel = next) {
        next = parcel->next;
        append(parcel->link == link ? &taken_last : &port->queue_last, parcel);
    }
    link->queued = 0;
    return taken;
}

void sheaf_mpi_end_sends(sheaf_transport_link *link)
{
    struct sheaf_mpi_parcel *parcel = take_queued(link), *next;
    for (; parcel; parcel = next) {
        next = parcel->next;
        if (parcel->source)
            sheaf_mpi_state.user->sent(parcel->operation, link->why);
        sheaf_mpi_free_parcel(link->port, parcel);
    }
}

static void free_list(struct sheaf_mpi_parcel *list)
{
    while (list) {
        struct sheaf_mpi_parcel *next = list->next;
        free(list);
        list = next;
    }
}

/* What MPI still reads stays, of no use to anybody; the others have no bounce. */
void sheaf_mpi_free_parcels(sheaf_transport_port *port)
{
    free_list(port->queue);
    free_list(port->free);
    while (port->bounces) {
        struct sheaf_mpi_bounce *next = port->bounces->next;
        free(port->bounces);
        port->bounces = next;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Incoming messages of a link whose data arrives separately, straight at its destination, and messages
 * that arrived behind them. All are reported in the order in which they were sent. Data is received
 * before its turn where its sender allows that, so that MPI has several pieces under way.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

bool sheaf_mpi_has_incoming(const sheaf_transport_link *link)
{
    return link->incoming != NULL;
}

/* The message was checked when it arrived. */
static struct sheaf_mpi_view view_of(const sheaf_transport_link *link,
                                     const struct sheaf_mpi_incoming *incoming)
{
    struct sheaf_mpi_view view = {0};
    sheaf_mpi_read_view(link->port, incoming->bytes, incoming->length, &view);
    return view;
}

/* The data's destination, or memory to discard it in. */
static void *find_destination(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                              struct sheaf_mpi_incoming *incoming)
{
    const struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    void *place = sheaf_mpi_state.user->destination(link->port->owner, &arrival);
    incoming->is_unwanted = !place;
    return place ? place : malloc(view->frame.bytes);
}

static void begin_receive(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                          struct sheaf_mpi_incoming *incoming)
{
    incoming->has_begun = true;
    incoming->dest = find_destination(link, view, incoming);
    if (!incoming->dest || !sheaf_mpi_receive_data(link, incoming, view->frame.bytes, view->frame.data_tag))
        sheaf_mpi_break(link, "no memory");
}

static void tell_long_message(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                              struct sheaf_mpi_incoming *incoming)
{
    struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    arrival.data = incoming->dest;
    if (incoming->is_unwanted)
        free(incoming->dest);
    else
        sheaf_mpi_state.user->arrived(link->port->owner, &arrival);
}

/* Reports the first message of the list, if it is complete. Returns whether it was. */
static bool finish_first(sheaf_transport_link *link)
{
    struct sheaf_mpi_incoming *first = link->incoming;
    const struct sheaf_mpi_view view = view_of(link, first);
    bool is_long = view.frame.kind == SHEAF_MPI_LONG;
    if (is_long && !first->has_begun)
        begin_receive(link, &view, first);
    if (is_long && !first->is_here)
        return false;
    if (is_long)
        tell_long_message(link, &view, first);
    else
        sheaf_mpi_handle_message(link, &view);
    link->incoming = first->next;
    if (!link->incoming)
        link->incoming_last = &link->incoming;
    free(first);
    return true;
}

static void begin_receives_early(sheaf_transport_link *link)
{
    for (struct sheaf_mpi_incoming *incoming = link->incoming; incoming &&
         !link->why; incoming = incoming->next) {
        const struct sheaf_mpi_view view = view_of(link, incoming);
        if (view.frame.kind != SHEAF_MPI_LONG || incoming->has_begun)
            continue;
        if (!view.frame.may_pass)
            return;
        begin_receive(link, &view, incoming);
    }
}

static void continue_incoming(sheaf_transport_link *link)
{
    while (!link->why && link->incoming && finish_first(link))
        ;
    begin_receives_early(link);
}

bool sheaf_mpi_report_incoming(sheaf_transport_port *port)
{
    sheaf_transport_link *link = port->due;
    bool any = link != NULL;
    port->due = NULL;
    while (link) {
        sheaf_transport_link *next = link->next_due;
        link->is_due = false;
        continue_incoming(link);
        link = next;
    }
    return any;
}

/* Only another LONG may begin early, so nothing else is tried here: thousands of short messages may come
 * behind a LONG. */
void sheaf_mpi_queue_incoming(sheaf_transport_link *link, enum sheaf_mpi_kind kind,
                              const unsigned char *bytes,
                              size_t length)
{
    struct sheaf_mpi_incoming *incoming = malloc(sizeof *incoming + length);
    if (!incoming) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    *incoming = (struct sheaf_mpi_incoming){.length = length};
    memcpy(incoming->bytes, bytes, length);
    *link->incoming_last = incoming;
    link->incoming_last = &incoming->next;
    if (kind == SHEAF_MPI_LONG)
        continue_incoming(link);
}

/* Unwanted data may still be on its way: its memory is not freed then. */
void sheaf_mpi_free_incoming(sheaf_transport_link *link)
{
    while (link->incoming) {
        struct sheaf_mpi_incoming *incoming = link->incoming;
        link->incoming = incoming->next;
        if (incoming->is_unwanted && incoming->is_here)
            free(incoming->dest);
        free(incoming);
    }
}

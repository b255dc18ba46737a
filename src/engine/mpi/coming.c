/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is coming on a link: messages whose data arrives by itself, straight where it belongs, and those
 * that arrived behind them. All are told in the order in which they were sent. Data is received before its
 * turn where its sender allows that, so that MPI has several pieces under way.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

bool sheaf_mpi_has_coming(const sheaf_transport_link *link)
{
    return link->coming != NULL;
}

/* It was sound when it arrived. */
static struct sheaf_mpi_view view_of(const sheaf_transport_link *link,
                                     const struct sheaf_mpi_coming *coming)
{
    struct sheaf_mpi_view view = {0};
    sheaf_mpi_read_view(link->port, coming->bytes, coming->length, &view);
    return view;
}

/* Where it belongs, or where it does no harm. */
static void *place_of(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                      struct sheaf_mpi_coming *coming)
{
    const struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    void *place = sheaf_mpi_state.user->place(link->port->owner, &arrival);
    coming->is_unwanted = !place;
    return place ? place : malloc(view->frame.bytes);
}

static void begin(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                  struct sheaf_mpi_coming *coming)
{
    coming->has_begun = true;
    coming->dest = place_of(link, view, coming);
    if (!coming->dest || !sheaf_mpi_receive_data(link, coming, view->frame.bytes, view->frame.data_tag))
        sheaf_mpi_break(link, "no memory");
}

static void tell(sheaf_transport_link *link, const struct sheaf_mpi_view *view,
                 struct sheaf_mpi_coming *coming)
{
    struct sheaf_transport_arrival arrival = sheaf_mpi_arrival_of(link, view);
    arrival.data = coming->dest;
    if (coming->is_unwanted)
        free(coming->dest);
    else
        sheaf_mpi_state.user->arrived(link->port->owner, &arrival);
}

/* The first of the list, where its turn has come. */
static bool take_first(sheaf_transport_link *link)
{
    struct sheaf_mpi_coming *first = link->coming;
    const struct sheaf_mpi_view view = view_of(link, first);
    bool is_long = view.frame.kind == SHEAF_MPI_LONG;
    if (is_long && !first->has_begun)
        begin(link, &view, first);
    if (is_long && !first->is_here)
        return false;
    if (is_long)
        tell(link, &view, first);
    else
        sheaf_mpi_take(link, &view);
    link->coming = first->next;
    if (!link->coming)
        link->coming_last = &link->coming;
    free(first);
    return true;
}

static void begin_early(sheaf_transport_link *link)
{
    for (struct sheaf_mpi_coming *coming = link->coming; coming && !link->why; coming = coming->next) {
        const struct sheaf_mpi_view view = view_of(link, coming);
        if (view.frame.kind != SHEAF_MPI_LONG || coming->has_begun)
            continue;
        if (!view.frame.may_pass)
            return;
        begin(link, &view, coming);
    }
}

static void go_on(sheaf_transport_link *link)
{
    while (!link->why && link->coming && take_first(link))
        ;
    begin_early(link);
}

bool sheaf_mpi_tell_coming(sheaf_transport_port *port)
{
    sheaf_transport_link *link = port->due;
    bool any = link != NULL;
    port->due = NULL;
    while (link) {
        sheaf_transport_link *next = link->next_due;
        link->is_due = false;
        go_on(link);
        link = next;
    }
    return any;
}

/* Behind a LONG nothing but another one can begin: thousands of short messages may come meanwhile. */
void sheaf_mpi_keep_coming(sheaf_transport_link *link, enum sheaf_mpi_kind kind, const unsigned char *bytes,
                           size_t length)
{
    struct sheaf_mpi_coming *coming = malloc(sizeof *coming + length);
    if (!coming) {
        sheaf_mpi_break(link, "no memory");
        return;
    }
    *coming = (struct sheaf_mpi_coming){.length = length};
    memcpy(coming->bytes, bytes, length);
    *link->coming_last = coming;
    link->coming_last = &coming->next;
    if (kind == SHEAF_MPI_LONG)
        go_on(link);
}

/* Unwanted data may still be on its way: its memory stays. */
void sheaf_mpi_free_coming(sheaf_transport_link *link)
{
    while (link->coming) {
        struct sheaf_mpi_coming *coming = link->coming;
        link->coming = coming->next;
        if (coming->is_unwanted && coming->is_here)
            free(coming->dest);
        free(coming);
    }
}

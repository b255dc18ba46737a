/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The link: another port as this one knows it, by the number that the other one drew. It comes about when
 * somebody connects, or when a first message arrives; both ways of talking to that port are one link.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_PLACES 16

static sheaf_transport_link **place_of(const sheaf_transport_port *port, uint64_t id)
{
    return &port->table[id & (port->table_size - 1)];
}

static sheaf_transport_link *find(const sheaf_transport_port *port, uint64_t id)
{
    sheaf_transport_link *link = port->table ? *place_of(port, id) : NULL;
    while (link && link->id != id)
        link = link->next_alike;
    return link;
}

static void enter(sheaf_transport_port *port, sheaf_transport_link *link)
{
    sheaf_transport_link **place = place_of(port, link->id);
    link->next_alike = *place;
    *place = link;
}

static bool make_room(sheaf_transport_port *port)
{
    if (port->links_count < port->table_size)
        return true;
    size_t size = port->table_size ? 2 * port->table_size : LEAST_PLACES;
    sheaf_transport_link **table = calloc(size, sizeof(sheaf_transport_link *));
    if (!table)
        return false;
    free(port->table);
    port->table = table;
    port->table_size = size;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        enter(port, link);
    return true;
}

static sheaf_transport_link *make(sheaf_transport_port *port, const struct sheaf_mpi_address *other)
{
    sheaf_transport_link *link = make_room(port) ? calloc(1, sizeof *link) : NULL;
    if (!link)
        return NULL;
    link->port = port;
    link->id = other->port;
    link->secret = other->secret;
    link->rank = (int)other->rank;
    link->tag = (int)other->tag;
    link->next = port->links;
    port->links = link;
    port->links_count++;
    enter(port, link);
    return link;
}

static bool is_sound(const struct sheaf_mpi_address *address)
{
    return address->rank < (uint32_t)sheaf_mpi_state.size &&
           address->tag <= (uint32_t)sheaf_mpi_state.most_tag;
}

sheaf_transport_link *sheaf_mpi_link_of(sheaf_transport_port *port, const struct sheaf_mpi_frame *frame,
                                        int rank)
{
    const struct sheaf_mpi_address other = {frame->sender, frame->sender_secret, (uint32_t)rank,
                                            frame->sender_tag};
    sheaf_transport_link *link = find(port, frame->sender);
    if (!link && is_sound(&other))
        link = make(port, &other);
    return link && link->rank == rank ? link : NULL;
}

sheaf_transport_link *sheaf_mpi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why)
{
    struct sheaf_mpi_address other;
    *why = "its address has another length: give all hosts the same version of Sheaf";
    if (length != sizeof other)
        return NULL;
    memcpy(&other, address, sizeof other);
    *why = "its address names a rank or a tag that MPI has not: give all hosts the same MPI";
    if (!is_sound(&other))
        return NULL;
    sheaf_transport_link *link = find(port, other.port);
    if (!link)
        link = make(port, &other);
    *why = link ? link->why : "no memory";
    if (*why)
        return NULL;
    link->peer = peer;
    link->has_peer = true;
    return link;
}

void sheaf_mpi_break_by_error(sheaf_transport_link *link, int error)
{
    if (link->why)
        return;
    sheaf_mpi_state.shim->words(error, link->reason, sizeof link->reason);
    sheaf_mpi_break(link, link->reason);
}

void sheaf_mpi_end_broken(sheaf_transport_port *port)
{
    while (port->broken) {
        sheaf_transport_link *link = port->broken;
        port->broken = link->next_broken;
        sheaf_mpi_end_sends(link);
        sheaf_mpi_end_data(link);
        if (link->has_peer)
            sheaf_mpi_state.user->lost(link->peer, link->why);
    }
}

/* With their port: whatever is under way is not told. */
void sheaf_mpi_free_links(sheaf_transport_port *port)
{
    while (port->links) {
        sheaf_transport_link *link = port->links;
        port->links = link->next;
        while (link->data) {
            struct sheaf_mpi_data *data = link->data;
            link->data = data->next;
            free(data);
        }
        free(link);
    }
    free(port->table);
}

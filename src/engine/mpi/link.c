/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The link: another port as this one knows it, by the number that the other one drew. A link is made when
 * this port connects, or when a first message arrives; both directions use the same link.
 */
#include "engine/mpi/mpi.h"

#include <stdlib.h>
#include <string.h>

static sheaf_transport_link *find_link(const sheaf_transport_port *port, uint64_t id)
{
    return (sheaf_transport_link *)sheaf_link_find(&port->table, id);
}

static sheaf_transport_link *make_link(sheaf_transport_port *port, const struct sheaf_mpi_address *other)
{
    sheaf_transport_link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->entry.id = other->port;
    if (!sheaf_link_enter(&port->table, &link->entry)) {
        free(link);
        return NULL;
    }
    link->port = port;
    link->secret = other->secret;
    link->rank = (int)other->rank;
    link->tag = (int)other->tag;
    link->waiting_last = &link->waiting;
    link->incoming_last = &link->incoming;
    link->next = port->links;
    port->links = link;
    return link;
}

static bool is_valid_address(const struct sheaf_mpi_address *address)
{
    return address->rank < (uint32_t)sheaf_mpi_state.size &&
           address->tag <= (uint32_t)sheaf_mpi_state.most_tag;
}

sheaf_transport_link *sheaf_mpi_link_of(sheaf_transport_port *port, const struct sheaf_mpi_frame *frame,
                                        int rank)
{
    const struct sheaf_mpi_address other = {frame->sender, frame->sender_secret, (uint32_t)rank,
                                            frame->sender_tag};
    sheaf_transport_link *link = find_link(port, frame->sender);
    if (!link && is_valid_address(&other))
        link = make_link(port, &other);
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
    if (!is_valid_address(&other))
        return NULL;
    sheaf_transport_link *link = find_link(port, other.port);
    if (!link)
        link = make_link(port, &other);
    *why = link ? link->why : "no memory";
    if (*why)
        return NULL;
    link->peer = peer;
    link->has_peer = true;
    return link;
}

/* With their port. Operations under way are not reported. */
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
        sheaf_mpi_free_incoming(link);
        free(link);
    }
    sheaf_link_table_free(&port->table);
}

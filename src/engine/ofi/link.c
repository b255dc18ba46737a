/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The link: another port as this one knows it, by the number that the other one drew. A link is made when
 * this port connects, or when a first message arrives; both directions use the same link.
 */
#include "engine/ofi/ofi.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sheaf_transport_link *sheaf_ofi_find_link(sheaf_transport_port *port, uint64_t id)
{
    return (sheaf_transport_link *)sheaf_link_find(&port->table, id);
}

sheaf_transport_link *sheaf_ofi_make_link(sheaf_transport_port *port, uint64_t id)
{
    sheaf_transport_link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->entry.id = id;
    if (!sheaf_link_enter(&port->table, &link->entry)) {
        free(link);
        return NULL;
    }
    link->port = port;
    link->last = &link->first;
    link->order.queued_last = &link->order.queued;
    link->next = port->links;
    port->links = link;
    return link;
}

/* All names of a provider have the length of this port's. */
const char *sheaf_ofi_introduce(sheaf_transport_link *link, uint64_t secret, const void *name)
{
    sheaf_transport_port *port = link->port;
    memcpy(link->name, name, port->name_bytes);
    if (fi_av_insert(port->addresses, link->name, 1, &link->address, 0, NULL) != 1)
        return "libfabric does not take its address";
    link->secret = secret;
    link->is_known = true;
    return NULL;
}

static const char *print_providers(const struct sheaf_ofi_address *head)
{
    static __thread char why[200];
    char theirs[sizeof head->provider];
    snprintf(theirs, sizeof theirs, "%.*s", (int)sizeof theirs - 1, head->provider);
    for (char *at = theirs; *at; at++)
        if (!isgraph((unsigned char)*at))
            *at = '?';
    snprintf(why, sizeof why, "its libfabric uses the provider %s, and this PE's %s: set the same "
             "SHEAF_OFI_PROVIDER for all hosts", theirs, sheaf_ofi_state.info->fabric_attr->prov_name);
    return why;
}

/* Returns NULL, or the reason why the port cannot be connected to. */
static const char *check_address(const sheaf_transport_port *port, const struct sheaf_ofi_address *head,
                                 size_t length)
{
    if (strncmp(head->provider, sheaf_ofi_state.info->fabric_attr->prov_name,
                sizeof head->provider - 1) != 0)
        return print_providers(head);
    if (head->is_gated != sheaf_ofi_state.is_gated)
        return "its libfabric is built another way, so that one of the two hosts cannot keep strangers "
               "out: give all hosts the same libfabric";
    if (head->fragment != sheaf_ofi_state.sizes.fragment)
        return "its messages are of another length: give all hosts the same libfabric and "
               "SHEAF_OFI_PROVIDER";
    if (length != sizeof *head + port->name_bytes)
        return "its address has another length: give all hosts the same libfabric and SHEAF_OFI_PROVIDER";
    return NULL;
}

sheaf_transport_link *sheaf_ofi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why)
{
    struct sheaf_ofi_address head;
    *why = "its address is too short";
    if (length < sizeof head)
        return NULL;
    memcpy(&head, address, sizeof head);
    if ((*why = check_address(port, &head, length)) != NULL)
        return NULL;
    sheaf_transport_link *link = sheaf_ofi_find_link(port, head.port);
    if (!link)
        link = sheaf_ofi_make_link(port, head.port);
    *why = link ? link->why : "no memory";
    if (link && !link->is_known)
        *why = sheaf_ofi_introduce(link, head.introduction.secret, (const char *)address + sizeof head);
    if (*why)
        return NULL;
    link->peer = peer;
    link->has_peer = true;
    return link;
}

/* With its port. Operations under way are not reported. */
void sheaf_ofi_free_link(sheaf_transport_link *link)
{
    sheaf_ofi_probe_stop(link);
    for (struct sheaf_ofi_retained *retained = link->retained, *next; retained; retained = next) {
        next = retained->next;
        free(retained);
    }
    for (struct sheaf_ofi_early *early = link->early, *next; early; early = next) {
        next = early->next;
        free(early);
    }
    for (struct sheaf_ofi_waiting *waiting = link->waiting, *next; waiting; waiting = next) {
        next = waiting->next;
        free(waiting);
    }
    free(link);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests: what a provider without injection would read after the call, and so is given to it in a later
 * turn. Until then it counts as given: whoever reuses its memory too early sends something else. The end of
 * whatever was given, by its ticket.
 */
#include "engine/ofi/ofi.h"

static struct sheaf_ofi_access *access_of(struct sheaf_ofi_ticket *ticket)
{
    return (struct sheaf_ofi_access *)(void *)((char *)ticket - offsetof(struct sheaf_ofi_access, ticket));
}

static struct sheaf_ofi_parcel *parcel_of(struct sheaf_ofi_ticket *ticket)
{
    return (struct sheaf_ofi_parcel *)(void *)((char *)ticket - offsetof(struct sheaf_ofi_parcel, ticket));
}

void sheaf_ofi_end_ticket(struct sheaf_ofi_ticket *ticket, const char *why)
{
    if (ticket->kind == SHEAF_OFI_PARCEL)
        sheaf_ofi_parcel_ended(parcel_of(ticket), why);
    else
        sheaf_ofi_access_ended(access_of(ticket), why);
}

static ssize_t give(struct sheaf_ofi_ticket *ticket)
{
    return ticket->kind == SHEAF_OFI_PARCEL ? sheaf_ofi_give_parcel(parcel_of(ticket))
                                            : sheaf_ofi_give_access(access_of(ticket));
}

static sheaf_transport_link *link_of(struct sheaf_ofi_ticket *ticket)
{
    return ticket->kind == SHEAF_OFI_PARCEL ? parcel_of(ticket)->link : access_of(ticket)->link;
}

/* Whether one in front of it, of the same link, has not been taken. */
static bool has_to_wait(const struct sheaf_ofi_late *left, struct sheaf_ofi_ticket *ticket)
{
    struct sheaf_ofi_ticket *other = left->first;
    while (other && link_of(other) != link_of(ticket))
        other = other->next_late;
    return other != NULL;
}

static ssize_t try(const struct sheaf_ofi_late *left, struct sheaf_ofi_ticket *ticket)
{
    return has_to_wait(left, ticket) ? -FI_EAGAIN : give(ticket);
}

static void append(struct sheaf_ofi_late *late, struct sheaf_ofi_ticket *ticket)
{
    for (struct sheaf_ofi_ticket *next; ticket; ticket = next) {
        next = ticket->next_late;
        sheaf_ofi_put_late(late, ticket);
    }
}

/* Those that are not taken now stay in front of what the others' ends start. */
bool sheaf_ofi_give_late(sheaf_transport_port *port)
{
    struct sheaf_ofi_late left = {0};
    struct sheaf_ofi_ticket *ticket = port->late.first, *next;
    bool any = false;
    port->late.first = NULL;
    for (; ticket; ticket = next) {
        const char *why = link_of(ticket)->why;
        next = ticket->next_late;
        ssize_t status = why ? -FI_ECANCELED : try(&left, ticket);
        any |= status != -FI_EAGAIN;
        if (status == -FI_EAGAIN)
            sheaf_ofi_put_late(&left, ticket);
        else if (status != 0)
            sheaf_ofi_end_ticket(ticket, why ? why : sheaf_ofi_words(status));
    }
    append(&left, port->late.first);
    port->late = left;
    return any;
}

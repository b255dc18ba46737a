/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a link, told to the user; and the end of a port, as others learn of it: endpoints for
 * datagrams have no connections that would break.
 */
#include "engine/ofi/ofi.h"

/* Looks for the ends of what leaves, at most: 1 ms of a port that is closed. */
#define LOOKS 1000

static unsigned count_posted(const sheaf_transport_link *link)
{
    unsigned count = 0;
    for (const struct sheaf_ofi_parcel *parcel = link->posted; parcel; parcel = parcel->next)
        count++;
    return count;
}

static bool has_met(const sheaf_transport_link *link)
{
    return link->is_known && !link->why && !link->first && (link->sequence || link->expected);
}

/* Those that the provider is done with, by now. */
static unsigned count_ended(sheaf_transport_port *port)
{
    struct fi_cq_msg_entry entry;
    struct fi_cq_err_entry error = {0};
    ssize_t count = SHEAF_OFI_INSIDE(fi_cq_read(port->completions, &entry, 1));
    if (count == -FI_EAVAIL)
        return fi_cq_readerr(port->completions, &error, 0) > 0;
    const struct sheaf_ofi_ticket *ticket = count == 1 ? entry.op_context : NULL;
    return ticket && ticket->kind == SHEAF_OFI_PARCEL;
}

static void end_link(sheaf_transport_link *link)
{
    sheaf_ofi_stop_knocking(link);
    sheaf_ofi_end_sends(link);
    sheaf_ofi_end_fetches(link);
    sheaf_ofi_end_accesses(link);
    if (link->has_peer)
        sheaf_ofi_state.user->lost(link->peer, link->why);
}

void sheaf_ofi_end_broken(sheaf_transport_port *port)
{
    while (port->broken) {
        sheaf_transport_link *link = port->broken;
        port->broken = link->next_broken;
        end_link(link);
    }
}

void sheaf_ofi_say_goodbye(sheaf_transport_port *port)
{
    unsigned left = 0;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        if (has_met(link)) {
            sheaf_ofi_send_control(link, SHEAF_OFI_GOODBYE, 0);
            left += count_posted(link);
        }
    for (int look = 0; left > 0 && look < LOOKS; look++) {
        sheaf_ofi_give_late(port);
        unsigned ended = count_ended(port);
        left -= ended < left ? ended : left;
    }
}

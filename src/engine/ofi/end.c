/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a link, told to the user; the end of its peer, as the user tells it; and the end of a port, as
 * others learn of it: endpoints for datagrams have no connections that would break.
 */
#include "engine/ofi/ofi.h"

#include "base/clock.h"
#include "base/times.h"
#include "engine/sockets.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Looks for the ends of what leaves, at most: 1 ms of a port that is closed. */
#define LOOKS 1000

/* Turns between two looks at the clock for connections of hosts that were lost: also of those to which
 * nothing was ever sent but answers, and which nobody gives up. */
#define LOST_TURNS 256

/* Looks for silent connections of a peer that has died: for longer than the kernel's questions take. */
#define HANGUPS 25

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
    sheaf_ofi_probe_stop(link);
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

void sheaf_ofi_give_up(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    if (link->is_given_up)
        return;
    link->is_given_up = true;
    link->next_given_up = port->given_up;
    port->given_up = link;
    sheaf_ofi_break(link, "its process has died");
    sheaf_ofi_end_broken(port);
}

/* A name of a provider over TCP, of any alignment. */
static struct sockaddr_in6 address_of(const void *name)
{
    struct sockaddr_in6 address; /* the port lies where sockaddr_in has it */
    memcpy(&address, name, sizeof address);
    return address;
}

static bool is_same_host(const struct sockaddr_in6 *one, const struct sockaddr_in6 *other)
{
    const struct sockaddr_in *four = (const void *)one, *other_four = (const void *)other;
    if (one->sin6_family != other->sin6_family)
        return false;
    if (one->sin6_family == AF_INET)
        return four->sin_addr.s_addr == other_four->sin_addr.s_addr;
    return one->sin6_family == AF_INET6 &&
           memcmp(&one->sin6_addr, &other->sin6_addr, sizeof one->sin6_addr) == 0;
}

/* A connection that this port has made to the link's; or that somebody of its host has made to this one. */
static bool is_with(int fd, const sheaf_transport_link *link)
{
    struct sockaddr_in6 here = {0}, there = {0};
    socklen_t here_bytes = sizeof here, there_bytes = sizeof there;
    if (getpeername(fd, (struct sockaddr *)&there, &there_bytes) != 0 ||
        getsockname(fd, (struct sockaddr *)&here, &here_bytes) != 0)
        return false;
    const struct sockaddr_in6 wanted = address_of(link->name), own = address_of(link->port->name);
    return is_same_host(&there, &wanted) &&
           (there.sin6_port == wanted.sin6_port || here.sin6_port == own.sin6_port);
}

static void hang_up(int fd, const void *link)
{
    if (is_with(fd, link) && sheaf_socket_is_unheard(fd))
        shutdown(fd, SHUT_RDWR);
}

/* Of a silent host the kernel does not despair for a quarter of an hour, and what the provider has for it
 * meanwhile takes room from all others: tcp;ofi_rxm's has 2,048 messages in all; and a message of its own
 * that was cut short holds one of this port's few buffers. */
static void hang_up_on_silent(sheaf_transport_port *port)
{
    uint64_t now = sheaf_clock_ns();
    if (!sheaf_ofi_state.has_listeners || now < port->next_hangup)
        return;
    port->next_hangup = now + sheaf_times.ofi_hangup;
    for (sheaf_transport_link *link = port->given_up; link; link = link->next_given_up) {
        sheaf_sockets_each(hang_up, link);
        link->hangups++;
    }
}

static bool is_free(const sheaf_transport_link *link)
{
    return !link->posted && !link->order.first;
}

/* Of what it has given to the kernel the provider says no more: its connections are looked for a while. */
static bool may_have_connections(const sheaf_transport_link *link)
{
    return sheaf_ofi_state.has_listeners && link->hangups < HANGUPS;
}

/* The number may be another's from now on. */
static void forget_address(sheaf_transport_link *link)
{
    if (link->is_known)
        fi_av_remove(link->port->addresses, &link->address, 1, 0);
    link->is_known = false;
}

void sheaf_ofi_take_leave(sheaf_transport_port *port)
{
    sheaf_transport_link **place = &port->given_up;
    while (*place) {
        sheaf_transport_link *link = *place;
        if (is_free(link))
            forget_address(link);
        if (is_free(link) && !may_have_connections(link))
            *place = link->next_given_up;
        else
            place = &link->next_given_up;
    }
    if (port->given_up)
        hang_up_on_silent(port);
}

/* A connection that somebody has made to the port. */
static void hang_up_on_lost(int fd, const void *port)
{
    struct sockaddr_in6 here = {0};
    socklen_t bytes = sizeof here;
    const struct sockaddr_in6 own = address_of(((const sheaf_transport_port *)port)->name);
    if (sheaf_socket_is_lost(fd) && getsockname(fd, (struct sockaddr *)&here, &bytes) == 0 &&
        is_same_host(&here, &own) && here.sin6_port == own.sin6_port)
        shutdown(fd, SHUT_RDWR);
}

void sheaf_ofi_look_for_lost(sheaf_transport_port *port)
{
    if (!sheaf_ofi_state.has_listeners || !sheaf_ofi_state.user->job->is_dead || port->turns % LOST_TURNS)
        return;
    uint64_t now = sheaf_clock_ns();
    if (now < port->next_search)
        return;
    port->next_search = now + sheaf_times.ofi_lost_look;
    sheaf_sockets_each(hang_up_on_lost, port);
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

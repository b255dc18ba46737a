/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends links and reports that to the user; ends a link whose peer has died; tells peers of the end of a
 * port, since endpoints for datagrams have no connections that would break.
 */
#include "engine/ofi/ofi.h"

#include "base/clock.h"
#include "base/times.h"
#include "engine/sockets.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Most checks for the ends of sends when a port is closed: 1 ms. */
#define LOOKS 1000

/* Turns between two looks at the clock for connections of lost hosts. That includes hosts which were only
 * sent answers, and whose links nobody gives up. */
#define LOST_TURNS 256

/* Searches for silent connections of a dead peer: for longer than the kernel's probes take. */
#define HANGUPS 25

static unsigned count_posted(const sheaf_transport_link *link)
{
    unsigned count = 0;
    for (const struct sheaf_ofi_send_buffer *buffer = link->posted; buffer; buffer = buffer->next)
        count++;
    return count;
}

static bool has_met(const sheaf_transport_link *link)
{
    return link->is_known && !link->why && !link->first && (link->sequence || link->expected);
}

/* Number of sends that the provider has completed. */
static unsigned count_ended(sheaf_transport_port *port)
{
    struct fi_cq_msg_entry entry;
    struct fi_cq_err_entry error = {0};
    ssize_t count = SHEAF_OFI_INSIDE(fi_cq_read(port->completions, &entry, 1));
    if (count == -FI_EAVAIL)
        return fi_cq_readerr(port->completions, &error, 0) > 0;
    const struct sheaf_ofi_context *context = count == 1 ? entry.op_context : NULL;
    return context && context->kind == SHEAF_OFI_SEND;
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

/* A name of a provider over TCP; its bytes may be unaligned. */
static struct sockaddr_in6 socket_address(const void *name)
{
    struct sockaddr_in6 address; /* the port is at the same offset as in sockaddr_in */
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

/* Whether fd is a connection that this port has made to the link's port, or that a process of the peer's
 * host has made to this port. */
static bool is_with(int fd, const sheaf_transport_link *link)
{
    struct sockaddr_in6 here = {0}, there = {0};
    socklen_t here_bytes = sizeof here, there_bytes = sizeof there;
    if (getpeername(fd, (struct sockaddr *)&there, &there_bytes) != 0 ||
        getsockname(fd, (struct sockaddr *)&here, &here_bytes) != 0)
        return false;
    const struct sockaddr_in6 wanted = socket_address(link->name), own = socket_address(link->port->name);
    return is_same_host(&there, &wanted) &&
           (there.sin6_port == wanted.sin6_port || here.sin6_port == own.sin6_port);
}

static void hang_up(int fd, const void *link)
{
    if (is_with(fd, link) && sheaf_socket_is_unheard(fd))
        shutdown(fd, SHUT_RDWR);
}

/* Shuts down silent connections of dead peers. The kernel gives a silent host up only after a quarter of
 * an hour. Meanwhile the provider's messages to it take room from all others: tcp;ofi_rxm has 2,048 in
 * all. And a message of its own that was cut short holds one of this port's few receive buffers. */
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

/* Whether the link may have connections still: the provider does not report data that it has given to the
 * kernel, so connections are searched for HANGUPS times. */
static bool may_have_connections(const sheaf_transport_link *link)
{
    return sheaf_ofi_state.has_listeners && link->hangups < HANGUPS;
}

/* The provider may then give the address number to another peer. */
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

/* Shuts down fd if it is a silent connection that a lost host has made to the port. */
static void hang_up_on_lost(int fd, const void *port)
{
    struct sockaddr_in6 here = {0};
    socklen_t bytes = sizeof here;
    const struct sockaddr_in6 own = socket_address(((const sheaf_transport_port *)port)->name);
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
    unsigned remaining = 0;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        if (has_met(link)) {
            sheaf_ofi_send_control(link, SHEAF_OFI_GOODBYE, 0);
            remaining += count_posted(link);
        }
    for (int look = 0; remaining > 0 && look < LOOKS; look++) {
        sheaf_ofi_give_late(port);
        unsigned ended = count_ended(port);
        remaining -= ended < remaining ? ended : remaining;
    }
}

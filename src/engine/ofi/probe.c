/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks whether a silent peer still exists. Endpoints for datagrams do not report a peer's end. Over TCP
 * the provider connects again and again to a peer that has gone. It only reports that it accepts nothing
 * now, as it does for a busy peer, and messages sent just before are lost silently. A connection to the
 * peer's port distinguishes the two, since the kernel answers it. Fabrics report an error.
 */
#include "engine/ofi/ofi.h"

#include "base/clock.h"
#include "base/times.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Turns between two looks at the clock. */
#define TURNS 256

/* A probe is repeated after 1 and 3 s, and given up after 7; the kernel's default is two minutes. The
 * kernel of a stopped PE answers the first probe. */
#define REPETITIONS 2

struct sheaf_ofi_probe {
    int fd; /* -1: no probe is under way */
    uint64_t since, silence; /* ns; silence: time until the next probe */
};

static void stop_probe(sheaf_transport_link *link)
{
    if (link->probe->fd < 0)
        return;
    close(link->probe->fd);
    link->probe->fd = -1;
    link->port->probes--;
}

/* Connects. Returns 0, EINPROGRESS or the error: this host may have no route at all. */
static int connect_probe(const sheaf_transport_link *link)
{
    const int repetitions = REPETITIONS;
    struct sockaddr_storage address = {0};
    memcpy(&address, link->name, link->port->name_bytes);
    setsockopt(link->probe->fd, IPPROTO_TCP, TCP_SYNCNT, &repetitions, sizeof repetitions);
    int status = connect(link->probe->fd, (const struct sockaddr *)&address,
                         (socklen_t)link->port->name_bytes);
    return status == 0 ? 0 : errno;
}

/* Waits for the connection. Returns 0, EINPROGRESS or the error. */
static int wait_for_connection(int fd, int wait_ms)
{
    struct pollfd event = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t length = sizeof error;
    if (poll(&event, 1, wait_ms) != 1)
        return EINPROGRESS;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
}

/* Sends the key, so that the other end does not report a stranger. */
static void send_probe_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ofi_state.user->job;
    if (sheaf_ofi_state.is_gated)
        (void)!send(fd, job->key, sizeof job->key, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool is_host_error(int error)
{
    return error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH;
}

/* Each host has such an address for itself. */
static bool is_loopback_link(const sheaf_transport_link *link)
{
    struct sockaddr_storage address = {0};
    memcpy(&address, link->name, link->port->name_bytes);
    return sheaf_ofi_is_loopback(&address);
}

static const char *failure_words(const sheaf_transport_link *link, int error)
{
    switch (error) {
    case ECONNREFUSED:
        return is_loopback_link(link)
                   ? "nobody listens at its address any more, or it is loopback's, which no other host "
                     "reaches: see FI_NET_IFACE and FI_TCP_IFACE"
                   : "nobody listens at its address any more";
    case ETIMEDOUT:
        return "its host does not answer";
    case EHOSTUNREACH:
    case ENETUNREACH:
        return "its host cannot be reached";
    default:
        return NULL;
    }
}

static void handle_probe_end(sheaf_transport_link *link, uint64_t now, int error)
{
    struct sheaf_ofi_probe *probe = link->probe;
    if (error == EINPROGRESS)
        return;
    if (error == 0)
        send_probe_key(probe->fd);
    stop_probe(link);
    probe->since = now;
    uint64_t most = sheaf_times.ofi_silence_most;
    probe->silence = probe->silence < most / 2 ? 2 * probe->silence : most;
    if (is_host_error(error))
        sheaf_ofi_state.user->host_died();
    if (failure_words(link, error))
        sheaf_ofi_break(link, failure_words(link, error));
}

/* A network of this host that is down may be up again soon. */
static bool may_recover(const struct sheaf_ofi_probe *probe, int error)
{
    return is_host_error(error) && probe->silence < sheaf_times.ofi_silence_passes;
}

/* Starts a probe and waits shortly, since a kernel answers at once. Otherwise the other end would hold a
 * silent connection. */
static void start_probe(sheaf_transport_link *link, uint64_t now)
{
    struct sheaf_ofi_probe *probe = link->probe;
    sa_family_t family;
    memcpy(&family, link->name, sizeof family);
    probe->fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (probe->fd < 0)
        return;
    link->port->probes++;
    int error = connect_probe(link);
    if (error == EINPROGRESS)
        error = wait_for_connection(probe->fd, sheaf_times_ms(sheaf_times.ofi_probe_answer));
    else if (may_recover(probe, error))
        error = EAGAIN;
    handle_probe_end(link, now, error);
}

static void begin_silence(sheaf_transport_link *link, uint64_t now)
{
    if (link->probe)
        stop_probe(link);
    else if (!(link->probe = malloc(sizeof *link->probe)))
        return;
    *link->probe =
        (struct sheaf_ofi_probe){.fd = -1, .since = now, .silence = sheaf_times.ofi_silence_first};
    link->is_heard = false;
}

static void check_link(sheaf_transport_link *link, uint64_t now)
{
    struct sheaf_ofi_probe *probe = link->probe;
    if (!probe || link->is_heard)
        begin_silence(link, now);
    else if (probe->fd >= 0)
        handle_probe_end(link, now, wait_for_connection(probe->fd, 0));
    else if (now - probe->since >= probe->silence)
        start_probe(link, now);
}

void sheaf_ofi_look(sheaf_transport_port *port)
{
    if (!sheaf_ofi_state.has_listeners || (++port->turns % TURNS != 0 && port->probes == 0))
        return;
    uint64_t now = sheaf_clock_ns();
    if (now < port->next_round && port->probes == 0)
        return;
    port->next_round = now + sheaf_times.ofi_links_look;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        if (link->has_peer && !link->why)
            check_link(link, now);
}

void sheaf_ofi_probe_stop(sheaf_transport_link *link)
{
    if (!link->probe)
        return;
    stop_probe(link);
    free(link->probe);
    link->probe = NULL;
}

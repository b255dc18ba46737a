/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a peer that says nothing is still there. Endpoints for datagrams tell of no end: over TCP the
 * provider connects again and again to a peer that has gone, and says no more than that it takes nothing
 * for now, as it does while the peer is busy; and what was sent just before is lost without a word. A
 * connection to the peer's port tells them apart, because the kernel answers it. Fabrics tell by an error.
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

/* A probe is repeated after 1 and 3 s, and given up after 7: the kernel itself goes on for two minutes. A
 * stopped PE's kernel answers the first. */
#define REPETITIONS 2

struct sheaf_ofi_probe {
    int fd; /* -1: none is under way */
    uint64_t since, silence; /* ns: until the next one */
};

static void stop(sheaf_transport_link *link)
{
    if (link->probe->fd < 0)
        return;
    close(link->probe->fd);
    link->probe->fd = -1;
    link->port->probes--;
}

/* Returns 0, EINPROGRESS or why not: this host may know no way at all. */
static int dial(const sheaf_transport_link *link)
{
    const int repetitions = REPETITIONS;
    struct sockaddr_storage address = {0};
    memcpy(&address, link->name, link->port->name_bytes);
    setsockopt(link->probe->fd, IPPROTO_TCP, TCP_SYNCNT, &repetitions, sizeof repetitions);
    int status = connect(link->probe->fd, (const struct sockaddr *)&address,
                         (socklen_t)link->port->name_bytes);
    return status == 0 ? 0 : errno;
}

/* Likewise. */
static int answer(int fd, int wait_ms)
{
    struct pollfd event = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t length = sizeof error;
    if (poll(&event, 1, wait_ms) != 1)
        return EINPROGRESS;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
}

/* Else the other end takes it for a stranger's. */
static void show_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ofi_state.user->job;
    if (sheaf_ofi_state.is_gated)
        (void)!send(fd, job->key, sizeof job->key, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool is_of_host(int error)
{
    return error == ETIMEDOUT || error == EHOSTUNREACH || error == ENETUNREACH;
}

/* Each host has an address of that kind, for itself. */
static bool is_at_home(const sheaf_transport_link *link)
{
    struct sockaddr_storage address = {0};
    memcpy(&address, link->name, link->port->name_bytes);
    return sheaf_ofi_is_loopback(&address);
}

static const char *words(const sheaf_transport_link *link, int error)
{
    switch (error) {
    case ECONNREFUSED:
        return is_at_home(link) ? "nobody listens at its address any more, or it is loopback's, which no "
                                  "other host reaches: see FI_NET_IFACE and FI_TCP_IFACE"
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

static void take_answer(sheaf_transport_link *link, uint64_t now, int error)
{
    struct sheaf_ofi_probe *probe = link->probe;
    if (error == EINPROGRESS)
        return;
    if (error == 0)
        show_key(probe->fd);
    stop(link);
    probe->since = now;
    uint64_t most = sheaf_times.ofi_silence_most;
    probe->silence = probe->silence < most / 2 ? 2 * probe->silence : most;
    if (is_of_host(error))
        sheaf_ofi_state.user->host_died();
    if (words(link, error))
        sheaf_ofi_break(link, words(link, error));
}

/* A network of this host's own that is down may be up again in a moment. */
static bool may_pass(const struct sheaf_ofi_probe *probe, int error)
{
    return is_of_host(error) && probe->silence < sheaf_times.ofi_silence_passes;
}

/* A kernel answers at once: else the other end keeps a connection that says nothing. */
static void start(sheaf_transport_link *link, uint64_t now)
{
    struct sheaf_ofi_probe *probe = link->probe;
    sa_family_t family;
    memcpy(&family, link->name, sizeof family);
    probe->fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (probe->fd < 0)
        return;
    link->port->probes++;
    int error = dial(link);
    if (error == EINPROGRESS)
        error = answer(probe->fd, sheaf_times_ms(sheaf_times.ofi_probe_answer));
    else if (may_pass(probe, error))
        error = EAGAIN;
    take_answer(link, now, error);
}

static void begin(sheaf_transport_link *link, uint64_t now)
{
    if (link->probe)
        stop(link);
    else if (!(link->probe = malloc(sizeof *link->probe)))
        return;
    *link->probe =
        (struct sheaf_ofi_probe){.fd = -1, .since = now, .silence = sheaf_times.ofi_silence_first};
    link->is_heard = false;
}

static void look_at(sheaf_transport_link *link, uint64_t now)
{
    struct sheaf_ofi_probe *probe = link->probe;
    if (!probe || link->is_heard)
        begin(link, now);
    else if (probe->fd >= 0)
        take_answer(link, now, answer(probe->fd, 0));
    else if (now - probe->since >= probe->silence)
        start(link, now);
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
            look_at(link, now);
}

void sheaf_ofi_probe_stop(sheaf_transport_link *link)
{
    if (!link->probe)
        return;
    stop(link);
    free(link->probe);
    link->probe = NULL;
}

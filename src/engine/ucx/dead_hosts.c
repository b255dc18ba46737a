/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds hosts that have gone silent. The kernel probes idle connections (UCX_TCP_KEEPIDLE and others, see
 * start.c), but repeats unacknowledged data for a quarter of an hour, and a connection that it gives up
 * looks like one that the peer has closed. So this file checks UCX's sockets once a second and ends
 * silent ones first; UCX then reports them. A stopped PE does not count as dead.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/pace/pace.h"
#include "base/times.h"
#include "engine/gate.h"
#include "engine/sockets.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

/* Ports on which UCX listens for the workers that this engine has made. */
static unsigned char our_ports[65536 / 8];

static bool has_port(unsigned port)
{
    return sheaf_load_relaxed(&our_ports[port / 8]) >> port % 8 & 1;
}

static void add_port(unsigned port)
{
    __atomic_fetch_or(&our_ports[port / 8], (unsigned char)(1 << port % 8), __ATOMIC_RELAXED);
}

static unsigned port_of(int fd)
{
    struct sockaddr_in6 address; /* the port is at the same offset as in sockaddr_in */
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0 ||
        (address.sin6_family != AF_INET && address.sin6_family != AF_INET6))
        return 0;
    return ntohs(address.sin6_port);
}

static bool is_listening(int fd)
{
    int value = 0;
    socklen_t length = sizeof value;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value;
}

/* This thread creates a worker of ours. */
static __thread bool is_making __attribute__((tls_model("initial-exec")));

/* UCX calls it in place of listen(). */
static int listen_for_worker(int fd, int backlog)
{
    int status = listen(fd, backlog);
    unsigned port = status == 0 && is_making ? port_of(fd) : 0;
    if (port) {
        add_port(port);
        sheaf_gate_listener(fd);
    }
    return status;
}

bool sheaf_ucx_know_listeners(void)
{
    return sheaf_ucx_hook("ucs", "listen", (void *)listen_for_worker);
}

/* gate.c has gated our listeners. The port of a destroyed worker may be another library's now. */
static bool is_gated(int fd)
{
    int seconds = 0;
    socklen_t length = sizeof seconds;
    return getsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, &length) == 0 && seconds > 0;
}

bool sheaf_ucx_is_our_listener(int fd)
{
    return has_port(port_of(fd)) && is_gated(fd);
}

static const int keepalive_options[] = {TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT};
enum { KEEPALIVE_OPTIONS = sizeof keepalive_options / sizeof keepalive_options[0] };

static int keepalive_value(int option)
{
    return option == TCP_KEEPCNT ? SHEAF_UCX_KEEP_COUNT : sheaf_times_s(sheaf_times.network_probe);
}

/* UCX's sockets have all the settings that start.c gave it, which hardly any other socket of the program
 * has. */
static bool has_our_keepalive(int fd)
{
    for (int i = 0; i < KEEPALIVE_OPTIONS; i++) {
        int value = -1;
        socklen_t length = sizeof value;
        if (getsockopt(fd, IPPROTO_TCP, keepalive_options[i], &value, &length) != 0 ||
            value != keepalive_value(keepalive_options[i]))
            return false;
    }
    return true;
}

/* UCX applies the settings to connections that it makes, not to those that it accepts. */
static void ucx_enable_keepalive(int fd)
{
    int on = 1;
    unsigned port = port_of(fd);
    if (!port || !has_port(port) || is_listening(fd))
        return;
    for (int i = 0; i < KEEPALIVE_OPTIONS; i++) {
        int value = keepalive_value(keepalive_options[i]);
        setsockopt(fd, IPPROTO_TCP, keepalive_options[i], &value, sizeof value);
    }
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

static void check_socket(int fd, const void *unused)
{
    (void)unused;
    if (!has_our_keepalive(fd)) {
        ucx_enable_keepalive(fd);
    } else if (sheaf_socket_is_unheard(fd)) {
        sheaf_ucx_state.user->host_died();
        shutdown(fd, SHUT_RDWR);
    }
}

/* If the user has set other values, this file does nothing. */
static bool has_default_keepalive(void)
{
    return !getenv("UCX_TCP_KEEPIDLE") && !getenv("UCX_TCP_KEEPINTVL") && !getenv("UCX_TCP_KEEPCNT");
}

static uint64_t next_look;

/* Of several calling threads one looks. */
static bool is_time_to_look(void)
{
    uint64_t now = sheaf_clock_ns(), next = sheaf_load_relaxed(&next_look);
    return now >= next &&
           __atomic_compare_exchange_n(&next_look, &next, now + sheaf_pace_table.look_every, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void sheaf_ucx_before_port(void)
{
    is_making = true;
}

/* The first look is not a part of the start: it asks the kernel for each descriptor of the process. */
void sheaf_ucx_after_port(void)
{
    is_making = false;
    is_time_to_look();
}

void sheaf_ucx_look_for_dead_hosts(void)
{
    if (is_time_to_look() && has_default_keepalive())
        sheaf_sockets_each(check_socket, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hosts that went away. The kernel probes idle connections (UCX_TCP_KEEPIDLE and its kin, see start.c),
 * but goes on for a quarter of an hour about data that nobody acknowledges, and a connection that it
 * gives up looks like one that the peer has closed. A look at UCX's sockets once a second ends such
 * connections first, and UCX then reports them. A PE that is stopped is not taken for dead.
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
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Ports on which the process listens: those that appear while a port is opened are UCX's. */
static unsigned char foreign_ports[65536 / 8], our_ports[65536 / 8];

static bool contains(const unsigned char *ports, unsigned port)
{
    return sheaf_load_relaxed(&ports[port / 8]) >> port % 8 & 1;
}

static void add(unsigned char *ports, unsigned port)
{
    __atomic_fetch_or(&ports[port / 8], (unsigned char)(1 << port % 8), __ATOMIC_RELAXED);
}

static unsigned port_of(int fd)
{
    struct sockaddr_in6 address; /* the port lies where sockaddr_in has it */
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

static void note_foreign(int fd, const void *unused)
{
    (void)unused;
    unsigned port = is_listening(fd) ? port_of(fd) : 0;
    if (port && !contains(our_ports, port))
        add(foreign_ports, port);
}

static void note_ours(int fd, const void *unused)
{
    (void)unused;
    unsigned port = is_listening(fd) ? port_of(fd) : 0;
    if (!port || contains(foreign_ports, port))
        return;
    add(our_ports, port);
    sheaf_gate_listener(fd);
}

/* One thread at a time opens a port: another's new port would be foreign. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static bool is_making;

/* gate.c has done it to ours. A port may be another library's once a worker of ours has left it. */
static bool is_gated(int fd)
{
    int seconds = 0;
    socklen_t length = sizeof seconds;
    return getsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, &length) == 0 && seconds > 0;
}

/* While a port is opened its port is new and not noted yet. */
bool sheaf_ucx_is_our_listener(int fd)
{
    unsigned port = port_of(fd);
    return (contains(our_ports, port) && is_gated(fd)) ||
           (__atomic_load_n(&is_making, __ATOMIC_ACQUIRE) && !contains(foreign_ports, port));
}

void sheaf_ucx_before_port(void)
{
    pthread_mutex_lock(&making);
    memset(foreign_ports, 0, sizeof foreign_ports);
    sheaf_sockets_each(note_foreign, NULL);
    __atomic_store_n(&is_making, true, __ATOMIC_RELEASE);
}

void sheaf_ucx_after_port(void)
{
    sheaf_sockets_each(note_ours, NULL);
    __atomic_store_n(&is_making, false, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&making);
}

static const int keeping[] = {TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT};
enum { KEEPING = sizeof keeping / sizeof keeping[0] };

static int value_of_option(int option)
{
    return option == TCP_KEEPCNT ? SHEAF_UCX_KEEP_COUNT : sheaf_times_s(sheaf_times.network_probe);
}

/* UCX's sockets carry the settings that start.c gave it, which hardly any other socket of the program
 * has all of. */
static bool is_kept(int fd)
{
    for (int i = 0; i < KEEPING; i++) {
        int value = -1;
        socklen_t length = sizeof value;
        if (getsockopt(fd, IPPROTO_TCP, keeping[i], &value, &length) != 0 ||
            value != value_of_option(keeping[i]))
            return false;
    }
    return true;
}

/* UCX gives the settings to connections that it makes, not to those that it accepts. */
static void keep_accepted(int fd)
{
    int on = 1;
    unsigned port = port_of(fd);
    if (!port || !contains(our_ports, port) || is_listening(fd))
        return;
    for (int i = 0; i < KEEPING; i++) {
        int value = value_of_option(keeping[i]);
        setsockopt(fd, IPPROTO_TCP, keeping[i], &value, sizeof value);
    }
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

static void look_at(int fd, const void *unused)
{
    (void)unused;
    if (!is_kept(fd)) {
        keep_accepted(fd);
    } else if (sheaf_socket_is_unheard(fd)) {
        sheaf_ucx_state.user->host_died();
        shutdown(fd, SHUT_RDWR);
    }
}

/* Where the user has given other settings, the user has taken over. */
static bool is_wanted(void)
{
    return !getenv("UCX_TCP_KEEPIDLE") && !getenv("UCX_TCP_KEEPINTVL") && !getenv("UCX_TCP_KEEPCNT");
}

/* Of several threads that call, one looks. */
static bool is_time(void)
{
    static uint64_t next_look;
    uint64_t now = sheaf_clock_ns(), next = sheaf_load_relaxed(&next_look);
    return now >= next &&
           __atomic_compare_exchange_n(&next_look, &next, now + sheaf_pace_table.look_every, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void sheaf_ucx_look_for_dead_hosts(void)
{
    if (is_time() && is_wanted())
        sheaf_sockets_each(look_at, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Controls who may connect, over TCP. Before any message reaches this transport, libfabric reads and
 * trusts data of the connection that names places in memory. So a connection between PEs begins with the
 * job's key, which libfabric does not see: its calls of sockets come here first. Other users of libfabric
 * in this process keep their listeners and connections as they are: ours are those that are made within
 * our calls.
 */
#include "engine/ofi/ofi.h"

#include "base/os/hook.h"
#include "base/times.h"
#include "engine/gate.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

__thread bool sheaf_ofi_is_inside __attribute__((tls_model("initial-exec")));

/* Bit sets by descriptor: our listeners, and our connections that have not sent the key. A larger
 * descriptor is never ours, and its connection is never accepted. */
#define DESCRIPTORS (1 << 20)
static unsigned char listeners[DESCRIPTORS / 8], unshown[DESCRIPTORS / 8];

static void set_bit(unsigned char *set, int fd, bool is_in)
{
    unsigned char bit = (unsigned char)(1 << fd % 8);
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    if (is_in)
        __atomic_fetch_or(&set[fd / 8], bit, __ATOMIC_RELAXED);
    else if (__atomic_load_n(&set[fd / 8], __ATOMIC_RELAXED) & bit)
        __atomic_fetch_and(&set[fd / 8], (unsigned char)~bit, __ATOMIC_RELAXED);
}

static bool has_bit(const unsigned char *set, int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && __atomic_load_n(&set[fd / 8], __ATOMIC_RELAXED) >> fd % 8 & 1;
}

/* Probes that the kernel sends before it gives a connection up. */
#define QUESTIONS 5

/* Where deaths do not end the job: makes the kernel probe the connection. A host that has gone in the
 * middle of a message holds one of this process's few receive buffers. Where nothing is to be sent to it,
 * nothing else would notice. The provider gets the buffer back when the kernel, or end.c, ends the
 * connection. */
static void ofi_enable_keepalive(int fd)
{
    const int yes = 1, questions = QUESTIONS;
    const int idle = sheaf_times_s(sheaf_times.ofi_idle_probe);
    const int interval = sheaf_times_s(sheaf_times.ofi_idle_again);
    if (!sheaf_ofi_state.user || !sheaf_ofi_state.user->job->is_dead)
        return;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &questions, sizeof questions);
}

static int gated_listen(int fd, int backlog)
{
    set_bit(listeners, fd, sheaf_ofi_is_inside);
    if (sheaf_ofi_is_inside)
        sheaf_gate_listener(fd);
    return listen(fd, backlog);
}

static int gated_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    set_bit(unshown, fd, sheaf_ofi_is_inside);
    if (sheaf_ofi_is_inside)
        ofi_enable_keepalive(fd);
    return connect(fd, address, length);
}

/* Whether the other end has closed without sending anything: a peer that probes whether this port listens
 * (probe.c), and that could not send the key in time. */
static bool has_gone(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static int ofi_gated_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    struct sockaddr_storage from = {0};
    socklen_t bytes = sizeof from;
    if (!has_bit(listeners, listener) || !sheaf_ofi_state.user)
        return accept(listener, address, length);
    int fd = accept(listener, (struct sockaddr *)&from, &bytes);
    if (fd < 0) {
        if (sheaf_gate_pauses(errno, sheaf_ofi_state.user))
            errno = EAGAIN;
        return fd;
    }
    set_bit(unshown, fd, false);
    if (!sheaf_gate_shows_key(fd, sheaf_ofi_state.user->job)) {
        if (has_gone(fd))
            close(fd);
        else
            sheaf_gate_refuse(fd, (struct sockaddr *)&from, sheaf_ofi_state.user);
        errno = EAGAIN;
        return -1;
    }
    ofi_enable_keepalive(fd);
    if (address) {
        memcpy(address, &from, *length < bytes ? *length : bytes);
        *length = bytes;
    }
    return fd;
}

/* Returns 0, or -1 and errno. */
static int ofi_send_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ofi_state.user->job;
    if (send(fd, job->key, sizeof job->key, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof job->key)
        return -1;
    set_bit(unshown, fd, false);
    return 0;
}

static bool must_send_key(int fd)
{
    return has_bit(unshown, fd) && sheaf_ofi_state.user;
}

static ssize_t ofi_gated_send(int fd, const void *bytes, size_t length, int flags)
{
    return must_send_key(fd) && ofi_send_key(fd) != 0 ? -1 : send(fd, bytes, length, flags);
}

static ssize_t gated_sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to,
                            socklen_t to_length)
{
    return must_send_key(fd) && ofi_send_key(fd) != 0 ? -1 : sendto(fd, bytes, length, flags, to,
                                                                    to_length);
}

static ssize_t gated_sendmsg(int fd, const struct msghdr *message, int flags)
{
    return must_send_key(fd) && ofi_send_key(fd) != 0 ? -1 : sendmsg(fd, message, flags);
}

/* Replaces send before accept: without it our listeners would refuse every PE. */
static bool ofi_install_hooks(void)
{
    static const struct {
        const char *name;
        void *function;
    } calls[] = {
        {"send", (void *)ofi_gated_send},       {"sendto", (void *)gated_sendto},
        {"sendmsg", (void *)gated_sendmsg}, {"connect", (void *)gated_connect},
        {"accept", (void *)ofi_gated_accept},   {"listen", (void *)gated_listen},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (!sheaf_hook("/libfabric.so", calls[i].name, calls[i].function))
            return false;
    return true;
}

/* Returns whether connections of the provider are gated. Other providers work in threads of their own, or
 * have no connections. */
bool sheaf_ofi_gate(const struct fi_info *info)
{
    static enum { UNKNOWN, OPEN, GATED } state;
    const char *name = info->fabric_attr->prov_name;
    if (strcmp(name, "tcp;ofi_rxm") != 0 && strcmp(name, "tcp") != 0 && strcmp(name, "net") != 0)
        return false;
    if (state == UNKNOWN)
        state = ofi_install_hooks() ? GATED : OPEN;
    return state == GATED;
}

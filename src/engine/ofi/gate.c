/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may connect, over TCP. What libfabric itself reads from a connection, before any message reaches this
 * transport, names places in memory and is believed. So a connection between PEs begins with the job's key,
 * which libfabric does not see: calls of sockets that it makes come here first. Other users of libfabric in
 * this process keep their listeners and connections as they are: ours are those that come about within our
 * calls.
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

/* By descriptor, a bit each: our listeners, and our connections that have not shown the key. A descriptor
 * beyond is never ours, and its connection never gets in. */
#define DESCRIPTORS (1 << 20)
static unsigned char listeners[DESCRIPTORS / 8], unshown[DESCRIPTORS / 8];

static void note(unsigned char *set, int fd, bool is_in)
{
    unsigned char bit = (unsigned char)(1 << fd % 8);
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    if (is_in)
        __atomic_fetch_or(&set[fd / 8], bit, __ATOMIC_RELAXED);
    else if (__atomic_load_n(&set[fd / 8], __ATOMIC_RELAXED) & bit)
        __atomic_fetch_and(&set[fd / 8], (unsigned char)~bit, __ATOMIC_RELAXED);
}

static bool contains(const unsigned char *set, int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && __atomic_load_n(&set[fd / 8], __ATOMIC_RELAXED) >> fd % 8 & 1;
}

/* Of the kernel, before it gives a connection up. */
#define QUESTIONS 5

/* Where deaths do not end the job. A host that has gone in the middle of a message holds a buffer of this
 * one's, of which there are few: where nothing is to be sent to it, nobody would notice. The provider has
 * it back when the kernel, or end.c, ends the connection. */
static void ask_now_and_then(int fd)
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
    note(listeners, fd, sheaf_ofi_is_inside);
    if (sheaf_ofi_is_inside)
        sheaf_gate_listener(fd);
    return listen(fd, backlog);
}

static int gated_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    note(unshown, fd, sheaf_ofi_is_inside);
    if (sheaf_ofi_is_inside)
        ask_now_and_then(fd);
    return connect(fd, address, length);
}

/* Somebody who has said nothing and gone: a peer that wants to know whether anybody listens (probe.c),
 * and that could not say more in time. */
static bool has_gone(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static int gated_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    struct sockaddr_storage from = {0};
    socklen_t bytes = sizeof from;
    if (!contains(listeners, listener) || !sheaf_ofi_state.user)
        return accept(listener, address, length);
    int fd = accept(listener, (struct sockaddr *)&from, &bytes);
    if (fd < 0) {
        if (sheaf_gate_pauses(errno, sheaf_ofi_state.user))
            errno = EAGAIN;
        return fd;
    }
    note(unshown, fd, false);
    if (!sheaf_gate_shows_key(fd, sheaf_ofi_state.user->job)) {
        if (has_gone(fd))
            close(fd);
        else
            sheaf_gate_refuse(fd, (struct sockaddr *)&from, sheaf_ofi_state.user);
        errno = EAGAIN;
        return -1;
    }
    ask_now_and_then(fd);
    if (address) {
        memcpy(address, &from, *length < bytes ? *length : bytes);
        *length = bytes;
    }
    return fd;
}

/* Returns 0, or -1 and errno. */
static int show_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ofi_state.user->job;
    if (send(fd, job->key, sizeof job->key, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof job->key)
        return -1;
    note(unshown, fd, false);
    return 0;
}

static bool must_show(int fd)
{
    return contains(unshown, fd) && sheaf_ofi_state.user;
}

static ssize_t gated_send(int fd, const void *bytes, size_t length, int flags)
{
    return must_show(fd) && show_key(fd) != 0 ? -1 : send(fd, bytes, length, flags);
}

static ssize_t gated_sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to,
                            socklen_t to_length)
{
    return must_show(fd) && show_key(fd) != 0 ? -1 : sendto(fd, bytes, length, flags, to, to_length);
}

static ssize_t gated_sendmsg(int fd, const struct msghdr *message, int flags)
{
    return must_show(fd) && show_key(fd) != 0 ? -1 : sendmsg(fd, message, flags);
}

/* Whoever connects first: without it the listeners would refuse everybody. */
static bool install(void)
{
    static const struct {
        const char *name;
        void *function;
    } calls[] = {
        {"send", (void *)gated_send},       {"sendto", (void *)gated_sendto},
        {"sendmsg", (void *)gated_sendmsg}, {"connect", (void *)gated_connect},
        {"accept", (void *)gated_accept},   {"listen", (void *)gated_listen},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (!sheaf_hook("/libfabric.so", calls[i].name, calls[i].function))
            return false;
    return true;
}

/* The others work in threads of their own, or have no connections. */
bool sheaf_ofi_gate(const struct fi_info *info)
{
    static enum { UNKNOWN, OPEN, GATED } state;
    const char *name = info->fabric_attr->prov_name;
    if (strcmp(name, "tcp;ofi_rxm") != 0 && strcmp(name, "tcp") != 0 && strcmp(name, "net") != 0)
        return false;
    if (state == UNKNOWN)
        state = install() ? GATED : OPEN;
    return state == GATED;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See gate.h.
 */
#include "engine/gate.h"

#include "base/times.h"
#include "hosts/handshake.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void sheaf_gate_listener(int fd)
{
    int seconds = sheaf_times_s(sheaf_times.key_arrives);
    setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
}

bool sheaf_gate_shows_key(int fd, const struct sheaf_engine_job *job)
{
    struct pollfd event = {fd, POLLIN, 0};
    unsigned char shown[sizeof job->key];
    _Static_assert(sizeof shown == sizeof(struct sheaf_token), "the key is a token");
    if (poll(&event, 1, sheaf_times_ms(sheaf_times.key_read)) != 1 ||
        recv(fd, shown, sizeof shown, MSG_DONTWAIT | MSG_PEEK) != sizeof shown)
        return false;
    return sheaf_token_is_equal(shown, job->key) &&
           recv(fd, shown, sizeof shown, MSG_DONTWAIT) == sizeof shown;
}

bool sheaf_gate_pauses(int error, const struct sheaf_transport_user *user)
{
    if (error != EMFILE && error != ENFILE && error != ENOBUFS && error != ENOMEM)
        return false;
    user->paused(strerror(error));
    poll(NULL, 0, sheaf_times_ms(sheaf_times.gate_pauses));
    return true;
}

/* A PE that was killed while it connected closes so too. */
static bool has_closed_silently(int fd)
{
    char byte;
    ssize_t got = recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    return got == 0 || (got < 0 && errno == ECONNRESET);
}

void sheaf_gate_refuse(int fd, const struct sockaddr *address, const struct sheaf_transport_user *user)
{
    char host[INET6_ADDRSTRLEN] = "unknown", from[INET6_ADDRSTRLEN + 10];
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    bool is_six = address->sa_family == AF_INET6;
    inet_ntop(address->sa_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, host,
              sizeof host);
    snprintf(from, sizeof from, is_six ? "[%s]:%u" : "%s:%u", host,
             ntohs(is_six ? six->sin6_port : four->sin_port));
    if (!has_closed_silently(fd))
        user->refused(from);
    close(fd);
}

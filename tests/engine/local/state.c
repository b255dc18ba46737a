/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all files of the transport read, and what they do to a link or a port alike.
 */
#include "local/internal.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

struct sheaf_local_settings sheaf_local_settings;
struct sheaf_local_state sheaf_local;

void *sheaf_local_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        sheaf_fatal("engine local: no memory for %zu bytes", bytes);
    return memory;
}

void sheaf_local_break(sheaf_transport_link *link, const char *why)
{
    if (!link->why)
        link->why = why;
}

void sheaf_local_watch(sheaf_transport_link *link, int epoll_operation)
{
    uint32_t events = link->is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN;
    struct epoll_event event = {.events = events, .data.ptr = link};
    if (epoll_ctl(link->port->epoll, epoll_operation, link->fd, &event) != 0)
        sheaf_local_break(link, strerror(errno));
}

void sheaf_local_sent(sheaf_transport_port *port, void *operation)
{
    unsigned turns = sheaf_local_rest(port, sheaf_local_settings.late_ends);
    if (!turns) {
        sheaf_local.user.sent(operation, NULL);
        return;
    }
    struct sheaf_local_end *end = sheaf_local_allocate(sizeof *end);
    *end = (struct sheaf_local_end){operation, turns, port->late};
    port->late = end;
}

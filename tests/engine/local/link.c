/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A link: one end of a socket pair, whose other end is handed in at the other PE's door. Its turns; how it
 * breaks.
 */
#include "local/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static sheaf_transport_link *make_link(sheaf_transport_port *port, int fd, int pe)
{
    sheaf_transport_link *link = sheaf_local_allocate(sizeof *link);
    link->port = port;
    link->fd = fd;
    link->pe = pe;
    link->calling = -1;
    link->last = &link->first;
    link->last_direct = &link->direct;
    link->next = port->links;
    port->links = link;
    sheaf_local_watch(link, EPOLL_CTL_ADD);
    return link;
}

void sheaf_local_accept(sheaf_transport_port *port, const struct sheaf_local_caller *caller)
{
    make_link(port, caller->fd, caller->pe)->is_accepted = true;
}

/* Where the door is crowded the next turn tries again. */
static bool call(sheaf_transport_link *link)
{
    int error = sheaf_local_call(link->pe, link->calls_at, link->calling);
    if (error == EAGAIN)
        return false;
    close(link->calling);
    link->calling = -1;
    if (error)
        sheaf_local_break(link, strerror(error));
    return true;
}

static const char *check_address(const void *bytes, size_t length, struct sheaf_local_address *address)
{
    if (length != sizeof *address)
        return "this is no address of this transport";
    memcpy(address, bytes, sizeof *address);
    if (memcmp(address->token, sheaf_local_tree->token, sizeof address->token) != 0)
        return "this address is of another program";
    return address->pe < (uint32_t)sheaf_local_tree->pes ? NULL : "there is no such PE";
}

sheaf_transport_link *sheaf_local_connect(sheaf_transport_port *port, const void *bytes, size_t length,
                                          void *peer, const char **why)
{
    struct sheaf_local_address address;
    int pair[2];
    if ((*why = check_address(bytes, length, &address)) != NULL)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
        *why = strerror(errno);
        return NULL;
    }
    sheaf_transport_link *link = make_link(port, pair[0], (int)address.pe);
    link->peer = peer;
    link->calling = pair[1];
    link->calls_at = address.port;
    call(link);
    return link;
}

/* Each end that is told may send once more: that ends at once, see send.c. */
void sheaf_local_end_link(sheaf_transport_link *link)
{
    if (link->is_told)
        return;
    link->is_told = true;
    close(link->fd);
    if (link->calling >= 0)
        close(link->calling);
    sheaf_local_end_sends(link);
    sheaf_local_end_fetches(link);
    sheaf_local_end_direct(link);
}

void sheaf_local_free_link(sheaf_transport_link *link)
{
    free(link->in);
    free(link);
}

static void fall(sheaf_transport_link *link)
{
    sheaf_local_end_link(link);
    if (!link->is_accepted)
        sheaf_local.user.lost(link->peer, link->why);
}

static bool move(sheaf_transport_link *link)
{
    bool any = sheaf_local_write(link);
    if (link->has_frames)
        any |= sheaf_local_take_frames(link);
    if (link->is_readable && !link->has_frames)
        any |= sheaf_local_read(link);
    return sheaf_local_direct_turn(link) || any;
}

bool sheaf_local_link_turn(sheaf_transport_link *link)
{
    bool any = false;
    if (link->is_told)
        return false;
    if (link->rest) {
        link->rest--;
        return false;
    }
    if (link->calling >= 0 && !link->why)
        any = call(link);
    if (!link->why)
        any |= move(link);
    if (link->why) {
        fall(link);
        return true;
    }
    link->rest = sheaf_local_rest(link->port, sheaf_local_settings.rests);
    return any;
}

bool sheaf_local_link_is_due(const sheaf_transport_link *link)
{
    return !link->is_told && (link->why || link->calling >= 0 || link->has_frames || link->direct ||
                              (link->first && !link->is_blocked));
}

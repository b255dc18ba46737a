/* SPDX-License-Identifier: BSD-3-Clause
 * See watch_link.h.
 */
#include "boot/ring/watch_link.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

void sheaf_watch_link_drop(struct sheaf_watch_link *link)
{
    close(link->fd);
    sheaf_watch_parcels_free(&link->parcels);
    sheaf_watch_queue_free(&link->out);
    link->stage = SHEAF_WATCH_FREE;
}

short sheaf_watch_link_events(const struct sheaf_watch_link *link)
{
    bool waits = sheaf_watch_queue_length(&link->out) > 0;
    return link->stage == SHEAF_WATCH_CONNECTING ? POLLOUT : waits ? POLLIN | POLLOUT : POLLIN;
}

bool sheaf_watch_link_flush(struct sheaf_watch_link *link)
{
    return sheaf_watch_queue_flush(&link->out, link->fd);
}

bool sheaf_watch_link_post(struct sheaf_watch_link *link, const struct sheaf_watch_message *message)
{
    return sheaf_watch_queue_put(&link->out, message, sizeof *message) && sheaf_watch_link_flush(link);
}

/* The next one, where it may go. */
static bool post_piece(struct sheaf_watch_link *link, int node)
{
    struct sheaf_watch_message head = {.word = SHEAF_WATCH_PIECE_OF_PARCEL, .node = node};
    const char *bytes = sheaf_watch_parcels_next(&link->parcels, &head.how, &head.pe);
    if (!bytes)
        return true;
    size_t length = (size_t)head.how;
    return sheaf_watch_queue_reserve(&link->out, sizeof head + length) &&
           sheaf_watch_queue_put(&link->out, &head, sizeof head) &&
           sheaf_watch_queue_put(&link->out, bytes, length) && sheaf_watch_link_flush(link);
}

bool sheaf_watch_link_post_parcel(struct sheaf_watch_link *link, int node, const void *bytes,
                                  uint32_t length)
{
    return sheaf_watch_parcels_add(&link->parcels, bytes, length) && post_piece(link, node);
}

static enum sheaf_watch_heard end_piece(struct sheaf_watch_link *link)
{
    struct sheaf_watch_message taken = {.word = SHEAF_WATCH_TAKEN};
    sheaf_watch_link_post(link, &taken);
    return link->parcels.in_filled < link->parcels.in_length ? SHEAF_WATCH_HEARD_SOME
                                                             : SHEAF_WATCH_HEARD_PARCEL;
}

enum sheaf_watch_heard sheaf_watch_link_hear(struct sheaf_watch_link *link)
{
    bool is_piece = link->parcels.piece_left > 0;
    size_t room = sizeof link->in - link->filled;
    char *to = is_piece ? sheaf_watch_parcels_place(&link->parcels, &room)
                        : (char *)&link->in + link->filled;
    ssize_t got = recv(link->fd, to, room, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return SHEAF_WATCH_HEARD_NOTHING;
    if (got <= 0)
        return got == 0 ? SHEAF_WATCH_HEARD_END : SHEAF_WATCH_HEARD_ERROR;
    if (is_piece)
        return sheaf_watch_parcels_take(&link->parcels, (size_t)got) ? end_piece(link)
                                                                     : SHEAF_WATCH_HEARD_SOME;
    link->filled += (size_t)got;
    if (link->filled < sizeof link->in)
        return SHEAF_WATCH_HEARD_SOME;
    link->filled = 0;
    return SHEAF_WATCH_HEARD_MESSAGE;
}

bool sheaf_watch_link_heed_parcels(struct sheaf_watch_link *link, int node, size_t largest)
{
    if (link->in.word == SHEAF_WATCH_PIECE_OF_PARCEL)
        return sheaf_watch_parcels_expect(&link->parcels, link->in.how, link->in.pe, largest);
    if (link->in.word != SHEAF_WATCH_TAKEN)
        return false;
    link->parcels.is_under_way = false;
    post_piece(link, node);
    return true;
}

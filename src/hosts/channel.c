/* SPDX-License-Identifier: BSD-3-Clause
 * See channel.h.
 */
#include "hosts/channel.h"

#include "hosts/interface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

size_t sheaf_send_queue_length(const struct sheaf_send_queue *queue)
{
    return queue->last - queue->first;
}

static bool reserve_queue(struct sheaf_send_queue *queue, size_t length)
{
    size_t waiting = sheaf_send_queue_length(queue);
    if (queue->room - queue->last >= length)
        return true;
    if (queue->first > 0)
        memmove(queue->bytes, queue->bytes + queue->first, waiting);
    queue->first = 0;
    queue->last = waiting;
    if (queue->room - queue->last >= length)
        return true;
    size_t room = waiting + waiting / 2 + length; /* or each small one would move all */
    char *larger = realloc(queue->bytes, room);
    if (!larger)
        return false;
    queue->bytes = larger;
    queue->room = room;
    return true;
}

bool sheaf_send_queue_put(struct sheaf_send_queue *queue, const void *head, size_t head_bytes,
                          const void *body, size_t body_bytes)
{
    if (!reserve_queue(queue, head_bytes + body_bytes))
        return false;
    memcpy(queue->bytes + queue->last, head, head_bytes);
    if (body_bytes > 0)
        memcpy(queue->bytes + queue->last + head_bytes, body, body_bytes);
    queue->last += head_bytes + body_bytes;
    return true;
}

const char *sheaf_send_queue_take(struct sheaf_send_queue *queue, size_t length)
{
    const char *bytes = queue->bytes + queue->first;
    queue->first += length;
    return bytes;
}

/* As much as the kernel takes; false when the connection has ended. */
static bool flush_queue(struct sheaf_send_queue *queue, int fd)
{
    while (queue->first < queue->last) {
        ssize_t sent = send(fd, queue->bytes + queue->first, queue->last - queue->first,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        queue->first += (size_t)sent;
    }
    sheaf_send_queue_free(queue);
    return true;
}

void sheaf_send_queue_free(struct sheaf_send_queue *queue)
{
    free(queue->bytes);
    *queue = (struct sheaf_send_queue){0};
}

void sheaf_channel_open(struct sheaf_channel *channel, int fd, size_t head_bytes, size_t most_body,
                        uint64_t unanswered_ns)
{
    *channel = (struct sheaf_channel){
        .is_open = true, .fd = fd, .place = -1, .head_bytes = head_bytes, .most_body = most_body};
    sheaf_interface_keep_asking(fd, unanswered_ns);
}

void sheaf_channel_close(struct sheaf_channel *channel)
{
    if (!channel->is_open)
        return;
    close(channel->fd);
    free(channel->body);
    sheaf_send_queue_free(&channel->out);
    *channel = (struct sheaf_channel){.is_open = false};
}

void sheaf_channel_watch(struct sheaf_channel *channel, struct sheaf_poll_set *set, bool reads)
{
    bool waits = sheaf_send_queue_length(&channel->out) > 0;
    if (channel->is_open)
        channel->place = sheaf_poll_set_add(set, channel->fd, (reads ? POLLIN : 0) | (waits ? POLLOUT : 0));
}

static uint32_t body_bytes(const void *head)
{
    uint32_t bytes;
    memcpy(&bytes, head, sizeof bytes);
    return bytes;
}

void sheaf_channel_flush(struct sheaf_channel *channel)
{
    if (channel->error == 0 && !flush_queue(&channel->out, channel->fd))
        channel->error = errno;
}

void sheaf_channel_send(struct sheaf_channel *channel, const void *head, const void *body)
{
    struct sheaf_send_queue *out = &channel->out;
    if (channel->error != 0)
        return;
    if (sheaf_send_queue_length(out) > SHEAF_CHANNEL_MOST_WAITING ||
        !sheaf_send_queue_put(out, head, channel->head_bytes, body, body_bytes(head)))
        channel->error = ENOMEM;
    else
        sheaf_channel_flush(channel);
}

/* Bytes that the message under way still lacks go to where they belong. */
static ssize_t receive_some(struct sheaf_channel *channel)
{
    const size_t size = channel->head_bytes, filled = channel->filled;
    if (filled < size)
        return recv(channel->fd, channel->head + filled, size - filled, MSG_DONTWAIT);
    size_t got = filled - size;
    return recv(channel->fd, channel->body + got, body_bytes(channel->head) - got, MSG_DONTWAIT);
}

static bool begin_body(struct sheaf_channel *channel)
{
    size_t bytes = body_bytes(channel->head);
    free(channel->body);
    channel->body = bytes > 0 && bytes <= channel->most_body ? malloc(bytes) : NULL;
    return channel->body || bytes == 0;
}

enum sheaf_received sheaf_channel_receive(struct sheaf_channel *channel)
{
    for (;;) {
        ssize_t got = receive_some(channel);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return SHEAF_RECEIVED_NOTHING;
        if (got <= 0)
            return got == 0 ? SHEAF_RECEIVED_END : SHEAF_RECEIVED_ERROR;
        channel->filled += (size_t)got;
        if (channel->filled == channel->head_bytes && !begin_body(channel))
            return SHEAF_RECEIVED_WRONG;
        if (channel->filled < channel->head_bytes ||
            channel->filled - channel->head_bytes < body_bytes(channel->head))
            continue;
        channel->filled = 0;
        return SHEAF_RECEIVED_MESSAGE;
    }
}

int sheaf_channel_reason(const struct sheaf_channel *channel, enum sheaf_received received)
{
    int error = channel->error ? channel->error : received == SHEAF_RECEIVED_ERROR ? errno : 0;
    return error == EPIPE ? 0 : error;
}

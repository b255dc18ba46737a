/* SPDX-License-Identifier: BSD-3-Clause
 * See watch_queue.h.
 */
#include "boot/ring/watch_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

size_t sheaf_watch_queue_length(const struct sheaf_watch_queue *queue)
{
    return queue->last - queue->first;
}

bool sheaf_watch_queue_reserve(struct sheaf_watch_queue *queue, size_t length)
{
    size_t waiting = sheaf_watch_queue_length(queue);
    if (queue->room - queue->last >= length)
        return true;
    if (queue->first > 0)
        memmove(queue->bytes, queue->bytes + queue->first, waiting);
    queue->first = 0;
    queue->last = waiting;
    if (queue->room - queue->last >= length)
        return true;
    char *larger = realloc(queue->bytes, waiting + length);
    if (!larger)
        return false;
    queue->bytes = larger;
    queue->room = waiting + length;
    return true;
}

bool sheaf_watch_queue_put(struct sheaf_watch_queue *queue, const void *bytes, size_t length)
{
    if (!sheaf_watch_queue_reserve(queue, length))
        return false;
    memcpy(queue->bytes + queue->last, bytes, length);
    queue->last += length;
    return true;
}

const char *sheaf_watch_queue_take(struct sheaf_watch_queue *queue, size_t length)
{
    const char *bytes = queue->bytes + queue->first;
    queue->first += length;
    return bytes;
}

bool sheaf_watch_queue_flush(struct sheaf_watch_queue *queue, int fd)
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
    sheaf_watch_queue_free(queue);
    return true;
}

void sheaf_watch_queue_free(struct sheaf_watch_queue *queue)
{
    free(queue->bytes);
    *queue = (struct sheaf_watch_queue){0};
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bytes that wait to be sent on a connection of the ring, in order. For watch_ring.c, under its lock.
 */
#ifndef SHEAF_BOOT_RING_WATCH_QUEUE_H
#define SHEAF_BOOT_RING_WATCH_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct sheaf_watch_queue {
    char *bytes;        /* NULL: nothing has ever waited */
    size_t first, last; /* what waits: bytes[first .. last) */
    size_t room;
};

/* Appends; false without memory: then nothing of it waits. */
bool sheaf_watch_queue_put(struct sheaf_watch_queue *queue, const void *bytes, size_t length);

/* Makes room for so many more bytes, whose put then succeeds. */
bool sheaf_watch_queue_reserve(struct sheaf_watch_queue *queue, size_t length);

/* Sends as much as the kernel takes; false when the connection has ended. */
bool sheaf_watch_queue_flush(struct sheaf_watch_queue *queue, int fd);

/* Takes out the first bytes, which are there; valid until the next call. */
const char *sheaf_watch_queue_take(struct sheaf_watch_queue *queue, size_t length);

size_t sheaf_watch_queue_length(const struct sheaf_watch_queue *queue);
void sheaf_watch_queue_free(struct sheaf_watch_queue *queue);

#endif

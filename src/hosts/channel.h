/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A channel is a connection between two hosts that know each other (handshake.h): whole messages in and
 * out, in order. A message is a head, of a size that both sides know, and a body. What the kernel does
 * not take at once waits, up to a limit. The kernel asks the other side every second whether it is
 * there, so that a host that is gone shows although nobody sends; a stopped process still answers,
 * because its kernel does.
 */
#ifndef SHEAF_HOSTS_CHANNEL_H
#define SHEAF_HOSTS_CHANNEL_H

#include "hosts/poll_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_CHANNEL_HEAD         40 /* bytes at most; the first four are how many the body has */
#define SHEAF_CHANNEL_MOST_WAITING ((size_t)64 << 20) /* bytes that the other side does not take */

/* Bytes that wait to be sent, in order. All zero: none. */
struct sheaf_send_queue {
    char *bytes;        /* NULL: nothing has ever waited */
    size_t first, last; /* what waits: bytes[first .. last) */
    size_t room;
};

/* Appends a head and a body; false without memory: then nothing of them waits. */
bool sheaf_send_queue_put(struct sheaf_send_queue *queue, const void *head, size_t head_bytes,
                          const void *body, size_t body_bytes);

/* Takes out the first bytes, which are there; valid until the next call. */
const char *sheaf_send_queue_take(struct sheaf_send_queue *queue, size_t length);

size_t sheaf_send_queue_length(const struct sheaf_send_queue *queue);
void sheaf_send_queue_free(struct sheaf_send_queue *queue);

/* All zero: none. */
struct sheaf_channel {
    bool is_open;
    int fd, place; /* in the poll set */
    int error;     /* found while sending, which the kernel tells but once; 0: none */
    size_t head_bytes, most_body;
    size_t filled; /* of head and body */
    _Alignas(8) char head[SHEAF_CHANNEL_HEAD];
    char *body;
    struct sheaf_send_queue out;
};

/* unanswered_ns: what is sent and not acknowledged for so long ends the connection. */
void sheaf_channel_open(struct sheaf_channel *channel, int fd, size_t head_bytes, size_t most_body,
                        uint64_t unanswered_ns);
void sheaf_channel_close(struct sheaf_channel *channel);

/* reads: whether messages are to be taken in. */
void sheaf_channel_watch(struct sheaf_channel *channel, struct sheaf_poll_set *set, bool reads);

/* Sends a message, and what waits before it, as far as the kernel takes it. Of a failure error tells. */
void sheaf_channel_send(struct sheaf_channel *channel, const void *head, const void *body);
void sheaf_channel_flush(struct sheaf_channel *channel);

/* Takes in what has come, up to the end of a message. */
enum sheaf_received {
    SHEAF_RECEIVED_NOTHING, /* not all of one */
    SHEAF_RECEIVED_MESSAGE, /* head, and body until the next call */
    SHEAF_RECEIVED_END,     /* of the connection, in order */
    SHEAF_RECEIVED_ERROR,   /* errno */
    SHEAF_RECEIVED_WRONG    /* a message longer than any, or than memory: nothing more is believed */
};
enum sheaf_received sheaf_channel_receive(struct sheaf_channel *channel);

/* Why it has ended, directly after receive has told so, or a failure to send: an errno; 0: no error. */
int sheaf_channel_reason(const struct sheaf_channel *channel, enum sheaf_received received);

#endif

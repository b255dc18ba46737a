/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What leaves on a link: frames in order, in pieces where the settings say so, and what is read from the
 * sender's memory only as it leaves. Data that may be asked for stays until it is.
 */
#include "local/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

static struct sheaf_local_send_buffer *add_parcel(sheaf_transport_link *link,
                                                  const struct sheaf_local_send_buffer *buffer)
{
    struct sheaf_local_send_buffer *added = sheaf_local_allocate(sizeof *added);
    *added = *buffer;
    *link->last = added;
    link->last = &added->next;
    return added;
}

/* Its number is what the receiver asks by. */
static uint64_t keep(sheaf_transport_link *link, const struct sheaf_local_retained *message)
{
    struct sheaf_local_retained *retained = sheaf_local_allocate(sizeof *retained);
    *retained = *message;
    retained->number = ++link->numbers;
    retained->next = link->retained;
    link->retained = retained;
    return retained->number;
}

static void add_message(sheaf_transport_link *link, const struct sheaf_transport_message *message,
                        bool stays, bool has_operation, void *block)
{
    bool is_long = message->bytes > SHEAF_TRANSPORT_FRAGMENT && !message->may_ask;
    struct sheaf_local_send_buffer buffer = {
        .frame = {.kind = stays     ? SHEAF_LOCAL_ASK
                          : is_long ? SHEAF_LOCAL_LONG
                                    : SHEAF_LOCAL_MESSAGE,
                  .header_bytes = (uint16_t)message->header_bytes,
                  .is_answered = message->is_answered,
                  .bytes = message->bytes},
        .header = message->header,
        .source = message->source,
        .source_bytes = stays ? 0 : message->bytes,
        .block = stays ? NULL : block,
    };
    if (stays) {
        struct sheaf_local_retained retained = {.source = message->source,
                                                .bytes = message->bytes,
                                                .has_operation = has_operation,
                                                .operation = message->operation,
                                                .block = block};
        buffer.frame.number = keep(link, &retained);
    } else {
        buffer.has_operation = has_operation;
        buffer.operation = message->operation;
    }
    add_parcel(link, &buffer);
}

/* Somebody who knows what messages look like, but not the job's key, which a message begins with. */
#define KEY_BYTES 16
static void forge(sheaf_transport_link *link, const struct sheaf_transport_message *model)
{
    sheaf_transport_port *port = link->port;
    size_t bytes = sheaf_local_below(port, 2) ? sheaf_local_below(port, 600) : 0;
    unsigned char *block = sheaf_local_allocate(SHEAF_TRANSPORT_HEADER + bytes);
    memcpy(block, model->header, model->header_bytes);
    for (size_t i = 0; i < KEY_BYTES; i++)
        block[i] ^= (unsigned char)(1 + sheaf_local_below(port, 255));
    struct sheaf_transport_message forged = {
        .header = block,
        .header_bytes = sheaf_local_below(port, 2) ? model->header_bytes
                                                   : sheaf_local_below(port, SHEAF_TRANSPORT_HEADER + 1),
        .source = block + SHEAF_TRANSPORT_HEADER,
        .bytes = bytes,
        .is_answered = sheaf_local_below(port, 2),
    };
    bool stays = bytes > 0 && sheaf_local_below(port, 4) == 0;
    add_message(link, &forged, stays, false, block);
}

static const char *check_message(const struct sheaf_transport_message *message)
{
    if (message->header_bytes > SHEAF_TRANSPORT_HEADER)
        return "the header is too long";
    if (message->bytes > SHEAF_TRANSPORT_FRAGMENT && !message->may_ask &&
        message->bytes > sheaf_local_settings.longest)
        return "the message is too long";
    return NULL;
}

void sheaf_local_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    sheaf_transport_port *port = link->port;
    const struct sheaf_local_settings *settings = &sheaf_local_settings;
    const char *why = link->why ? link->why : check_message(message);
    if (why) {
        sheaf_local.user.sent(message->operation, why);
        return;
    }
    if (sheaf_local_happens(port, settings->forges))
        forge(link, message);
    bool stays = message->may_ask && message->bytes > 0 &&
                 (message->bytes > SHEAF_LOCAL_MOST_INLINE || sheaf_local_happens(port, settings->keeps));
    add_message(link, message, stays, true, NULL);
    if (sheaf_local_is_nth(&sheaf_local.sent, settings->lost_message))
        sheaf_local_break(link, "the connection breaks, as the test's settings say");
    else if (!link->rest && !port->idle)
        sheaf_local_write(link);
}

void sheaf_local_send_control(sheaf_transport_link *link, enum sheaf_local_kind kind, uint64_t number)
{
    struct sheaf_local_send_buffer buffer = {.frame = {.kind = kind, .number = number}};
    add_parcel(link, &buffer);
}

/* The data has been asked for: it leaves in frames, the last of which ends the operation. */
void sheaf_local_send_kept(sheaf_transport_link *link, struct sheaf_local_retained *retained)
{
    struct sheaf_local_send_buffer *last = NULL;
    for (size_t at = 0, bytes; at < retained->bytes; at += bytes) {
        size_t rest = retained->bytes - at;
        bytes = SHEAF_TRANSPORT_FRAGMENT;
        if (sheaf_local_happens(link->port, sheaf_local_settings.pieces))
            bytes = 1 + sheaf_local_below(link->port, SHEAF_TRANSPORT_FRAGMENT);
        bytes = bytes < rest ? bytes : rest;
        struct sheaf_local_send_buffer buffer = {
            .frame = {.kind = SHEAF_LOCAL_PIECE, .number = retained->number, .bytes = bytes},
            .source = (const char *)retained->source + at,
            .source_bytes = bytes,
        };
        last = add_parcel(link, &buffer);
    }
    last->has_operation = retained->has_operation;
    last->operation = retained->operation;
    last->block = retained->block;
    free(retained);
}

/* What is left of a part whose first bytes, and what is before it, have been written. */
static void add_part(struct msghdr *message, const void *start, size_t bytes, size_t *skip)
{
    size_t gone = *skip < bytes ? *skip : bytes;
    *skip -= gone;
    if (gone < bytes)
        message->msg_iov[message->msg_iovlen++] =
            (struct iovec){(char *)(uintptr_t)start + gone, bytes - gone};
}

static size_t length_of(const struct sheaf_local_send_buffer *buffer)
{
    return sizeof buffer->frame + buffer->frame.header_bytes + buffer->source_bytes;
}

/* At most so many bytes. Returns what sendmsg() does. */
static ssize_t write_part(sheaf_transport_link *link, struct sheaf_local_send_buffer *buffer, size_t most)
{
    struct iovec parts[3];
    struct msghdr message = {.msg_iov = parts};
    size_t skip = buffer->written;
    add_part(&message, &buffer->frame, sizeof buffer->frame, &skip);
    add_part(&message, buffer->header, buffer->frame.header_bytes, &skip);
    add_part(&message, buffer->source, buffer->source_bytes, &skip);
    for (size_t i = 0; i < message.msg_iovlen; i++) {
        parts[i].iov_len = parts[i].iov_len < most ? parts[i].iov_len : most;
        most -= parts[i].iov_len;
    }
    return sendmsg(link->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Where the other end has closed, what it sent before is taken first: reading finds the end. */
static void note_error(sheaf_transport_link *link)
{
    if (errno == EAGAIN || errno == EPIPE || errno == ECONNRESET) {
        link->is_blocked = true;
        sheaf_local_watch(link, EPOLL_CTL_MOD);
    } else {
        sheaf_local_break(link, strerror(errno));
    }
}

static void end_parcel(sheaf_transport_link *link, const char *why)
{
    struct sheaf_local_send_buffer *buffer = link->first;
    link->first = buffer->next;
    if (!link->first)
        link->last = &link->first;
    free(buffer->block);
    struct sheaf_local_send_buffer ended = *buffer;
    free(buffer);
    if (ended.has_operation && why)
        sheaf_local.user.sent(ended.operation, why);
    else if (ended.has_operation)
        sheaf_local_sent(link->port, ended.operation);
}

bool sheaf_local_write(sheaf_transport_link *link)
{
    bool any = false;
    while (link->first && !link->is_blocked && !link->why) {
        struct sheaf_local_send_buffer *buffer = link->first;
        bool is_cut = sheaf_local_happens(link->port, sheaf_local_settings.pieces);
        size_t rest = length_of(buffer) - buffer->written;
        ssize_t bytes =
            write_part(link, buffer, is_cut ? 1 + sheaf_local_below(link->port, rest) : rest);
        if (bytes < 0) {
            note_error(link);
            break;
        }
        any = true;
        buffer->written += (size_t)bytes;
        if (buffer->written == length_of(buffer))
            end_parcel(link, NULL);
        if (is_cut)
            break;
    }
    return any;
}

void sheaf_local_end_sends(sheaf_transport_link *link)
{
    while (link->first)
        end_parcel(link, link->why);
    while (link->retained) {
        struct sheaf_local_retained *retained = link->retained;
        link->retained = retained->next;
        if (retained->has_operation)
            sheaf_local.user.sent(retained->operation, link->why);
        free(retained->block);
        free(retained);
    }
}

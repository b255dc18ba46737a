/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends messages, in order on each link. A short message is copied, so that its sender continues at once.
 * Long data stays in its place until the provider has read it, or until its receiver fetches it. A
 * message that the provider does not accept now waits in the link's queue for a later turn.
 */
#include "engine/ofi/ofi.h"

#include <stdlib.h>
#include <string.h>

/* Number of send buffers allocated at once. */
#define SEND_BUFFERS 32

static struct sheaf_ofi_send_buffer *ofi_make_send_buffers(sheaf_transport_port *port)
{
    struct sheaf_ofi_region *region =
        sheaf_ofi_make_region(port, SEND_BUFFERS * sizeof(struct sheaf_ofi_send_buffer));
    struct sheaf_ofi_send_buffer *buffers = region ? region->start : NULL;
    for (int i = 0; region && i < SEND_BUFFERS; i++) {
        buffers[i].region = region;
        buffers[i].next = i + 1 < SEND_BUFFERS ? &buffers[i + 1] : NULL;
    }
    return buffers;
}

static struct sheaf_ofi_send_buffer *take_send_buffer(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    if (!port->free)
        port->free = ofi_make_send_buffers(port);
    struct sheaf_ofi_send_buffer *buffer = port->free;
    if (!buffer)
        return NULL;
    port->free = buffer->next;
    buffer->context.kind = SHEAF_OFI_SEND;
    buffer->link = link;
    buffer->has_operation = false;
    buffer->retained = NULL;
    buffer->source = NULL;
    buffer->source_bytes = 0;
    buffer->bounce = NULL;
    return buffer;
}

static void free_send_buffer(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_port *port = buffer->link->port;
    if (buffer->bounce)
        sheaf_ofi_give_bounce(port, buffer->bounce);
    buffer->next = port->free;
    port->free = buffer;
}

static size_t put_introduction(const sheaf_transport_port *port, unsigned char *at)
{
    const struct sheaf_ofi_introduction introduction = {.secret = port->secret};
    memcpy(at, &introduction, sizeof introduction);
    memcpy(at + sizeof introduction, port->name, port->name_bytes);
    return sizeof introduction + port->name_bytes;
}

/* Writes the frame, which gives the message its place in the link's order, and the header. */
static void ofi_begin_message(struct sheaf_ofi_send_buffer *buffer, struct sheaf_ofi_frame frame,
                              const void *header)
{
    sheaf_transport_link *link = buffer->link;
    unsigned char *at = buffer->start + sizeof frame;
    frame.secret = link->secret;
    frame.sender = link->port->id;
    frame.sequence = link->sequence++;
    if (frame.sequence == 0)
        frame.introduction_bytes = (uint8_t)put_introduction(link->port, at);
    at += frame.introduction_bytes;
    memcpy(buffer->start, &frame, sizeof frame);
    if (header)
        memcpy(at, header, frame.header_bytes);
    buffer->start_bytes = (size_t)(at - buffer->start) + frame.header_bytes;
}

static void ofi_add_data(struct sheaf_ofi_send_buffer *buffer, const void *source, size_t bytes)
{
    if (bytes == 0)
        return;
    if (buffer->start_bytes + bytes > sizeof buffer->start) {
        buffer->source = source;
        buffer->source_bytes = bytes;
        return;
    }
    memcpy(buffer->start + buffer->start_bytes, source, bytes);
    buffer->start_bytes += bytes;
}

/* There are few bounce buffers: a message without one waits until one comes back. */
static bool fill_bounce(struct sheaf_ofi_send_buffer *buffer)
{
    struct sheaf_ofi_bounce *bounce = sheaf_ofi_take_bounce(buffer->link->port);
    if (!bounce)
        return false;
    memcpy(bounce->bytes, buffer->start, buffer->start_bytes);
    memcpy(bounce->bytes + buffer->start_bytes, buffer->source, buffer->source_bytes);
    buffer->bounce = bounce;
    return true;
}

ssize_t sheaf_ofi_give_send(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_port *port = buffer->link->port;
    struct iovec parts[2] = {{buffer->start, buffer->start_bytes}};
    void *descriptors[2] = {sheaf_ofi_descriptor(buffer->region)};
    struct fi_msg message = {.msg_iov = parts,
                             .desc = descriptors,
                             .iov_count = 1,
                             .addr = buffer->link->address,
                             .context = &buffer->context.providers};
    if (buffer->source && sheaf_ofi_state.has_parts) {
        parts[1] = (struct iovec){(void *)(uintptr_t)buffer->source, buffer->source_bytes};
        message.iov_count = 2;
    } else if (buffer->source) {
        if (!buffer->bounce && !fill_bounce(buffer))
            return -FI_EAGAIN;
        parts[0] = (struct iovec){buffer->bounce->bytes, buffer->start_bytes + buffer->source_bytes};
        descriptors[0] = sheaf_ofi_descriptor(port->bounces_region);
    }
    return SHEAF_OFI_INSIDE(fi_sendmsg(port->endpoint, &message, 0));
}

/* Returns libfabric's status. */
static ssize_t ofi_post_send(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_port *port = buffer->link->port;
    if (sheaf_ofi_has(SHEAF_OFI_BUSY) && sheaf_ofi_is_refused(&port->chance))
        return -FI_EAGAIN;
    return sheaf_ofi_postpones(port, &buffer->context) ? 0 : sheaf_ofi_give_send(buffer);
}

static void note_posted(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_link *link = buffer->link;
    buffer->previous = NULL;
    buffer->next = link->posted;
    if (buffer->next)
        buffer->next->previous = buffer;
    link->posted = buffer;
}

static void forget_posted(struct sheaf_ofi_send_buffer *buffer)
{
    if (buffer->previous)
        buffer->previous->next = buffer->next;
    else
        buffer->link->posted = buffer->next;
    if (buffer->next)
        buffer->next->previous = buffer->previous;
}

static void ofi_enqueue_send(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_link *link = buffer->link;
    buffer->next = NULL;
    *link->last = buffer;
    link->last = &buffer->next;
    sheaf_ofi_block(link);
}

/* Sends, or queues the message. If the provider refuses it for good, the link and the message end in the
 * next turn. */
static void send_or_enqueue(struct sheaf_ofi_send_buffer *buffer)
{
    sheaf_transport_link *link = buffer->link;
    ssize_t status = link->first ? -FI_EAGAIN : ofi_post_send(buffer);
    if (status == 0) {
        note_posted(buffer);
        return;
    }
    ofi_enqueue_send(buffer);
    if (status != -FI_EAGAIN)
        sheaf_ofi_break(link, sheaf_ofi_words(status));
}

static void finish_retained(sheaf_transport_link *link, struct sheaf_ofi_retained *retained,
                            const char *why)
{
    struct sheaf_ofi_retained **place = &link->retained;
    while (*place != retained)
        place = &(*place)->next;
    *place = retained->next;
    void *operation = retained->operation;
    free(retained);
    sheaf_ofi_state.user->sent(operation, why);
}

static bool send_piece(sheaf_transport_link *link, struct sheaf_ofi_retained *retained)
{
    size_t rest = retained->bytes - retained->at, most = sheaf_ofi_state.sizes.fragment;
    size_t bytes = rest < most ? rest : most;
    struct sheaf_ofi_send_buffer *buffer = take_send_buffer(link);
    if (!buffer) {
        sheaf_ofi_break(link, sheaf_ofi_no_memory());
        return false;
    }
    ofi_begin_message(buffer, (struct sheaf_ofi_frame){.kind = SHEAF_OFI_PIECE, .number = retained->number,
                                                       .bytes = bytes},
                      NULL);
    ofi_add_data(buffer, retained->source + retained->at, bytes);
    buffer->retained = retained;
    retained->at += bytes;
    retained->under_way++;
    send_or_enqueue(buffer);
    return true;
}

/* Sends pieces as earlier ones complete, one message's after another's. */
static void send_pieces(sheaf_transport_link *link)
{
    struct sheaf_ofi_retained *retained = link->retained;
    while (!link->why && !link->first) {
        while (retained && (!retained->is_asked || retained->at == retained->bytes))
            retained = retained->next;
        if (!retained || retained->under_way >= sheaf_ofi_state.sizes.pieces || !send_piece(link, retained))
            return;
    }
}

static const char *ofi_check_message(const struct sheaf_transport_message *message)
{
    if (message->header_bytes > SHEAF_TRANSPORT_HEADER)
        return "the header is too long";
    if (message->bytes > sheaf_ofi_state.sizes.fragment && !message->may_ask)
        return "the message is too long";
    return NULL;
}

/* Returns the message's number, or 0: no memory. */
static uint64_t retain_data(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    struct sheaf_ofi_retained *retained = malloc(sizeof *retained), **place = &link->retained;
    if (!retained)
        return 0;
    *retained = (struct sheaf_ofi_retained){.number = ++link->numbers,
                                            .source = message->source,
                                            .bytes = message->bytes,
                                            .operation = message->operation};
    while (*place)
        place = &(*place)->next;
    *place = retained;
    return retained->number;
}

/* Makes the frame of a message; its data stays here if it does not fit. NULL: no memory. */
static struct sheaf_ofi_send_buffer *ofi_make_message(sheaf_transport_link *link,
                                                      const struct sheaf_transport_message *message,
                                                      bool is_retained)
{
    struct sheaf_ofi_frame frame = {.kind = is_retained ? SHEAF_OFI_ASK : SHEAF_OFI_MESSAGE,
                                    .bytes = message->bytes,
                                    .is_answered = message->is_answered,
                                    .header_bytes = (uint8_t)message->header_bytes};
    struct sheaf_ofi_send_buffer *buffer = take_send_buffer(link);
    if (buffer && is_retained && (frame.number = retain_data(link, message)) == 0) {
        free_send_buffer(buffer);
        buffer = NULL;
    }
    if (!buffer)
        return NULL;
    ofi_begin_message(buffer, frame, message->header);
    if (!is_retained)
        ofi_add_data(buffer, message->source, message->bytes);
    return buffer;
}

void sheaf_ofi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const char *why = link->why ? link->why : ofi_check_message(message);
    bool is_retained = message->bytes > sheaf_ofi_state.sizes.fragment;
    struct sheaf_ofi_send_buffer *buffer = why ? NULL : ofi_make_message(link, message, is_retained);
    if (!buffer) {
        sheaf_ofi_state.user->sent(message->operation, why ? why : sheaf_ofi_no_memory());
        return;
    }
    bool is_copied = !is_retained && !buffer->source;
    buffer->has_operation = buffer->source != NULL;
    buffer->operation = message->operation;
    send_or_enqueue(buffer);
    if (is_copied)
        sheaf_ofi_state.user->sent(message->operation, link->why);
}

void sheaf_ofi_send_control(sheaf_transport_link *link, enum sheaf_ofi_kind kind, uint64_t number)
{
    if (link->why)
        return;
    struct sheaf_ofi_send_buffer *buffer = take_send_buffer(link);
    if (!buffer) {
        sheaf_ofi_break(link, sheaf_ofi_no_memory());
        return;
    }
    ofi_begin_message(buffer, (struct sheaf_ofi_frame){.kind = (uint8_t)kind, .number = number}, NULL);
    send_or_enqueue(buffer);
}

static struct sheaf_ofi_retained *find_retained(const sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_retained *retained = link->retained;
    while (retained && retained->number != number)
        retained = retained->next;
    return retained && !retained->is_asked ? retained : NULL;
}

void sheaf_ofi_take_fetch(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_retained *retained = find_retained(link, number);
    if (retained)
        retained->is_asked = true;
    send_pieces(link);
}

void sheaf_ofi_take_drop(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_retained *retained = find_retained(link, number);
    if (retained)
        finish_retained(link, retained, NULL);
}

void sheaf_ofi_send_ended(struct sheaf_ofi_send_buffer *buffer, const char *why)
{
    sheaf_transport_link *link = buffer->link;
    struct sheaf_ofi_retained *retained = buffer->retained;
    bool has_operation = buffer->has_operation;
    void *operation = buffer->operation;
    forget_posted(buffer);
    free_send_buffer(buffer);
    if (has_operation)
        sheaf_ofi_state.user->sent(operation, why);
    if (why)
        sheaf_ofi_break(link, why);
    if (retained && !link->why && --retained->under_way == 0 && retained->at == retained->bytes)
        finish_retained(link, retained, NULL);
    send_pieces(link);
}

/* Returns whether any was sent. */
static bool send_queued(sheaf_transport_link *link)
{
    bool any = false;
    while (link->first && !link->why) {
        struct sheaf_ofi_send_buffer *buffer = link->first, *next = buffer->next;
        ssize_t status = ofi_post_send(buffer);
        if (status != 0) {
            if (status != -FI_EAGAIN)
                sheaf_ofi_break(link, sheaf_ofi_words(status));
            return any;
        }
        link->first = next;
        if (!next)
            link->last = &link->first;
        note_posted(buffer);
        any = true;
    }
    send_pieces(link);
    return any;
}

bool sheaf_ofi_send_blocked(sheaf_transport_port *port)
{
    bool any = false;
    sheaf_transport_link *link = port->blocked;
    port->blocked = NULL;
    while (link) {
        sheaf_transport_link *next = link->next_blocked;
        link->is_blocked = false;
        any |= send_queued(link);
        any |= sheaf_ofi_give_queued(link);
        if (link->first && !link->why)
            sheaf_ofi_block(link);
        link = next;
    }
    return any;
}

static void tell_sent(struct sheaf_ofi_send_buffer *buffer, const char *why)
{
    buffer->retained = NULL;
    if (!buffer->has_operation)
        return;
    buffer->has_operation = false;
    sheaf_ofi_state.user->sent(buffer->operation, why);
}

/* The provider keeps those that it has; their ends are ignored. */
void sheaf_ofi_end_sends(sheaf_transport_link *link)
{
    while (link->first) {
        struct sheaf_ofi_send_buffer *buffer = link->first;
        link->first = buffer->next;
        if (!link->first)
            link->last = &link->first;
        tell_sent(buffer, link->why);
        free_send_buffer(buffer);
    }
    for (struct sheaf_ofi_send_buffer *buffer = link->posted; buffer; buffer = buffer->next)
        tell_sent(buffer, link->why);
    while (link->retained)
        finish_retained(link, link->retained, link->why);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that arrive: checked before any of them is used, put into their sender's order, and reported.
 * Anybody who reaches the provider's port may send; a message without this port's secret is dropped.
 */
#include "engine/ofi/ofi.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Most messages of one sender that may overtake an earlier one. */
#define MOST_EARLY 4096

/* A frame, and pointers to the rest of the message. */
struct view {
    struct sheaf_ofi_frame frame;
    const unsigned char *introduction, *header, *data;
};

static const struct {
    bool has_header, has_data;
} kinds[SHEAF_OFI_KINDS] = {
    [SHEAF_OFI_MESSAGE] = {true, true},
    [SHEAF_OFI_ASK] = {true, false},
    [SHEAF_OFI_PIECE] = {false, true},
};

static bool ofi_is_valid_frame(const sheaf_transport_port *port, const struct sheaf_ofi_frame *frame)
{
    return frame->secret == port->secret && frame->kind < SHEAF_OFI_KINDS && frame->is_answered <= 1 &&
           frame->header_bytes <= (kinds[frame->kind].has_header ? SHEAF_TRANSPORT_HEADER : 0) &&
           (frame->introduction_bytes == 0 ||
            frame->introduction_bytes == sizeof(struct sheaf_ofi_introduction) + port->name_bytes);
}

static bool read_view(const sheaf_transport_port *port, const unsigned char *bytes, size_t length,
                      struct view *view)
{
    if (length < sizeof view->frame)
        return false;
    memcpy(&view->frame, bytes, sizeof view->frame);
    if (!ofi_is_valid_frame(port, &view->frame))
        return false;
    size_t begins = sizeof view->frame + view->frame.introduction_bytes + view->frame.header_bytes;
    uint64_t data_bytes = kinds[view->frame.kind].has_data ? view->frame.bytes : 0;
    view->introduction = bytes + sizeof view->frame;
    view->header = view->introduction + view->frame.introduction_bytes;
    view->data = view->header + view->frame.header_bytes;
    return begins <= length && data_bytes == length - begins;
}

static struct sheaf_ofi_waiting *find_waiting(const sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_waiting *waiting = link->waiting;
    while (waiting && waiting->number != number)
        waiting = waiting->next;
    return waiting;
}

static void remove_waiting(struct sheaf_ofi_waiting *waiting)
{
    struct sheaf_ofi_waiting **place = &waiting->link->waiting;
    while (*place != waiting)
        place = &(*place)->next;
    *place = waiting->next;
    free(waiting);
}

static bool tell_arrival(sheaf_transport_link *link, const struct view *view,
                         struct sheaf_ofi_waiting *waiting)
{
    const struct sheaf_ofi_frame *frame = &view->frame;
    const struct sheaf_transport_arrival arrival = {
        .header = view->header,
        .header_bytes = frame->header_bytes,
        .data = waiting || frame->bytes == 0 ? NULL : view->data,
        .bytes = frame->bytes,
        .waiting = waiting,
        .origin = frame->is_answered ? link : NULL,
    };
    return sheaf_ofi_state.user->arrived(link->port->owner, &arrival);
}

static void ofi_handle_message(sheaf_transport_link *link, const struct view *view)
{
    tell_arrival(link, view, NULL);
}

/* The user fetches the data from within tell_arrival(), or later, or never. If it was fetched and the link
 * broke, the link's end has freed waiting. */
static void ofi_handle_ask(sheaf_transport_link *link, const struct view *view)
{
    struct sheaf_ofi_waiting *waiting = calloc(1, sizeof *waiting);
    uint64_t number = view->frame.number;
    if (!waiting) {
        sheaf_ofi_break(link, "no memory");
        return;
    }
    waiting->link = link;
    waiting->number = number;
    waiting->bytes = view->frame.bytes;
    waiting->next = link->waiting;
    link->waiting = waiting;
    bool is_wanted = tell_arrival(link, view, waiting);
    waiting = find_waiting(link, number);
    if (is_wanted || !waiting || waiting->dest)
        return;
    remove_waiting(waiting);
    sheaf_ofi_send_control(link, SHEAF_OFI_DROP, number);
}

static void ofi_handle_fetch(sheaf_transport_link *link, const struct view *view)
{
    sheaf_ofi_take_fetch(link, view->frame.number);
}

static void ofi_handle_drop(sheaf_transport_link *link, const struct view *view)
{
    sheaf_ofi_take_drop(link, view->frame.number);
}

static void ofi_handle_goodbye(sheaf_transport_link *link, const struct view *view)
{
    (void)view;
    sheaf_ofi_break(link, "its other end has been closed");
}

static void handle_piece(sheaf_transport_link *link, const struct view *view)
{
    struct sheaf_ofi_waiting *waiting = find_waiting(link, view->frame.number);
    if (!waiting || !waiting->dest || view->frame.bytes > waiting->bytes - waiting->received)
        return;
    memcpy(waiting->dest + waiting->received, view->data, view->frame.bytes);
    waiting->received += view->frame.bytes;
    if (waiting->received < waiting->bytes)
        return;
    void *message = waiting->message;
    remove_waiting(waiting);
    sheaf_ofi_state.user->fetched(message, NULL);
}

/* Handles the next message of its sender. A first message tells how the sender is reached. */
static void handle_next(sheaf_transport_link *link, struct view *view)
{
    static void (*const handlers[SHEAF_OFI_KINDS])(sheaf_transport_link *, const struct view *) = {
        [SHEAF_OFI_MESSAGE] = ofi_handle_message, [SHEAF_OFI_ASK] = ofi_handle_ask,
        [SHEAF_OFI_FETCH] = ofi_handle_fetch,     [SHEAF_OFI_DROP] = ofi_handle_drop,
        [SHEAF_OFI_PIECE] = handle_piece,     [SHEAF_OFI_GOODBYE] = ofi_handle_goodbye,
    };
    struct sheaf_ofi_introduction introduction;
    link->expected++;
    if (view->frame.introduction_bytes && !link->is_known) {
        memcpy(&introduction, view->introduction, sizeof introduction);
        const char *why =
            sheaf_ofi_introduce(link, introduction.secret, view->introduction + sizeof introduction);
        if (why)
            sheaf_ofi_break(link, why);
    }
    if (link->is_known && !link->why)
        handlers[view->frame.kind](link, view);
}

static void store_early(sheaf_transport_link *link, uint32_t sequence, const unsigned char *bytes,
                        size_t length)
{
    if (link->early_count == MOST_EARLY) {
        sheaf_ofi_break(link, "too many messages have overtaken one");
        return;
    }
    struct sheaf_ofi_early *early = malloc(sizeof *early + length);
    if (!early) {
        sheaf_ofi_break(link, "no memory");
        return;
    }
    early->sequence = sequence;
    early->length = length;
    memcpy(early->bytes, bytes, length);
    early->next = link->early;
    link->early = early;
    link->early_count++;
}

static struct sheaf_ofi_early *take_early(sheaf_transport_link *link)
{
    struct sheaf_ofi_early **place = &link->early, *early;
    while (*place && (*place)->sequence != link->expected)
        place = &(*place)->next;
    if ((early = *place) != NULL) {
        *place = early->next;
        link->early_count--;
    }
    return early;
}

void sheaf_ofi_handle_message(sheaf_transport_port *port, const unsigned char *bytes, size_t length)
{
    struct view view;
    struct sheaf_ofi_early *early;
    if (!read_view(port, bytes, length, &view))
        return;
    sheaf_transport_link *link = sheaf_ofi_find_link(port, view.frame.sender);
    if (!link)
        link = sheaf_ofi_make_link(port, view.frame.sender);
    if (!link || link->why)
        return;
    link->is_heard = true;
    int32_t ahead = (int32_t)(view.frame.sequence - link->expected);
    if (ahead > 0)
        store_early(link, view.frame.sequence, bytes, length);
    if (ahead != 0)
        return;
    handle_next(link, &view);
    while (link->early && (early = take_early(link)) != NULL) {
        if (read_view(port, early->bytes, early->length, &view))
            handle_next(link, &view);
        free(early);
    }
}

void sheaf_ofi_fetch(sheaf_transport_port *port, void *argument, void *dest, size_t bytes, void *message)
{
    struct sheaf_ofi_waiting *waiting = argument;
    sheaf_transport_link *link = waiting->link;
    (void)port;
    if (link->why || bytes < waiting->bytes) {
        const char *why = link->why ? link->why : "there is less room than data";
        remove_waiting(waiting);
        sheaf_ofi_state.user->fetched(message, why);
        return;
    }
    waiting->dest = dest;
    waiting->message = message;
    sheaf_ofi_send_control(link, SHEAF_OFI_FETCH, waiting->number);
}

/* Data that is not fetched yet stays: its user may still ask for it. */
void sheaf_ofi_end_fetches(sheaf_transport_link *link)
{
    struct sheaf_ofi_waiting *waiting = link->waiting, *next;
    for (; waiting; waiting = next) {
        void *message = waiting->message;
        next = waiting->next;
        if (!waiting->dest)
            continue;
        remove_waiting(waiting);
        sheaf_ofi_state.user->fetched(message, link->why);
    }
}

void sheaf_ofi_give_back(sheaf_transport_port *port, struct sheaf_ofi_receive_buffer *buffer)
{
    buffer->next = port->idle;
    port->idle = buffer;
}

void sheaf_ofi_receive_ended(sheaf_transport_port *port, struct sheaf_ofi_receive_buffer *buffer,
                             size_t length)
{
    buffer->length = length < sheaf_ofi_most() ? length : sheaf_ofi_most();
    if (sheaf_ofi_has(SHEAF_OFI_NO_ORDER) && port->shuffled.count < SHEAF_OFI_SHUFFLED) {
        sheaf_ofi_put_aside(&port->shuffled, buffer);
        return;
    }
    sheaf_ofi_handle_message(port, buffer->bytes, buffer->length);
    sheaf_ofi_give_back(port, buffer);
}

/* Whether all receive buffers wait to be given to the provider. */
static bool has_no_receive(const sheaf_transport_port *port)
{
    unsigned count = 0;
    for (const struct sheaf_ofi_receive_buffer *buffer = port->idle; buffer; buffer = buffer->next)
        count++;
    return count == sheaf_ofi_state.sizes.buffers;
}

ssize_t sheaf_ofi_give_buffers(sheaf_transport_port *port)
{
    ssize_t status = 0;
    while (port->idle && status == 0) {
        struct sheaf_ofi_receive_buffer *buffer = port->idle, *next = buffer->next;
        status = fi_recv(port->endpoint, buffer->bytes, sheaf_ofi_most(),
                         sheaf_ofi_descriptor(port->buffers_region), FI_ADDR_UNSPEC,
                         &buffer->context.providers);
        port->idle = status == 0 ? next : buffer;
    }
    return status != 0 && status != -FI_EAGAIN && has_no_receive(port) ? status : 0;
}

/* Distance from one buffer to the next. Their memory is used only as far as messages are long. */
static size_t buffer_step(void)
{
    const size_t alignment = _Alignof(max_align_t);
    const size_t bytes = sizeof(struct sheaf_ofi_receive_buffer) + sheaf_ofi_most();
    return (bytes + alignment - 1) / alignment * alignment;
}

int sheaf_ofi_start_receiving(sheaf_transport_port *port, const char **why)
{
    unsigned count = sheaf_ofi_state.sizes.buffers;
    port->buffers_region = sheaf_ofi_make_region(port, count * buffer_step());
    *why = sheaf_ofi_no_memory();
    if (!port->buffers_region || sheaf_ofi_make_bounces(port) != 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        struct sheaf_ofi_receive_buffer *buffer =
            (void *)((char *)port->buffers_region->start + i * buffer_step());
        buffer->context.kind = SHEAF_OFI_RECEIVE;
        sheaf_ofi_give_back(port, buffer);
    }
    *why = "libfabric takes no buffers for what arrives";
    return sheaf_ofi_give_buffers(port) == 0 && !has_no_receive(port) ? 0 : -1;
}

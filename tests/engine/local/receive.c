/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives on a link: frames, put together from the pieces of the stream, each looked at before it is
 * used. A message is handed over in memory that ends where the message does and is overwritten afterwards.
 */
#include "local/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define NOBODY_SENDS_THIS "what has arrived is nothing that this transport sends"

static struct sheaf_local_retained *take_kept(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_local_retained **place = &link->retained, *retained;
    while (*place && (*place)->number != number)
        place = &(*place)->next;
    if ((retained = *place) != NULL)
        *place = retained->next;
    return retained;
}

static struct sheaf_local_waiting *find_waiting(const sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_local_waiting *waiting = link->waiting;
    while (waiting && waiting->number != number)
        waiting = waiting->next;
    return waiting;
}

static void remove_waiting(struct sheaf_local_waiting *waiting)
{
    struct sheaf_local_waiting **place = &waiting->link->waiting;
    while (*place != waiting)
        place = &(*place)->next;
    *place = waiting->next;
}

/* A copy, of any alignment, that ends where its block does. */
static unsigned char *copy(sheaf_transport_link *link, const unsigned char *bytes, size_t count,
                           void **block)
{
    size_t shift = sheaf_local_happens(link->port, sheaf_local_settings.pieces)
                       ? sheaf_local_below(link->port, 16)
                       : 0;
    unsigned char *start = sheaf_local_allocate(shift + count);
    memcpy(start + shift, bytes, count);
    *block = start;
    return start + shift;
}

static bool tell(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                 const unsigned char *bytes, struct sheaf_local_waiting *waiting)
{
    void *header_block, *data_block;
    size_t data_bytes = waiting ? 0 : frame->bytes;
    unsigned char *header = copy(link, bytes, frame->header_bytes, &header_block);
    unsigned char *data = copy(link, bytes + frame->header_bytes, data_bytes, &data_block);
    struct sheaf_transport_arrival arrival = {
        .header = header,
        .header_bytes = frame->header_bytes,
        .data = data_bytes ? data : NULL,
        .bytes = frame->bytes,
        .waiting = waiting,
        .origin = frame->is_answered ? link : NULL,
    };
    bool is_wanted = sheaf_local.user.arrived(link->port->owner, &arrival);
    memset(header, 0xdd, frame->header_bytes);
    memset(data, 0xdd, data_bytes);
    free(header_block);
    free(data_block);
    return is_wanted;
}

/* Its data goes where the user wants it first. */
static void take_long(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                      const unsigned char *bytes)
{
    struct sheaf_transport_arrival arrival = {
        .header = bytes,
        .header_bytes = frame->header_bytes,
        .bytes = frame->bytes,
        .origin = frame->is_answered ? link : NULL,
    };
    void *place = sheaf_local.user.destination(link->port->owner, &arrival);
    if (!place)
        return;
    memcpy(place, bytes + frame->header_bytes, frame->bytes);
    arrival.data = place;
    sheaf_local.user.arrived(link->port->owner, &arrival);
}

static void take_message(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                         const unsigned char *bytes)
{
    tell(link, frame, bytes, NULL);
}

static void take_ask(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                     const unsigned char *bytes)
{
    struct sheaf_local_waiting *waiting = sheaf_local_allocate(sizeof *waiting);
    *waiting = (struct sheaf_local_waiting){
        .link = link, .number = frame->number, .bytes = frame->bytes, .next = link->waiting};
    link->waiting = waiting;
    bool is_fetched_later = tell(link, frame, bytes, waiting);
    waiting = find_waiting(link, frame->number);
    if (is_fetched_later || !waiting || waiting->dest) /* the last two: it has been fetched by now */
        return;
    sheaf_local_send_control(link, SHEAF_LOCAL_DROP, frame->number);
    remove_waiting(waiting);
    free(waiting);
}

static void take_fetch(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                       const unsigned char *bytes)
{
    struct sheaf_local_retained *retained = take_kept(link, frame->number);
    (void)bytes;
    if (retained)
        sheaf_local_send_kept(link, retained);
    else
        sheaf_local_break(link, NOBODY_SENDS_THIS);
}

static void take_drop(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                      const unsigned char *bytes)
{
    struct sheaf_local_retained *retained = take_kept(link, frame->number);
    (void)bytes;
    if (!retained) {
        sheaf_local_break(link, NOBODY_SENDS_THIS);
        return;
    }
    if (retained->has_operation)
        sheaf_local_sent(link->port, retained->operation);
    free(retained->block);
    free(retained);
}

static void take_piece(sheaf_transport_link *link, const struct sheaf_local_frame *frame,
                       const unsigned char *bytes)
{
    struct sheaf_local_waiting *waiting = find_waiting(link, frame->number);
    if (!waiting || !waiting->dest || frame->bytes > waiting->bytes - waiting->received) {
        sheaf_local_break(link, NOBODY_SENDS_THIS);
        return;
    }
    memcpy(waiting->dest + waiting->received, bytes, frame->bytes);
    waiting->received += frame->bytes;
    if (waiting->received < waiting->bytes)
        return;
    void *message = waiting->message;
    remove_waiting(waiting);
    free(waiting);
    sheaf_local.user.fetched(message, NULL);
}

static const struct {
    bool has_header, has_data;
    size_t most;
    void (*take)(sheaf_transport_link *, const struct sheaf_local_frame *, const unsigned char *);
} kinds[SHEAF_LOCAL_KINDS] = {
    [SHEAF_LOCAL_MESSAGE] = {true, true, SHEAF_LOCAL_MOST_INLINE, take_message},
    [SHEAF_LOCAL_LONG] = {true, true, SHEAF_LOCAL_MOST_INLINE, take_long},
    [SHEAF_LOCAL_ASK] = {true, false, SIZE_MAX, take_ask},
    [SHEAF_LOCAL_FETCH] = {false, false, 0, take_fetch},
    [SHEAF_LOCAL_DROP] = {false, false, 0, take_drop},
    [SHEAF_LOCAL_PIECE] = {false, true, SHEAF_TRANSPORT_FRAGMENT, take_piece},
};

static bool is_sound(const struct sheaf_local_frame *frame)
{
    return frame->kind < SHEAF_LOCAL_KINDS && frame->is_answered <= 1 &&
           frame->bytes <= kinds[frame->kind].most &&
           frame->header_bytes <= (kinds[frame->kind].has_header ? SHEAF_TRANSPORT_HEADER : 0);
}

/* The next frame's length; 0: its beginning is not here yet, or the link has broken. */
static size_t next_frame(sheaf_transport_link *link, struct sheaf_local_frame *frame)
{
    if (link->why || link->end - link->begin < sizeof *frame)
        return 0;
    memcpy(frame, link->in + link->begin, sizeof *frame);
    if (!is_sound(frame)) {
        sheaf_local_break(link, NOBODY_SENDS_THIS);
        return 0;
    }
    return sizeof *frame + frame->header_bytes + (kinds[frame->kind].has_data ? frame->bytes : 0);
}

/* May stop before the last one. */
bool sheaf_local_take_frames(sheaf_transport_link *link)
{
    struct sheaf_local_frame frame;
    bool any = false;
    size_t length;
    while ((length = next_frame(link, &frame)) && length <= link->end - link->begin) {
        const unsigned char *bytes = link->in + link->begin + sizeof frame;
        link->has_frames = true;
        if (any && sheaf_local_happens(link->port, sheaf_local_settings.rests))
            return true;
        link->begin += length;
        kinds[frame.kind].take(link, &frame, bytes);
        any = true;
    }
    link->has_frames = false;
    return any;
}

/* Room for the rest of the frame that has begun, and for more where that is short. */
#define LEAST_ROOM ((size_t)65536)
static void make_room(sheaf_transport_link *link)
{
    struct sheaf_local_frame frame;
    size_t bytes = link->end - link->begin, length = next_frame(link, &frame);
    size_t room = (length > bytes ? length : bytes) + LEAST_ROOM;
    if (link->begin)
        memmove(link->in, link->in + link->begin, bytes);
    link->begin = 0;
    link->end = bytes;
    if (room <= link->room)
        return;
    unsigned char *in = sheaf_local_allocate(room);
    if (bytes)
        memcpy(in, link->in, bytes);
    free(link->in);
    link->in = in;
    link->room = room;
}

bool sheaf_local_read(sheaf_transport_link *link)
{
    make_room(link);
    size_t most = link->room - link->end;
    if (sheaf_local_happens(link->port, sheaf_local_settings.pieces))
        most = 1 + sheaf_local_below(link->port, 200);
    ssize_t bytes = recv(link->fd, link->in + link->end, most, MSG_DONTWAIT);
    if (bytes < 0 && errno == EAGAIN) {
        link->is_readable = false;
        return false;
    }
    if (bytes <= 0) {
        sheaf_local_break(link, bytes == 0 ? "the other PE has closed it" : strerror(errno));
        return true;
    }
    link->is_readable = false; /* until epoll says so again */
    link->end += (size_t)bytes;
    return sheaf_local_take_frames(link);
}

void sheaf_local_fetch(sheaf_transport_port *port, void *what, void *dest, size_t bytes, void *message)
{
    struct sheaf_local_waiting *waiting = what;
    const char *why = waiting->link->why;
    (void)port;
    if (!why && bytes != waiting->bytes)
        why = "all of the data is to be fetched";
    if (why) {
        remove_waiting(waiting);
        free(waiting);
        sheaf_local.user.fetched(message, why);
        return;
    }
    waiting->dest = dest;
    waiting->message = message;
    sheaf_local_send_control(waiting->link, SHEAF_LOCAL_FETCH, waiting->number);
}

/* Those that nobody has asked for end without a word. */
void sheaf_local_end_fetches(sheaf_transport_link *link)
{
    while (link->waiting) {
        struct sheaf_local_waiting *waiting = link->waiting;
        link->waiting = waiting->next;
        struct sheaf_local_waiting ended = *waiting;
        free(waiting);
        if (ended.dest)
            sheaf_local.user.fetched(ended.message, link->why);
    }
}

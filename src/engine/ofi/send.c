/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What leaves: parcels, in order on each link. A short message is copied, so that its sender goes on at
 * once; long data stays where it is until the provider has read it, or until its receiver fetches it. What
 * the provider does not take now waits in the link's queue for a later turn.
 */
#include "engine/ofi/ofi.h"

#include <stdlib.h>
#include <string.h>

/* Parcels that are made at once. */
#define PARCELS 32

static struct sheaf_ofi_parcel *make_parcels(sheaf_transport_port *port)
{
    struct sheaf_ofi_region *region =
        sheaf_ofi_make_region(port, PARCELS * sizeof(struct sheaf_ofi_parcel));
    struct sheaf_ofi_parcel *parcels = region ? region->start : NULL;
    for (int i = 0; region && i < PARCELS; i++) {
        parcels[i].region = region;
        parcels[i].next = i + 1 < PARCELS ? &parcels[i + 1] : NULL;
    }
    return parcels;
}

static struct sheaf_ofi_parcel *take_parcel(sheaf_transport_link *link)
{
    sheaf_transport_port *port = link->port;
    if (!port->free)
        port->free = make_parcels(port);
    struct sheaf_ofi_parcel *parcel = port->free;
    if (!parcel)
        return NULL;
    port->free = parcel->next;
    parcel->ticket.kind = SHEAF_OFI_PARCEL;
    parcel->link = link;
    parcel->has_operation = false;
    parcel->kept = NULL;
    parcel->source = NULL;
    parcel->source_bytes = 0;
    parcel->bounce = NULL;
    return parcel;
}

static void free_parcel(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_port *port = parcel->link->port;
    if (parcel->bounce)
        sheaf_ofi_give_bounce(port, parcel->bounce);
    parcel->next = port->free;
    port->free = parcel;
}

static size_t put_introduction(const sheaf_transport_port *port, unsigned char *at)
{
    const struct sheaf_ofi_introduction introduction = {.secret = port->secret};
    memcpy(at, &introduction, sizeof introduction);
    memcpy(at + sizeof introduction, port->name, port->name_bytes);
    return sizeof introduction + port->name_bytes;
}

/* Gives it its place in the link's order. */
static void begin(struct sheaf_ofi_parcel *parcel, struct sheaf_ofi_frame frame, const void *header)
{
    sheaf_transport_link *link = parcel->link;
    unsigned char *at = parcel->start + sizeof frame;
    frame.secret = link->secret;
    frame.sender = link->port->id;
    frame.sequence = link->sequence++;
    if (frame.sequence == 0)
        frame.introduction_bytes = (uint8_t)put_introduction(link->port, at);
    at += frame.introduction_bytes;
    memcpy(parcel->start, &frame, sizeof frame);
    if (header)
        memcpy(at, header, frame.header_bytes);
    parcel->start_bytes = (size_t)(at - parcel->start) + frame.header_bytes;
}

static void add_data(struct sheaf_ofi_parcel *parcel, const void *source, size_t bytes)
{
    if (bytes == 0)
        return;
    if (parcel->start_bytes + bytes > sizeof parcel->start) {
        parcel->source = source;
        parcel->source_bytes = bytes;
        return;
    }
    memcpy(parcel->start + parcel->start_bytes, source, bytes);
    parcel->start_bytes += bytes;
}

/* They are few: who finds none waits until one comes back. */
static bool fill_bounce(struct sheaf_ofi_parcel *parcel)
{
    struct sheaf_ofi_bounce *bounce = sheaf_ofi_take_bounce(parcel->link->port);
    if (!bounce)
        return false;
    memcpy(bounce->bytes, parcel->start, parcel->start_bytes);
    memcpy(bounce->bytes + parcel->start_bytes, parcel->source, parcel->source_bytes);
    parcel->bounce = bounce;
    return true;
}

ssize_t sheaf_ofi_give_parcel(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_port *port = parcel->link->port;
    struct iovec parts[2] = {{parcel->start, parcel->start_bytes}};
    void *descriptors[2] = {sheaf_ofi_descriptor(parcel->region)};
    struct fi_msg message = {.msg_iov = parts,
                             .desc = descriptors,
                             .iov_count = 1,
                             .addr = parcel->link->address,
                             .context = &parcel->ticket.providers};
    if (parcel->source && sheaf_ofi_state.has_parts) {
        parts[1] = (struct iovec){(void *)(uintptr_t)parcel->source, parcel->source_bytes};
        message.iov_count = 2;
    } else if (parcel->source) {
        if (!parcel->bounce && !fill_bounce(parcel))
            return -FI_EAGAIN;
        parts[0] = (struct iovec){parcel->bounce->bytes, parcel->start_bytes + parcel->source_bytes};
        descriptors[0] = sheaf_ofi_descriptor(port->bounces_region);
    }
    return SHEAF_OFI_INSIDE(fi_sendmsg(port->endpoint, &message, 0));
}

/* Returns what libfabric does. */
static ssize_t post(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_port *port = parcel->link->port;
    if (sheaf_ofi_has(SHEAF_OFI_BUSY) && sheaf_ofi_is_refused(&port->chance))
        return -FI_EAGAIN;
    return sheaf_ofi_postpones(port, &parcel->ticket) ? 0 : sheaf_ofi_give_parcel(parcel);
}

static void note_posted(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_link *link = parcel->link;
    parcel->previous = NULL;
    parcel->next = link->posted;
    if (parcel->next)
        parcel->next->previous = parcel;
    link->posted = parcel;
}

static void forget_posted(struct sheaf_ofi_parcel *parcel)
{
    if (parcel->previous)
        parcel->previous->next = parcel->next;
    else
        parcel->link->posted = parcel->next;
    if (parcel->next)
        parcel->next->previous = parcel->previous;
}

static void enqueue(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_link *link = parcel->link;
    parcel->next = NULL;
    *link->last = parcel;
    link->last = &parcel->next;
    sheaf_ofi_block(link);
}

/* Where the provider refuses it for good the link ends, and with it the parcel, in the next turn. */
static void leave(struct sheaf_ofi_parcel *parcel)
{
    sheaf_transport_link *link = parcel->link;
    ssize_t status = link->first ? -FI_EAGAIN : post(parcel);
    if (status == 0) {
        note_posted(parcel);
        return;
    }
    enqueue(parcel);
    if (status != -FI_EAGAIN)
        sheaf_ofi_break(link, sheaf_ofi_words(status));
}

static void finish_kept(sheaf_transport_link *link, struct sheaf_ofi_kept *kept, const char *why)
{
    struct sheaf_ofi_kept **place = &link->kept;
    while (*place != kept)
        place = &(*place)->next;
    *place = kept->next;
    void *operation = kept->operation;
    free(kept);
    sheaf_ofi_state.user->sent(operation, why);
}

static bool send_piece(sheaf_transport_link *link, struct sheaf_ofi_kept *kept)
{
    size_t rest = kept->bytes - kept->at, most = sheaf_ofi_state.sizes.fragment;
    size_t bytes = rest < most ? rest : most;
    struct sheaf_ofi_parcel *parcel = take_parcel(link);
    if (!parcel) {
        sheaf_ofi_break(link, sheaf_ofi_no_memory());
        return false;
    }
    begin(parcel, (struct sheaf_ofi_frame){.kind = SHEAF_OFI_PIECE, .number = kept->number, .bytes = bytes},
          NULL);
    add_data(parcel, kept->source + kept->at, bytes);
    parcel->kept = kept;
    kept->at += bytes;
    kept->under_way++;
    leave(parcel);
    return true;
}

/* Pieces leave as others are done, one message's after another's. */
static void feed(sheaf_transport_link *link)
{
    struct sheaf_ofi_kept *kept = link->kept;
    while (!link->why && !link->first) {
        while (kept && (!kept->is_asked || kept->at == kept->bytes))
            kept = kept->next;
        if (!kept || kept->under_way >= sheaf_ofi_state.sizes.pieces || !send_piece(link, kept))
            return;
    }
}

static const char *check_message(const struct sheaf_transport_message *message)
{
    if (message->header_bytes > SHEAF_TRANSPORT_HEADER)
        return "the header is too long";
    if (message->bytes > sheaf_ofi_state.sizes.fragment && !message->may_ask)
        return "the message is too long";
    return NULL;
}

/* Returns its number, or 0: no memory. */
static uint64_t keep(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    struct sheaf_ofi_kept *kept = malloc(sizeof *kept), **place = &link->kept;
    if (!kept)
        return 0;
    *kept = (struct sheaf_ofi_kept){.number = ++link->numbers,
                                    .source = message->source,
                                    .bytes = message->bytes,
                                    .operation = message->operation};
    while (*place)
        place = &(*place)->next;
    *place = kept;
    return kept->number;
}

/* The frame of a message; its data stays where it does not fit. NULL: no memory. */
static struct sheaf_ofi_parcel *wrap(sheaf_transport_link *link,
                                     const struct sheaf_transport_message *message, bool stays)
{
    struct sheaf_ofi_frame frame = {.kind = stays ? SHEAF_OFI_ASK : SHEAF_OFI_MESSAGE,
                                    .bytes = message->bytes,
                                    .is_answered = message->is_answered,
                                    .header_bytes = (uint8_t)message->header_bytes};
    struct sheaf_ofi_parcel *parcel = take_parcel(link);
    if (parcel && stays && (frame.number = keep(link, message)) == 0) {
        free_parcel(parcel);
        parcel = NULL;
    }
    if (!parcel)
        return NULL;
    begin(parcel, frame, message->header);
    if (!stays)
        add_data(parcel, message->source, message->bytes);
    return parcel;
}

void sheaf_ofi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const char *why = link->why ? link->why : check_message(message);
    bool stays = message->bytes > sheaf_ofi_state.sizes.fragment;
    struct sheaf_ofi_parcel *parcel = why ? NULL : wrap(link, message, stays);
    if (!parcel) {
        sheaf_ofi_state.user->sent(message->operation, why ? why : sheaf_ofi_no_memory());
        return;
    }
    bool is_copied = !stays && !parcel->source;
    parcel->has_operation = parcel->source != NULL;
    parcel->operation = message->operation;
    leave(parcel);
    if (is_copied)
        sheaf_ofi_state.user->sent(message->operation, link->why);
}

void sheaf_ofi_send_control(sheaf_transport_link *link, enum sheaf_ofi_kind kind, uint64_t number)
{
    if (link->why)
        return;
    struct sheaf_ofi_parcel *parcel = take_parcel(link);
    if (!parcel) {
        sheaf_ofi_break(link, sheaf_ofi_no_memory());
        return;
    }
    begin(parcel, (struct sheaf_ofi_frame){.kind = (uint8_t)kind, .number = number}, NULL);
    leave(parcel);
}

static struct sheaf_ofi_kept *find_kept(const sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_kept *kept = link->kept;
    while (kept && kept->number != number)
        kept = kept->next;
    return kept && !kept->is_asked ? kept : NULL;
}

void sheaf_ofi_take_fetch(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_kept *kept = find_kept(link, number);
    if (kept)
        kept->is_asked = true;
    feed(link);
}

void sheaf_ofi_take_drop(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_ofi_kept *kept = find_kept(link, number);
    if (kept)
        finish_kept(link, kept, NULL);
}

void sheaf_ofi_parcel_ended(struct sheaf_ofi_parcel *parcel, const char *why)
{
    sheaf_transport_link *link = parcel->link;
    struct sheaf_ofi_kept *kept = parcel->kept;
    bool has_operation = parcel->has_operation;
    void *operation = parcel->operation;
    forget_posted(parcel);
    free_parcel(parcel);
    if (has_operation)
        sheaf_ofi_state.user->sent(operation, why);
    if (why)
        sheaf_ofi_break(link, why);
    if (kept && !link->why && --kept->under_way == 0 && kept->at == kept->bytes)
        finish_kept(link, kept, NULL);
    feed(link);
}

/* Whether any left. */
static bool send_queued(sheaf_transport_link *link)
{
    bool any = false;
    while (link->first && !link->why) {
        struct sheaf_ofi_parcel *parcel = link->first, *next = parcel->next;
        ssize_t status = post(parcel);
        if (status != 0) {
            if (status != -FI_EAGAIN)
                sheaf_ofi_break(link, sheaf_ofi_words(status));
            return any;
        }
        link->first = next;
        if (!next)
            link->last = &link->first;
        note_posted(parcel);
        any = true;
    }
    feed(link);
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
        any |= sheaf_ofi_pump(link);
        if (link->first && !link->why)
            sheaf_ofi_block(link);
        link = next;
    }
    return any;
}

static void tell(struct sheaf_ofi_parcel *parcel, const char *why)
{
    parcel->kept = NULL;
    if (!parcel->has_operation)
        return;
    parcel->has_operation = false;
    sheaf_ofi_state.user->sent(parcel->operation, why);
}

/* What the provider has stays with it, of no interest to anybody. */
void sheaf_ofi_end_sends(sheaf_transport_link *link)
{
    while (link->first) {
        struct sheaf_ofi_parcel *parcel = link->first;
        link->first = parcel->next;
        if (!link->first)
            link->last = &link->first;
        tell(parcel, link->why);
        free_parcel(parcel);
    }
    for (struct sheaf_ofi_parcel *parcel = link->posted; parcel; parcel = parcel->next)
        tell(parcel, link->why);
    while (link->kept)
        finish_kept(link, link->kept, link->why);
}

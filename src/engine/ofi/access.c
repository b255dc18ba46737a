/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, gets and atomic operations by the provider itself. An access ends when it is complete at the
 * target (FI_DELIVERY_COMPLETE). A flush has a place in the order of its link and ends when all accesses
 * before it have. An access after a fence waits for those before the fence, unless the provider keeps
 * puts in order. An access that the provider does not accept now waits in the link's queue for a later
 * turn.
 */
#include "engine/ofi/ofi.h"

#include <stdlib.h>
#include <string.h>

/* Number of accesses allocated at once. */
#define ACCESSES 32

static struct sheaf_ofi_access *make_accesses(sheaf_transport_port *port)
{
    struct sheaf_ofi_region *region =
        sheaf_ofi_make_region(port, ACCESSES * sizeof(struct sheaf_ofi_access));
    struct sheaf_ofi_access *accesses = region ? region->start : NULL;
    for (int i = 0; region && i < ACCESSES; i++) {
        accesses[i].region = region;
        accesses[i].next = i + 1 < ACCESSES ? &accesses[i + 1] : NULL;
    }
    return accesses;
}

/* Makes an access at the end of its link's order. NULL: no memory. */
static struct sheaf_ofi_access *begin_ordered(sheaf_transport_link *link, enum sheaf_ofi_access_kind kind,
                                              void *operation)
{
    sheaf_transport_port *port = link->port;
    struct sheaf_ofi_order *order = &link->order;
    if (!port->free_accesses)
        port->free_accesses = make_accesses(port);
    struct sheaf_ofi_access *access = port->free_accesses;
    if (!access)
        return NULL;
    port->free_accesses = access->next;
    access->context.kind = SHEAF_OFI_ACCESS;
    access->link = link;
    access->kind = kind;
    access->operation = operation;
    access->has_operation = true;
    access->bounce = NULL;
    access->fences = port->fences;
    access->keeps_order = true;
    access->next = NULL;
    access->previous = order->last;
    *(order->last ? &order->last->next : &order->first) = access;
    order->last = access;
    return access;
}

static void leave_order(struct sheaf_ofi_access *access)
{
    struct sheaf_ofi_order *order = &access->link->order;
    *(access->previous ? &access->previous->next : &order->first) = access->next;
    *(access->next ? &access->next->previous : &order->last) = access->previous;
    if (!access->keeps_order)
        order->unordered--;
}

static void ofi_tell_access_end(struct sheaf_ofi_access *access, const char *why)
{
    const struct sheaf_transport_user *user = sheaf_ofi_state.user;
    if (!access->has_operation)
        return;
    access->has_operation = false;
    (access->kind == SHEAF_OFI_FLUSH ? user->flushed : user->done)(access->operation, why);
}

static void finish_access(struct sheaf_ofi_access *access, const char *why)
{
    sheaf_transport_port *port = access->link->port;
    leave_order(access);
    ofi_tell_access_end(access, why);
    access->next = port->free_accesses;
    port->free_accesses = access;
}

static void end_flushes(sheaf_transport_link *link)
{
    while (link->order.first && link->order.first->kind == SHEAF_OFI_FLUSH)
        finish_access(link->order.first, link->why);
}

/* Whether no access under way must end first because of a fence. */
static bool may_go(const struct sheaf_ofi_access *access)
{
    const struct sheaf_ofi_order *order = &access->link->order;
    return order->first->fences == access->fences || (access->keeps_order && order->unordered == 0);
}

/* Returns libfabric's status. */
static ssize_t call_provider(struct sheaf_ofi_access *access)
{
    struct iovec place;
    void *descriptor;
    struct fid_ep *endpoint = access->link->port->endpoint;
    if (access->kind == SHEAF_OFI_ATOMIC)
        return sheaf_ofi_post_atomic(access);
    if (!sheaf_ofi_find_local(access, &place, &descriptor))
        return -FI_EAGAIN;
    struct fi_rma_iov there = {access->remote, access->piece, access->key};
    const struct fi_msg_rma message = {.msg_iov = &place,
                                       .desc = &descriptor,
                                       .iov_count = 1,
                                       .addr = access->link->address,
                                       .rma_iov = &there,
                                       .rma_iov_count = 1,
                                       .context = &access->context.providers};
    return access->kind == SHEAF_OFI_PUT
               ? fi_writemsg(endpoint, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE)
               : fi_readmsg(endpoint, &message, FI_COMPLETION);
}

ssize_t sheaf_ofi_give_access(struct sheaf_ofi_access *access)
{
    return SHEAF_OFI_INSIDE(call_provider(access));
}

static ssize_t post_access(struct sheaf_ofi_access *access)
{
    sheaf_transport_port *port = access->link->port;
    if (sheaf_ofi_has(SHEAF_OFI_BUSY) && sheaf_ofi_is_refused(&port->chance))
        return -FI_EAGAIN;
    ssize_t status = sheaf_ofi_postpones(port, &access->context) ? 0 : sheaf_ofi_give_access(access);
    if (status != 0 && status != -FI_EAGAIN)
        sheaf_ofi_break(access->link, sheaf_ofi_words(status));
    return status;
}

static void enqueue_access(struct sheaf_ofi_access *access)
{
    struct sheaf_ofi_order *order = &access->link->order;
    access->next_queued = NULL;
    *order->queued_last = access;
    order->queued_last = &access->next_queued;
    sheaf_ofi_block(access->link);
}

/* Queues the next piece before all waiting accesses. */
static void enqueue_first(struct sheaf_ofi_access *access)
{
    struct sheaf_ofi_order *order = &access->link->order;
    access->next_queued = order->queued;
    if (!order->queued)
        order->queued_last = &access->next_queued;
    order->queued = access;
}

/* Whether a rule of tests lets others overtake the access. */
static bool is_overtaken(const struct sheaf_ofi_access *access)
{
    return sheaf_ofi_has(SHEAF_OFI_NO_ORDER) && sheaf_ofi_is_refused(&access->link->port->chance);
}

bool sheaf_ofi_give_queued(sheaf_transport_link *link)
{
    struct sheaf_ofi_order *order = &link->order;
    struct sheaf_ofi_access **place = &order->queued;
    bool any = false;
    while (*place && !link->why) {
        struct sheaf_ofi_access *access = *place;
        if (!may_go(access))
            break;
        if (is_overtaken(access)) {
            place = &access->next_queued;
            continue;
        }
        if (post_access(access) != 0)
            break;
        *place = access->next_queued;
        any = true;
    }
    if (!*place)
        order->queued_last = place;
    if (order->queued && !link->why)
        sheaf_ofi_block(link);
    return any;
}

static void ofi_start_access(struct sheaf_ofi_access *access)
{
    sheaf_transport_link *link = access->link;
    if (!access->keeps_order)
        link->order.unordered++;
    if (sheaf_ofi_has(SHEAF_OFI_NO_ORDER)) {
        enqueue_access(access);
        sheaf_ofi_give_queued(link);
    } else if (link->order.queued || !may_go(access) || post_access(access) != 0) {
        enqueue_access(access);
    }
}

void sheaf_ofi_access_ended(struct sheaf_ofi_access *access, const char *why)
{
    sheaf_transport_link *link = access->link;
    if (access->kind == SHEAF_OFI_ATOMIC)
        sheaf_ofi_take_result(access);
    else
        sheaf_ofi_take_back(access);
    access->local += access->piece;
    access->remote += access->piece;
    access->bytes -= access->piece;
    if (!why && !link->why && access->bytes > 0) {
        enqueue_first(access);
    } else {
        finish_access(access, why);
        if (why)
            sheaf_ofi_break(link, why);
        end_flushes(link);
    }
    sheaf_ofi_give_queued(link);
}

/* The provider keeps the accesses that it has. */
void sheaf_ofi_end_accesses(sheaf_transport_link *link)
{
    for (struct sheaf_ofi_access *access = link->order.first; access; access = access->next)
        ofi_tell_access_end(access, link->why);
}

static const char *ofi_check_access(const sheaf_transport_link *link, const sheaf_transport_key *key,
                                    uint64_t remote,
                                    size_t bytes)
{
    if (link->why)
        return link->why;
    uint64_t at = remote - key->start;
    return remote < key->start || at > key->bytes || bytes > key->bytes - at
               ? "outside of the memory that the key is for" : NULL;
}

static struct sheaf_ofi_access *begin_access(sheaf_transport_link *link, const sheaf_transport_key *key,
                                             enum sheaf_ofi_access_kind kind, uint64_t remote, size_t bytes,
                                             void *operation)
{
    const char *why = ofi_check_access(link, key, remote, bytes);
    struct sheaf_ofi_access *access = why || bytes == 0 ? NULL : begin_ordered(link, kind, operation);
    if (!access) {
        sheaf_ofi_state.user->done(operation, why || bytes == 0 ? why : sheaf_ofi_no_memory());
        return NULL;
    }
    access->key = key->key;
    access->remote = remote - key->origin;
    access->bytes = bytes;
    access->piece = bytes;
    return access;
}

/* A short put is copied, so that its user may continue at once. */
static void ofi_put(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                    const void *source,
                    size_t bytes, void *operation)
{
    struct sheaf_ofi_access *access = begin_access(link, key, SHEAF_OFI_PUT, remote, bytes, operation);
    if (!access)
        return;
    bool is_copied = bytes <= sizeof access->copy;
    access->local = is_copied ? access->copy : (unsigned char *)(uintptr_t)source;
    access->dest = NULL;
    access->keeps_order = sheaf_ofi_state.keeps_order && bytes <= sheaf_ofi_state.most_in_order;
    access->has_operation = !is_copied;
    if (is_copied)
        memcpy(access->copy, source, bytes);
    ofi_start_access(access);
    if (is_copied)
        sheaf_ofi_state.user->done(operation, link->why);
}

static void ofi_get(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                    size_t bytes, void *operation)
{
    struct sheaf_ofi_access *access = begin_access(link, key, SHEAF_OFI_GET, remote, bytes, operation);
    if (!access)
        return;
    bool is_copied = sheaf_ofi_state.registers && bytes <= sizeof access->copy;
    access->local = is_copied ? access->copy : dest;
    access->dest = is_copied ? dest : NULL;
    ofi_start_access(access);
}

static void ofi_atomic(sheaf_transport_link *link, sheaf_transport_key *key,
                       const struct sheaf_transport_atomic *call, void *operation)
{
    struct sheaf_ofi_access *access =
        begin_access(link, key, SHEAF_OFI_ATOMIC, call->remote, call->bytes, operation);
    if (!access)
        return;
    access->atomic = *call;
    access->local = access->copy;
    access->keeps_order = false;
    sheaf_ofi_take_operands(access);
    ofi_start_access(access);
}

static void ofi_fence(sheaf_transport_port *port)
{
    port->fences++;
}

static void ofi_flush(sheaf_transport_link *link, void *operation)
{
    const char *why = link->why;
    struct sheaf_ofi_access *access = why ? NULL : begin_ordered(link, SHEAF_OFI_FLUSH, operation);
    if (access)
        end_flushes(link);
    else
        sheaf_ofi_state.user->flushed(operation, why ? why : sheaf_ofi_no_memory());
}

const struct sheaf_transport_direct sheaf_ofi_direct = {
    .offer = sheaf_ofi_offer,
    .withdraw = sheaf_ofi_withdraw,
    .accept = sheaf_ofi_accept,
    .forget = sheaf_ofi_forget,
    .put = ofi_put,
    .get = ofi_get,
    .atomic = ofi_atomic,
    .fence = ofi_fence,
    .flush = ofi_flush,
};

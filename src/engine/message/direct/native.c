/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets that the network carries out by itself, without the target's processor.
 */
#include "engine/message/direct/registration.h"

#include <string.h>

static void fail_access(const struct sheaf_msg_peer *peer, const char *why)
{
    sheaf_msg_failed(peer->pe, "put, get or atomic operation", why);
}

void sheaf_msg_done(void *argument, const char *why)
{
    struct sheaf_msg_operation *operation = argument;
    if (sheaf_unlikely(why != NULL))
        fail_access(operation->peer, why);
    sheaf_msg_operation_advance(operation, 1);
}

struct sheaf_msg_operation *sheaf_msg_native_begin(struct sheaf_msg_worker *worker,
                                                   struct sheaf_msg_peer *peer,
                                                   size_t *remaining)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    sheaf_msg_operation_count(operation, remaining);
    return operation;
}

enum direction { PUT, GET };

/* A transfer. dest and source are the program's addresses; one of them stands for the peer's copy. */
struct transfer {
    enum direction direction;
    unsigned char *dest;
    const unsigned char *source;
    size_t bytes;
};

static struct sheaf_msg_part remote_part(const struct transfer *transfer)
{
    return sheaf_msg_part_of(transfer->direction == PUT ? transfer->dest : transfer->source);
}

static size_t piece_bytes(const struct transfer *transfer, const struct sheaf_msg_part *part)
{
    const void *remote = transfer->direction == PUT ? transfer->dest : transfer->source;
    size_t rest = part->end - (uintptr_t)remote;
    return transfer->bytes < rest ? transfer->bytes : rest;
}

static void issue_piece(struct sheaf_msg_operation *operation, const struct transfer *transfer,
                        size_t bytes,
                        sheaf_transport_key *key)
{
    const struct sheaf_msg_peer *peer = operation->peer;
    if (transfer->direction == PUT)
        sheaf_msg_direct()->put(peer->link, key, sheaf_msg_remote(peer, transfer->dest), transfer->source,
                                bytes, operation);
    else
        sheaf_msg_direct()->get(peer->link, key, transfer->dest, sheaf_msg_remote(peer, transfer->source),
                                bytes, operation);
}

static void advance_transfer(struct transfer *transfer, size_t bytes)
{
    transfer->dest += bytes;
    transfer->source += bytes;
    transfer->bytes -= bytes;
}

/* Whether the keys of all parts are here; missing ones are asked for. */
static bool has_all_keys(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                         struct transfer transfer)
{
    bool all = true;
    while (transfer.bytes > 0) {
        struct sheaf_msg_part part = remote_part(&transfer);
        all &= sheaf_msg_key_of(worker, peer, &part) != NULL;
        advance_transfer(&transfer, piece_bytes(&transfer, &part));
    }
    return all;
}

static bool may_start_transfer(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                               const struct transfer *transfer)
{
    return sheaf_msg_may_go_native(worker, peer) && has_all_keys(worker, peer, *transfer);
}

/* A get that the caller waits for needs no flush. */
static void count_answer(struct sheaf_msg_worker *worker, struct sheaf_msg_operation *get)
{
    get->has_answer = true;
    get->peer->asked++;
    sheaf_msg_mark_dirty(worker, get->peer);
}

static void start_transfer(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                           struct transfer transfer, size_t *remaining)
{
    while (transfer.bytes > 0) {
        struct sheaf_msg_part part = remote_part(&transfer);
        sheaf_transport_key *key = sheaf_msg_key_of(worker, peer, &part);
        struct sheaf_msg_operation *operation = sheaf_msg_native_begin(worker, peer, remaining);
        size_t piece = piece_bytes(&transfer, &part);
        if (transfer.direction == GET && remaining)
            count_answer(worker, operation);
        else
            sheaf_msg_count_native(worker, peer);
        issue_piece(operation, &transfer, piece, key);
        advance_transfer(&transfer, piece);
    }
}

/* Whether the transport has carried it out within the call, which takes no operation. */
static bool transfer_at_once(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                             const struct transfer *transfer)
{
    const struct sheaf_transport_direct *direct = sheaf_msg_direct();
    struct sheaf_msg_part part = remote_part(transfer);
    sheaf_transport_key *key = sheaf_msg_key_of(worker, peer, &part);
    const char *why = NULL;
    if (!key || piece_bytes(transfer, &part) < transfer->bytes)
        return false;
    bool has_ended =
        transfer->direction == PUT
            ? direct->put_at_once(peer->link, key, sheaf_msg_remote(peer, transfer->dest),
                                  transfer->source, transfer->bytes, &why)
            : direct->get_at_once(peer->link, key, transfer->dest, sheaf_msg_remote(peer, transfer->source),
                                  transfer->bytes, &why);
    if (sheaf_unlikely(has_ended && why != NULL))
        fail_access(peer, why);
    if (has_ended && transfer->direction == PUT)
        sheaf_msg_count_native(worker, peer);
    return has_ended;
}

/* A get that no caller waits for is not waited for here either. A transfer without bytes may have no
 * address. */
static bool may_end_at_once(const struct transfer *transfer, const size_t *remaining)
{
    return sheaf_msg_direct()->put_at_once && transfer->bytes > 0 &&
           (transfer->direction == PUT || remaining);
}

static bool try_transfer(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                         struct transfer transfer, size_t *remaining)
{
    if (may_end_at_once(&transfer, remaining) && sheaf_msg_may_go_native(worker, peer) &&
        transfer_at_once(worker, peer, &transfer))
        return true;
    if (!may_start_transfer(worker, peer, &transfer))
        return false;
    start_transfer(worker, peer, transfer, remaining);
    return true;
}

bool sheaf_msg_native_put(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, void *dest,
                          const void *source, size_t bytes, size_t *remaining)
{
    return try_transfer(worker, peer, (struct transfer){PUT, dest, source, bytes}, remaining);
}

bool sheaf_msg_native_get(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, void *dest,
                          const void *source, size_t bytes, size_t *remaining)
{
    return try_transfer(worker, peer, (struct transfer){GET, dest, source, bytes}, remaining);
}

/* Starts block by block: packing would need the target's processor. */
static bool start_row(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                      enum direction direction, struct sheaf_row *row, size_t *remaining)
{
    while (row->blocks.count > 0) {
        struct transfer block = {direction, row->dest, row->source, row->blocks.block_bytes};
        if (!try_transfer(worker, peer, block, remaining))
            return false;
        sheaf_msg_advance(row, 1);
    }
    return true;
}

bool sheaf_msg_native_put_row(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                              struct sheaf_row *row, size_t *remaining)
{
    return start_row(worker, peer, PUT, row, remaining);
}

bool sheaf_msg_native_get_row(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                              struct sheaf_row *row, size_t *remaining)
{
    return start_row(worker, peer, GET, row, remaining);
}

/* Sets a signal by a put of 8 aligned bytes, which the network stores at once. */
static void set_signal(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                       const struct sheaf_signal_call *signal, sheaf_transport_key *key, size_t *remaining)
{
    struct sheaf_msg_operation *operation = sheaf_msg_native_begin(worker, peer, remaining);
    operation->value = signal->value;
    sheaf_msg_count_native(worker, peer);
    sheaf_msg_direct()->put(peer->link, key, sheaf_msg_remote(peer, signal->object), &operation->value,
                            sizeof operation->value, operation);
}

bool sheaf_msg_native_set_signal(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                 void *dest, const void *source, size_t bytes,
                                 const struct sheaf_signal_call *signal, size_t *remaining)
{
    struct sheaf_msg_part part = sheaf_msg_part_of(signal->object);
    sheaf_transport_key *key = sheaf_msg_key_of(worker, peer, &part);
    if (!key || !sheaf_msg_native_put(worker, peer, dest, source, bytes, remaining))
        return false;
    if (bytes > 0)
        sheaf_msg_direct()->fence(worker->port);
    set_signal(worker, peer, signal, key, remaining);
    return true;
}

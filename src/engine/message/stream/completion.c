/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order and completion. Messages to a peer arrive in order and are carried out in order, and each peer
 * acknowledges how many it has carried out. So a fence among messages is free, and a quiet ends at
 * certain counts. The transport's fence orders operations that the network carries out by itself, and a
 * flush completes them. Between the two kinds a fence delays the second until the first is complete.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"

#include <stdlib.h>

static struct sheaf_msg_counts started_counts(const struct sheaf_msg_peer *peer)
{
    return (struct sheaf_msg_counts){peer->sent, peer->asked, peer->native, peer->lane_started};
}

static bool are_answered(const struct sheaf_msg_peer *peer, const struct sheaf_msg_counts *counts)
{
    return peer->acknowledged >= counts->sent && peer->answered >= counts->asked;
}

static bool are_flushed(const struct sheaf_msg_peer *peer, const struct sheaf_msg_counts *counts)
{
    return peer->flushed >= counts->native && sheaf_load_acquire(&peer->lane_ended) >= counts->lane;
}

static void note_flushed(struct sheaf_msg_peer *peer, uint64_t count, const char *why)
{
    if (sheaf_unlikely(why != NULL))
        sheaf_msg_failed(peer->pe, "flush", why);
    if (count > peer->flushed)
        peer->flushed = count;
}

void sheaf_msg_flushed(void *argument, const char *why)
{
    struct sheaf_msg_operation *operation = argument;
    note_flushed(operation->peer, operation->value, why);
    sheaf_msg_operation_advance(operation, 1);
}

/* Starts a flush for native operations that no earlier flush covers. */
static void start_flush(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    const struct sheaf_transport_direct *direct = sheaf_msg_direct();
    const char *why;
    if (peer->flushing == peer->native)
        return;
    peer->flushing = peer->native;
    if (direct->flush_at_once && direct->flush_at_once(peer->link, &why)) {
        note_flushed(peer, peer->native, why);
        return;
    }
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->value = peer->native;
    direct->flush(peer->link, operation);
}

/* A bound on operations under way: a program may issue them faster than a network carries them. A single
 * call may exceed it. */
#define MOST_OPERATIONS 16384

static bool has_room_for_operation(struct sheaf_msg_worker *worker)
{
    worker->is_full = worker->in_use > (worker->is_full ? MOST_OPERATIONS / 2 : MOST_OPERATIONS);
    return !worker->is_full;
}

static bool is_peer_flushed(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    start_flush(worker, peer);
    if (!are_flushed(peer, &peer->before))
        return false;
    peer->flush_first = peer->native_first = false;
    return true;
}

static bool is_peer_answered(struct sheaf_msg_peer *peer)
{
    peer->answer_first = !are_answered(peer, &peer->before);
    return !peer->answer_first;
}

bool sheaf_msg_may_send(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    return has_room_for_operation(worker) && (sheaf_likely(!peer->flush_first) || is_peer_flushed(worker,
                                                                                                  peer));
}

bool sheaf_msg_may_go_native(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    return has_room_for_operation(worker) &&
        (sheaf_likely(!peer->answer_first) || is_peer_answered(peer)) &&
           (sheaf_likely(!peer->native_first) || is_peer_flushed(worker, peer));
}

/* A quiet visits peers one after the other. It waits for each peer's operations started before the visit,
 * since other threads may go on issuing. */
struct sheaf_msg_quiet {
    struct sheaf_msg_peer *peer; /* NULL: the quiet is over */
    bool is_for_one;
    struct sheaf_msg_counts counts;
    size_t *remaining;
    struct sheaf_msg_quiet *next;
};

/* An acknowledgement for the messages that none is due for. */
static void ask_acknowledgement(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    peer->since_quiet = 0;
    if (sheaf_likely(peer->uncounted == 0))
        return;
    sheaf_msg_count_sent(worker, peer);
    sheaf_msg_send_operation(sheaf_msg_operation_get(worker, peer), peer->link, SHEAF_MSG_ASK, NULL, 0);
}

static void visit_peer(struct sheaf_msg_worker *worker, struct sheaf_msg_quiet *quiet,
                       struct sheaf_msg_peer *peer)
{
    quiet->peer = peer;
    if (!peer)
        return;
    ask_acknowledgement(worker, peer);
    quiet->counts = started_counts(peer);
    start_flush(worker, peer);
}

/* Returns whether the quiet is over. Another quiet may remove idle peers from the list. Their next pointer
 * stays valid, so this walk still visits all peers that were on the list when it began. */
static bool advance_quiet(struct sheaf_msg_worker *worker, struct sheaf_msg_quiet *quiet)
{
    while (quiet->peer && are_answered(quiet->peer, &quiet->counts) &&
           are_flushed(quiet->peer, &quiet->counts))
        visit_peer(worker, quiet, quiet->is_for_one ? NULL : quiet->peer->next_dirty);
    return !quiet->peer;
}

static void drop_idle_peers(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_peer **place = &worker->dirty;
    while (*place) {
        struct sheaf_msg_peer *peer = *place;
        if (sheaf_msg_is_idle(peer)) {
            peer->is_dirty = false;
            peer->flush_first = peer->native_first = peer->answer_first = false;
            *place = peer->next_dirty;
        } else {
            place = &peer->next_dirty;
        }
    }
}

void sheaf_msg_continue_quiets(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_quiet **place = &worker->quiets;
    while (*place) {
        struct sheaf_msg_quiet *quiet = *place;
        if (!advance_quiet(worker, quiet)) {
            place = &quiet->next;
            continue;
        }
        *place = quiet->next;
        if (!quiet->is_for_one)
            drop_idle_peers(worker);
        sheaf_store_release(quiet->remaining, *quiet->remaining - 1);
        free(quiet);
    }
}

static void store_quiet(struct sheaf_msg_worker *worker, const struct sheaf_msg_quiet *begun)
{
    struct sheaf_msg_quiet *quiet = malloc(sizeof *quiet);
    if (!quiet)
        sheaf_msg_failed(begun->peer->pe, "quiet", "no memory");
    *quiet = *begun;
    quiet->next = worker->quiets;
    worker->quiets = quiet;
    ++*quiet->remaining;
}

/* Orders the two kinds. With native atomic operations, puts and atomic operations count as two kinds as
 * well: UCX's fence does not hold between them where they take different paths (UCX 1.13, seen with
 * operations that it imitates). */
void sheaf_msg_order_kinds(struct sheaf_msg_worker *worker)
{
    bool any = false;
    for (struct sheaf_msg_peer *peer = worker->dirty; peer; peer = peer->next_dirty) {
        peer->before = started_counts(peer);
        peer->flush_first |= !are_flushed(peer, &peer->before);
        peer->answer_first |= !are_answered(peer, &peer->before);
        peer->native_first |= sheaf_msg_state.atomics && peer->flush_first;
        any |= peer->flush_first;
    }
    if (any && sheaf_msg_state.has_keys)
        sheaf_msg_direct()->fence(worker->port);
}

void sheaf_msg_begin_quiet(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t *remaining)
{
    struct sheaf_msg_quiet quiet = {.remaining = remaining, .is_for_one = peer != NULL};
    for (struct sheaf_msg_peer *other = worker->dirty; !peer && other; other = other->next_dirty) {
        ask_acknowledgement(worker, other);
        start_flush(worker, other);
    }
    visit_peer(worker, &quiet, peer ? peer : worker->dirty);
    if (!advance_quiet(worker, &quiet))
        store_quiet(worker, &quiet);
    else if (!peer)
        drop_idle_peers(worker);
}

int sheaf_msg_first_busy(const struct sheaf_msg_worker *worker)
{
    const struct sheaf_msg_peer *peer = worker->dirty;
    while (peer && sheaf_msg_is_idle(peer))
        peer = peer->next_dirty;
    return peer ? peer->pe : -1;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order and completion. What goes to a peer arrives in order and is carried out in order; each peer
 * says how much it has carried out. So among messages a fence is there already, and a quiet ends at certain
 * counts. What the network does by itself is ordered by the transport's fence and complete after a flush;
 * between the two kinds a fence lets the second start once the first is complete.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"

#include <stdlib.h>

static struct sheaf_msg_reach started(const struct sheaf_msg_peer *peer)
{
    return (struct sheaf_msg_reach){peer->sent, peer->asked, peer->native, peer->lane_started};
}

static bool are_answered(const struct sheaf_msg_peer *peer, const struct sheaf_msg_reach *reach)
{
    return peer->acknowledged >= reach->sent && peer->answered >= reach->asked;
}

static bool are_flushed(const struct sheaf_msg_peer *peer, const struct sheaf_msg_reach *reach)
{
    return peer->flushed >= reach->native && sheaf_load_acquire(&peer->lane_ended) >= reach->lane;
}

void sheaf_msg_flushed(void *argument, const char *why)
{
    struct sheaf_msg_operation *operation = argument;
    struct sheaf_msg_peer *peer = operation->peer;
    if (sheaf_unlikely(why != NULL))
        sheaf_msg_failed(peer->pe, "flush", why);
    if (operation->value > peer->flushed)
        peer->flushed = operation->value;
    sheaf_msg_operation_advance(operation, 1);
}

/* Of what no flush before reaches. */
static void start_flush(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    if (peer->flushing == peer->native)
        return;
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->value = peer->flushing = peer->native;
    sheaf_msg_direct()->flush(peer->link, operation);
}

/* The memory of operations under way is bounded, but for a single one's: a program may issue them
 * faster than a network carries them. */
#define MOST_OPERATIONS 16384

static bool has_room(struct sheaf_msg_worker *worker)
{
    worker->is_full = worker->in_use > (worker->is_full ? MOST_OPERATIONS / 2 : MOST_OPERATIONS);
    return !worker->is_full;
}

static bool is_flushed(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    start_flush(worker, peer);
    if (!are_flushed(peer, &peer->before))
        return false;
    peer->flush_first = peer->native_first = false;
    return true;
}

static bool is_answered(struct sheaf_msg_peer *peer)
{
    peer->answer_first = !are_answered(peer, &peer->before);
    return !peer->answer_first;
}

bool sheaf_msg_may_send(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    return has_room(worker) && (sheaf_likely(!peer->flush_first) || is_flushed(worker, peer));
}

bool sheaf_msg_may_go_native(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    return has_room(worker) && (sheaf_likely(!peer->answer_first) || is_answered(peer)) &&
           (sheaf_likely(!peer->native_first) || is_flushed(worker, peer));
}

/* Peers are looked at one after the other, each up to where it was when its turn came: other threads may go
 * on issuing. */
struct sheaf_msg_quiet {
    struct sheaf_msg_peer *peer; /* NULL: it is over */
    bool is_for_one;
    struct sheaf_msg_reach reach;
    size_t *left;
    struct sheaf_msg_quiet *next;
};

static void look_at(struct sheaf_msg_worker *worker, struct sheaf_msg_quiet *quiet,
                    struct sheaf_msg_peer *peer)
{
    quiet->peer = peer;
    if (!peer)
        return;
    quiet->reach = started(peer);
    start_flush(worker, peer);
}

/* Whether it is over. Another quiet may take idle peers off the list; what such a peer is linked to stays,
 * so the walk still meets all that were on the list when it began. */
static bool proceed(struct sheaf_msg_worker *worker, struct sheaf_msg_quiet *quiet)
{
    while (quiet->peer && are_answered(quiet->peer, &quiet->reach) &&
           are_flushed(quiet->peer, &quiet->reach))
        look_at(worker, quiet, quiet->is_for_one ? NULL : quiet->peer->next_dirty);
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
        if (!proceed(worker, quiet)) {
            place = &quiet->next;
            continue;
        }
        *place = quiet->next;
        if (!quiet->is_for_one)
            drop_idle_peers(worker);
        sheaf_store_release(quiet->left, *quiet->left - 1);
        free(quiet);
    }
}

static void keep(struct sheaf_msg_worker *worker, const struct sheaf_msg_quiet *begun)
{
    struct sheaf_msg_quiet *quiet = malloc(sizeof *quiet);
    if (!quiet)
        sheaf_msg_failed(begun->peer->pe, "quiet", "no memory");
    *quiet = *begun;
    quiet->next = worker->quiets;
    worker->quiets = quiet;
    ++*quiet->left;
}

/* UCX's fence does not hold between puts and atomic operations where these take another way (UCX 1.13, seen
 * with those that it imitates): they count as two kinds. */
void sheaf_msg_order_kinds(struct sheaf_msg_worker *worker)
{
    bool any = false;
    for (struct sheaf_msg_peer *peer = worker->dirty; peer; peer = peer->next_dirty) {
        peer->before = started(peer);
        peer->flush_first |= !are_flushed(peer, &peer->before);
        peer->answer_first |= !are_answered(peer, &peer->before);
        peer->native_first |= sheaf_msg_state.atomics && peer->flush_first;
        any |= peer->flush_first;
    }
    if (any && sheaf_msg_state.has_keys)
        sheaf_msg_direct()->fence(worker->port);
}

void sheaf_msg_begin_quiet(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t *left)
{
    struct sheaf_msg_quiet quiet = {.left = left, .is_for_one = peer != NULL};
    for (struct sheaf_msg_peer *other = worker->dirty; !peer && other; other = other->next_dirty)
        start_flush(worker, other);
    look_at(worker, &quiet, peer ? peer : worker->dirty);
    if (!proceed(worker, &quiet))
        keep(worker, &quiet);
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

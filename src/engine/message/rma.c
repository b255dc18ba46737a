/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, puts with a signal, and gets, by messages unless native.c does them. A large one is a sequence of
 * messages of the transport's longest length on the one connection to the peer. They arrive in order, so
 * a fence and a signal cost nothing. Each is copied once, from the receive buffer to its destination.
 */
#include "engine/message/message.h"

#include "base/atomic.h"
#include "engine/verbs/adapter.h"

static bool put_now(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                    size_t *remaining)
{
    sheaf_msg_enter(worker);
    bool may_start = sheaf_msg_may_send_data(worker, put->peer, put->bytes);
    if (may_start)
        sheaf_msg_start_put(worker, put, remaining);
    sheaf_msg_unlock(worker);
    return may_start;
}

/* A put that no caller waits for. Earlier deferred puts go first, unless this one is deferred too. */
static bool put_later(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put)
{
    sheaf_msg_lock_only(worker);
    bool may_start = sheaf_msg_may_send_data(worker, put->peer, put->bytes);
    bool is_deferred = may_start && sheaf_msg_defer(worker, put);
    if (may_start && !is_deferred) {
        if (worker->deferred_count)
            sheaf_msg_start_deferred(worker);
        sheaf_msg_start_put(worker, put, NULL);
    }
    sheaf_msg_unlock(worker);
    if (is_deferred)
        sheaf_msg_nudge();
    return may_start;
}

const char *sheaf_msg_reach(int pe, const void *object, bool *is_direct)
{
    const struct sheaf_msg_peer *peer = sheaf_msg_peer_at(sheaf_msg_state.service, pe);
    *is_direct = object ? sheaf_msg_goes_native(peer, object) : peer->is_native;
    return sheaf_msg_state.network_of ? sheaf_msg_network_of(pe) : sheaf_msg_state.transport->title;
}

const char *sheaf_msg_devices(int pe, bool is_atomic)
{
    const struct sheaf_msg_peer *peer = sheaf_msg_peer_known(sheaf_msg_state.service, pe);
    if (is_atomic && sheaf_msg_state.has_lanes)
        return sheaf_adapter_name();
    return peer && peer->link && sheaf_msg_state.transport->devices_of
               ? sheaf_msg_state.transport->devices_of(peer->link) : "";
}

static bool put_native(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                       size_t *remaining)
{
    sheaf_msg_enter(worker);
    bool has_started =
        sheaf_msg_native_put(worker, put->peer, put->dest, put->source, put->bytes, remaining);
    sheaf_msg_unlock(worker);
    return has_started;
}

static bool goes_native(const struct sheaf_msg_peer *peer, const void *local, size_t bytes)
{
    return bytes <= sheaf_msg_state.longest_native && sheaf_msg_goes_native(peer, local);
}

/* Without a session the network's own operations go into no batch, nor behind one. */
static bool may_batch(const struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer)
{
    return sheaf_msg_has_batches(worker) &&
           (!peer->is_native || sheaf_load_relaxed(&worker->is_batching));
}

bool sheaf_msg_put(sheaf_engine_context *context, int pe, void *dest, const void *source,
                   size_t bytes, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    struct sheaf_msg_deferred put = {sheaf_msg_peer_at(worker, pe), dest, source, bytes, false};
    bool has_started = true;
    if (bytes == 0 || (may_batch(worker, put.peer) &&
                       sheaf_msg_batch_put(worker, pe, dest, source, bytes, &has_started)))
        return has_started;
    if (goes_native(put.peer, dest, bytes))
        return put_native(worker, &put, remaining);
    return remaining ? put_now(worker, &put, remaining) : put_later(worker, &put);
}

/* The last fragment carries the signal. */
static void start_put_signal(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                             const struct sheaf_signal_call *signal, size_t *remaining)
{
    size_t most = put->peer->longest, before = put->bytes ? (put->bytes - 1) / most * most : 0;
    before = put->bytes - sheaf_msg_last_part(put->peer->last_part, put->bytes - before);
    struct sheaf_msg_deferred first = *put;
    first.bytes = before;
    first.is_continued = true;
    sheaf_msg_start_put(worker, &first, remaining);
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, put->peer);
    sheaf_msg_operation_count(operation, remaining);
    operation->header.put_signal = (struct sheaf_msg_put_signal){
        {sheaf_msg_remote(put->peer, put->dest) + before},
        sheaf_msg_remote(put->peer, signal->object),
        signal->value,
        signal->add,
    };
    sheaf_msg_count_sent(worker, put->peer);
    const void *rest = before ? (const char *)put->source + before : put->source; /* source may be NULL */
    sheaf_msg_send_operation(operation, put->peer->link, SHEAF_MSG_PUT_SIGNAL, rest, put->bytes - before);
}

/* The target's processor adds to signals with data, as it does to signals without. */
bool sheaf_msg_put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source,
                          size_t bytes, const struct sheaf_signal_call *signal, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    bool has_started;
    if (sheaf_msg_has_batches(worker) &&
        sheaf_msg_batch_put_signal(worker, pe, dest, source, bytes, signal, &has_started))
        return has_started;
    struct sheaf_msg_deferred put = {sheaf_msg_peer_at(worker, pe), dest, source, bytes, false};
    sheaf_msg_enter(worker);
    bool is_native = (bytes == 0 || goes_native(put.peer, dest, bytes)) &&
                     sheaf_msg_goes_native(put.peer, signal->object);
    if (is_native && !signal->add)
        has_started =
            sheaf_msg_native_set_signal(worker, put.peer, dest, source, bytes, signal, remaining);
    else if ((has_started = sheaf_msg_may_send_data(worker, put.peer, bytes)))
        start_put_signal(worker, &put, signal, remaining);
    sheaf_msg_unlock(worker);
    return has_started;
}

void sheaf_msg_start_get(struct sheaf_msg_operation *get, void *dest, const void *source, size_t bytes,
                         size_t *remaining)
{
    get->header.get =
        (struct sheaf_msg_get){get->handle, sheaf_msg_remote(get->peer, source), bytes};
    get->dest = dest;
    sheaf_msg_operation_count(get, remaining);
    sheaf_msg_expect_answer(get, sheaf_msg_answer_to_get(bytes), bytes);
    sheaf_msg_send_operation(get, get->peer->link, SHEAF_MSG_GET, NULL, 0);
}

/* The answer of a get that no caller waits for may be left to the thread. */
static bool get_by_message(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, void *dest,
                           const void *source, size_t bytes, size_t *remaining)
{
    bool is_delegated = false;
    sheaf_msg_enter(worker);
    bool may_start = sheaf_msg_may_send(worker, peer);
    if (may_start) {
        struct sheaf_msg_operation *get = sheaf_msg_operation_get(worker, peer);
        sheaf_msg_start_get(get, dest, source, bytes, remaining);
        is_delegated = !remaining && sheaf_msg_delegate_get(get, bytes);
    }
    sheaf_msg_unlock(worker);
    if (is_delegated)
        sheaf_msg_nudge();
    return may_start;
}

static bool get_native(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, void *dest,
                       const void *source, size_t bytes, size_t *remaining)
{
    sheaf_msg_enter(worker);
    bool has_started = sheaf_msg_native_get(worker, peer, dest, source, bytes, remaining);
    sheaf_msg_unlock(worker);
    return has_started;
}

bool sheaf_msg_get(sheaf_engine_context *context, int pe, void *dest, const void *source,
                   size_t bytes, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    bool has_started = true, is_batched = may_batch(worker, peer);
    if (bytes == 0 || (!remaining && is_batched &&
                       sheaf_msg_batch_get(worker, pe, dest, source, bytes, &has_started)))
        return has_started;
    if (remaining && is_batched)
        sheaf_msg_batch_send_for(worker, pe);
    return (goes_native(peer, source, bytes) ? get_native : get_by_message)(worker, peer, dest, source,
                                                                            bytes, remaining);
}

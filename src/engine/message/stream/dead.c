/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that have died in a job that goes on: operations under way to them end without an answer. The
 * transport may still hold a message to a dead PE. It learns of the death by give_up(), reports an
 * error, or does neither.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"

void sheaf_msg_forget_dead(void)
{
    __atomic_add_fetch(&sheaf_msg_state.deaths, 1, __ATOMIC_RELEASE);
}

static void answer_all_operations(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer)
{
    for (uint32_t i = 0; i < worker->made; i++) {
        struct sheaf_msg_operation *operation = worker->operations[i];
        if (operation->remaining > 0 &&
            operation->peer == peer && operation->has_answer && operation->due > 0)
            sheaf_msg_operation_answered(operation, operation->due);
    }
}

static void give_up_peer(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    const struct sheaf_transport *transport = sheaf_msg_state.transport;
    if (peer->given_up)
        return;
    peer->given_up = ++worker->given_up;
    if (transport->give_up && peer->link)
        transport->give_up(peer->link);
}

/* Deferred and aggregated operations may be sent, and fail, after the program has left the call. */
static void fail_operations(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    give_up_peer(worker, peer);
    peer->uncounted = 0;
    if (peer->sent != peer->acknowledged)
        sheaf_msg_count_ended(worker, &peer->acknowledged, peer->sent - peer->acknowledged);
    if (peer->asked != peer->answered)
        answer_all_operations(worker, peer);
    worker->has_failed |= peer->given_up > worker->settled;
}

/* Also gives up dead peers to which nothing is known to be under way. */
static void give_up_dead(struct sheaf_msg_worker *worker, unsigned deaths)
{
    if (worker->deaths_seen == deaths)
        return;
    worker->deaths_seen = deaths;
    for (int pe = 0; pe < sheaf_msg_state.job.npes; pe++) {
        struct sheaf_msg_peer *peer = sheaf_msg_peer_known(worker, pe);
        if (peer && sheaf_msg_is_gone(peer))
            give_up_peer(worker, peer);
    }
}

void sheaf_msg_fail_dead(struct sheaf_msg_worker *worker)
{
    give_up_dead(worker, sheaf_load_acquire(&sheaf_msg_state.deaths));
    for (struct sheaf_msg_peer *peer = worker->dirty; peer; peer = peer->next_dirty)
        if (!sheaf_msg_is_idle(peer) && sheaf_msg_is_gone(peer))
            fail_operations(worker, peer);
}

bool sheaf_msg_take_failed(struct sheaf_msg_worker *context)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    sheaf_msg_lock_only(worker);
    if (sheaf_load_relaxed(&sheaf_msg_state.deaths))
        sheaf_msg_fail_dead(worker);
    bool has_failed = worker->has_failed;
    worker->has_failed = false;
    worker->settled = worker->given_up;
    sheaf_msg_unlock(worker);
    return has_failed;
}

/* Only for the default context's worker: where the job survives deaths all contexts share it. */
void sheaf_msg_renew(void)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    sheaf_msg_lock_only(worker);
    for (int pe = 0; pe < sheaf_msg_state.job.npes; pe++) {
        struct sheaf_msg_peer *peer = sheaf_msg_peer_known(worker, pe);
        if (!peer || sheaf_msg_state.job.incarnation_state(pe) / 2 == peer->incarnation)
            continue;
        give_up_peer(worker, peer);
        if (!sheaf_msg_is_idle(peer))
            fail_operations(worker, peer);
        sheaf_msg_retire(worker, pe);
    }
    worker->has_failed = false; /* the program has left the calls that failed */
    sheaf_msg_unlock(worker);
}

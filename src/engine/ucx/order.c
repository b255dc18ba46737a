/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order and completion. What goes to a peer arrives in order and is carried out in order; each peer
 * says how much it has carried out. So a fence is there already, and quiet waits for counts.
 */
#include "engine/ucx/ucx.h"

void sheaf_ucx_fence(sheaf_engine_context *context)
{
    (void)context;
}

static bool is_idle(const struct sheaf_ucx_peer *peer)
{
    return peer->sent == peer->acknowledged && peer->asked == peer->answered;
}

/* Until what was issued by now is complete: other threads may go on issuing. */
static void wait_for_peer(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_peer *peer)
{
    uint64_t sent = peer->sent, asked = peer->asked;
    unsigned idle = 0;
    while (peer->acknowledged < sent || peer->answered < asked)
        sheaf_ucx_wait_turn(worker, &idle);
}

static void drop_idle_peers(struct sheaf_ucx_worker *worker)
{
    struct sheaf_ucx_peer **place = &worker->dirty;
    while (*place) {
        struct sheaf_ucx_peer *peer = *place;
        if (is_idle(peer)) {
            peer->is_dirty = false;
            *place = peer->next_dirty;
        } else {
            place = &peer->next_dirty;
        }
    }
}

/* While one thread waits another may take idle peers off the list; what such a peer is linked to
 * stays, so the walk still meets all that were on the list when it began. */
void sheaf_ucx_quiet(sheaf_engine_context *context)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    sheaf_ucx_lock(worker);
    for (struct sheaf_ucx_peer *peer = worker->dirty; peer; peer = peer->next_dirty)
        wait_for_peer(worker, peer);
    drop_idle_peers(worker);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_quiet_pe(sheaf_engine_context *context, int pe)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_known(worker, pe);
    if (!peer)
        return;
    sheaf_ucx_lock(worker);
    wait_for_peer(worker, peer);
    sheaf_ucx_unlock(worker);
}

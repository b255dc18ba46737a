/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE as a worker reaches it. Nothing exists for a PE that was never addressed but an eighth of a
 * byte in each worker's list of pages.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"
#include "base/os/os.h"

#include <stdlib.h>
#include <string.h>

static void on_error(void *argument, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)endpoint;
    sheaf_ucx_lost(argument, status);
}

/* Where one of two begins connections with the key, the other would not understand. */
static void check_gate(int pe, const struct sheaf_ucx_blob *blob)
{
    if (blob->is_gated != sheaf_ucx_state.is_gated)
        sheaf_ucx_state.job.failed(pe, "its UCX is built another way, so that one of the two hosts cannot "
                                       "keep strangers out: give all hosts the same UCX");
}

/* The keys of one kind are of no use to the other. */
static void check_lanes(int pe, const struct sheaf_ucx_blob *blob)
{
    if (blob->has_lanes != sheaf_ucx_state.has_lanes)
        sheaf_ucx_state.job.failed(pe, "the two hosts' adapters do not have the same atomic operations: "
                                       "set SHEAF_ATOMICS=cpu");
}

static void check_blob(int pe, const struct sheaf_ucx_blob *blob, size_t length)
{
    if (length >= sizeof *blob && blob->magic == SHEAF_UCX_MAGIC &&
        blob->version == SHEAF_UCX_WIRE_VERSION && length == sizeof *blob + blob->length)
        return;
    sheaf_ucx_state.job.failed(pe, "it runs another version of this library, or another engine: "
                                   "give all hosts the same");
}

static struct sheaf_ucx_peer *make_peer(int pe, const struct sheaf_ucx_blob *blob)
{
    struct sheaf_ucx_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        sheaf_ucx_failed(pe, "connection", UCS_ERR_NO_MEMORY);
    peer->pe = pe;
    peer->is_native = sheaf_ucx_state.is_native && blob->has_keys;
    for (int kind = 0; kind < SHEAF_SEGMENTS; kind++)
        peer->shifts[kind] =
            (ptrdiff_t)(blob->segments[kind] - (uintptr_t)sheaf_ucx_state.job.segments[kind].start);
    return peer;
}

/* Some transports, shared memory among them, do not tell of peers that died, and UCX leaves them out
 * when asked for that; they are better than none. */
static void connect_peer(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                         const void *address)
{
    SHEAF_KEEP_ERRNO;
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = address,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {on_error, peer},
    };
    ucs_status_t status = sheaf_ucx.ucp_ep_create(worker->ucp, &params, &peer->endpoint);
    if (status == UCS_ERR_UNREACHABLE) {
        params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
        status = sheaf_ucx.ucp_ep_create(worker->ucp, &params, &peer->endpoint);
    }
    if (status != UCS_OK)
        sheaf_ucx_failed(peer->pe, "connection", status);
}

static struct sheaf_ucx_peer **place_of(struct sheaf_ucx_worker *worker, int pe)
{
    struct sheaf_ucx_peer_page *page =
        sheaf_load_acquire(&worker->pages[pe / SHEAF_UCX_PEERS_PER_PAGE]);
    return page ? &page->peers[pe % SHEAF_UCX_PEERS_PER_PAGE] : NULL;
}

static void make_page(struct sheaf_ucx_worker *worker, int pe)
{
    struct sheaf_ucx_peer_page *page = calloc(1, sizeof *page);
    if (!page)
        sheaf_ucx_failed(pe, "connection", UCS_ERR_NO_MEMORY);
    sheaf_store_release(&worker->pages[pe / SHEAF_UCX_PEERS_PER_PAGE], page);
}

static struct sheaf_ucx_peer *connect_first(struct sheaf_ucx_worker *worker, int pe)
{
    void *address;
    size_t length;
    struct sheaf_ucx_blob blob;
    if (sheaf_ucx_state.job.peer_address(pe, &address, &length) != 0)
        sheaf_ucx_state.job.failed(pe, "its network address is not known");
    memcpy(&blob, address, length < sizeof blob ? length : sizeof blob);
    check_blob(pe, &blob, length);
    check_gate(pe, &blob);
    check_lanes(pe, &blob);
    sheaf_ucx_enter(worker);
    if (!place_of(worker, pe))
        make_page(worker, pe);
    struct sheaf_ucx_peer **place = place_of(worker, pe), *peer = *place;
    if (!peer) {
        bool was_inside = sheaf_ucx_is_inside; /* where an answer within a turn is the first to that peer */
        peer = make_peer(pe, &blob);
        sheaf_ucx_is_inside = true;
        connect_peer(worker, peer, (char *)address + sizeof blob);
        sheaf_ucx_is_inside = was_inside;
        worker->connections++;
        sheaf_store_release(place, peer);
    }
    sheaf_ucx_unlock(worker);
    free(address);
    return peer;
}

struct sheaf_ucx_peer *sheaf_ucx_peer_known(struct sheaf_ucx_worker *worker, int pe)
{
    struct sheaf_ucx_peer **place = place_of(worker, pe);
    return place ? sheaf_load_acquire(place) : NULL;
}

struct sheaf_ucx_peer *sheaf_ucx_peer_at(struct sheaf_ucx_worker *worker, int pe)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_known(worker, pe);
    return sheaf_likely(peer != NULL) ? peer : connect_first(worker, pe);
}

void sheaf_ucx_mark_dirty(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    if (peer->is_dirty)
        return;
    peer->is_dirty = true;
    peer->next_dirty = worker->dirty;
    worker->dirty = peer;
}

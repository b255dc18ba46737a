/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer is a PE as one worker reaches it. A PE that was never addressed costs an eighth of a byte in
 * each worker's list of pages.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/settings/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of the adapter cannot be used by the transport, nor the reverse. */
static void check_lanes(int pe, const struct sheaf_msg_blob *blob)
{
    if (blob->has_lanes != sheaf_msg_state.has_lanes)
        sheaf_msg_state.job.failed(pe, "the two hosts' adapters do not have the same atomic operations: "
                                       "set SHEAF_ATOMICS=cpu");
}

static bool is_our_version(const struct sheaf_msg_blob *blob, size_t length)
{
    return length >= sizeof *blob && blob->magic == SHEAF_MSG_MAGIC &&
           blob->version == SHEAF_MSG_WIRE_VERSION && length == sizeof *blob + blob->length;
}

/* A name that a peer has sent, as SHEAF_ENGINE has it. */
static const char *engine_name(const char *name)
{
    int place = sheaf_names_find(sheaf_engine_names, name);
    if (place >= 0)
        return sheaf_engine_names[place];
    return strcmp(name, "several") == 0 ? "several networks" : "another one";
}

static void check_blob(int pe, const struct sheaf_msg_blob *blob, size_t length)
{
    const char *ours = sheaf_msg_state.transport->name;
    char name[sizeof blob->transport + 1] = "", why[128];
    if (!is_our_version(blob, length))
        sheaf_msg_state.job.failed(pe, "it runs another version of this library: give all hosts the same");
    if (strncmp(blob->transport, ours, sizeof blob->transport) == 0)
        return;
    memcpy(name, blob->transport, sizeof blob->transport);
    snprintf(why, sizeof why, "its engine is %s, and this PE's is %s: give all hosts the same SHEAF_ENGINE",
             engine_name(name), engine_name(ours));
    sheaf_msg_state.job.failed(pe, why);
}

static struct sheaf_msg_peer *make_peer(int pe, const struct sheaf_msg_blob *blob)
{
    struct sheaf_msg_peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        sheaf_msg_failed(pe, "connection", "no memory");
    peer->pe = pe;
    peer->incarnation = (uint32_t)blob->incarnation;
    peer->is_native = sheaf_msg_state.is_native && blob->has_keys;
    peer->longest = sheaf_msg_state.longest;
    peer->longest_whole = sheaf_msg_state.longest_whole;
    peer->last_part = sheaf_msg_state.last_part;
    for (int kind = 0; kind < SHEAF_SEGMENTS; kind++)
        peer->shifts[kind] =
            (ptrdiff_t)(blob->segments[kind] - (uintptr_t)sheaf_msg_state.job.segments[kind].start);
    return peer;
}

/* Where a job has several networks. */
static void note_link(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, const void *address,
                      size_t length)
{
    const struct sheaf_transport *transport = sheaf_msg_state.transport;
    struct sheaf_transport_abilities abilities;
    if (!transport->link_abilities)
        return;
    transport->link_abilities(peer->link, address, length, &abilities);
    peer->is_native &= abilities.has_direct;
    peer->longest = sheaf_msg_longest(abilities.longest);
    peer->longest_whole = sheaf_msg_longest(abilities.longest_whole);
    peer->last_part = abilities.last_part;
    if (worker == sheaf_msg_state.service)
        sheaf_debug("PE %d is reached by %s", peer->pe, transport->title_of(peer->link));
}

static void connect_peer(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, const void *address,
                         size_t length)
{
    SHEAF_KEEP_ERRNO;
    const char *why;
    peer->link = sheaf_msg_state.transport->connect(worker->port, address, length, peer, &why);
    if (peer->link)
        note_link(worker, peer, address, length);
    else if (sheaf_msg_survives_deaths()) /* messages to the peer are dropped */
        sheaf_msg_lost(peer, why);
    else
        sheaf_msg_failed(peer->pe, "connection", why);
}

static struct sheaf_msg_peer **peer_slot(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer_page *page =
        sheaf_load_acquire(&worker->pages[pe / SHEAF_MSG_PEERS_PER_PAGE]);
    return page ? &page->peers[pe % SHEAF_MSG_PEERS_PER_PAGE] : NULL;
}

static void make_page(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer_page *page = calloc(1, sizeof *page);
    if (!page)
        sheaf_msg_failed(pe, "connection", "no memory");
    sheaf_store_release(&worker->pages[pe / SHEAF_MSG_PEERS_PER_PAGE], page);
}

int sheaf_msg_segments(int pe, uint64_t starts[SHEAF_SEGMENTS])
{
    void *address;
    size_t length;
    struct sheaf_msg_blob blob = {0};
    if (sheaf_msg_state.job.peer_address(pe, &address, &length) != 0)
        return -1;
    memcpy(&blob, address, length < sizeof blob ? length : sizeof blob);
    free(address);
    check_blob(pe, &blob, length);
    memcpy(starts, blob.segments, sizeof blob.segments);
    return 0;
}

static struct sheaf_msg_peer *connect_first(struct sheaf_msg_worker *worker, int pe)
{
    void *address;
    size_t length;
    struct sheaf_msg_blob blob;
    if (sheaf_msg_state.job.peer_address(pe, &address, &length) != 0)
        sheaf_msg_state.job.failed(pe, "its network address is not known");
    memcpy(&blob, address, length < sizeof blob ? length : sizeof blob);
    check_blob(pe, &blob, length);
    check_lanes(pe, &blob);
    sheaf_msg_lock_only(worker);
    if (!peer_slot(worker, pe))
        make_page(worker, pe);
    struct sheaf_msg_peer **slot = peer_slot(worker, pe), *peer = *slot;
    if (!peer) {
        peer = make_peer(pe, &blob);
        connect_peer(worker, peer, (char *)address + sizeof blob, blob.length);
        worker->connections++;
        sheaf_store_release(slot, peer);
    }
    sheaf_msg_unlock(worker);
    free(address);
    return peer;
}

struct sheaf_msg_peer *sheaf_msg_peer_known(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer **slot = peer_slot(worker, pe);
    return slot ? sheaf_load_acquire(slot) : NULL;
}

const char *sheaf_msg_network_of(int pe)
{
    const struct sheaf_transport *transport = sheaf_msg_state.transport;
    struct sheaf_msg_worker *service = sheaf_msg_state.service;
    const struct sheaf_msg_peer *peer = service ? sheaf_msg_peer_known(service, pe) : NULL;
    return peer && peer->link ? transport->title_of(peer->link) : transport->title;
}

struct sheaf_msg_peer *sheaf_msg_peer_at(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_known(worker, pe);
    return sheaf_likely(peer != NULL) ? peer : connect_first(worker, pe);
}

/* Drops the acknowledgements for the previous process: the new one expects none. */
static void forget_pending_acks(struct sheaf_msg_worker *worker, int pe)
{
    for (int i = 0; i < worker->pending_count; i++)
        if (worker->pending_acks[i].pe == pe)
            worker->pending_acks[i].pe = -1;
}

void sheaf_msg_retire(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer **slot = peer_slot(worker, pe), *peer = *slot;
    forget_pending_acks(worker, pe);
    peer->next_retired = worker->retired;
    worker->retired = peer;
    sheaf_store_release(slot, NULL);
}

void sheaf_msg_mark_dirty(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    if (peer->is_dirty)
        return;
    peer->is_dirty = true;
    peer->next_dirty = worker->dirty;
    worker->dirty = peer;
}

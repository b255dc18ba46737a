/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer: a PE as one worker reaches it, what is under way to it, and what a fence puts in order. How its
 * connection is lost.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_PEER_H
#define SHEAF_ENGINE_MESSAGE_STREAM_PEER_H

#include "engine/message/stream/worker.h"

/* How far the operations on a peer were at some time, by kind, as struct sheaf_msg_peer counts them. */
struct sheaf_msg_reach {
    uint64_t sent, asked, native, lane;
};

/* A PE as one worker reaches it; from the first use on. Everything after shift is guarded by the
 * worker's lock. */
struct sheaf_msg_peer {
    sheaf_transport_link *link;
    int pe;
    uint32_t incarnation;  /* which process of that PE */
    bool is_native; /* puts and gets are the network's own */
    ptrdiff_t shifts[SHEAF_SEGMENTS]; /* remote address = local address + its segment's shift */

    /* Written with the lock, read without it by whoever decides whether to gather. */
    uint64_t sent, acknowledged; /* what has no result: puts, additions, signals */
    uint64_t asked, answered;    /* what has one: gets, fetches */
    uint64_t native, flushing, flushed; /* native ones: started; up to which flushed, or soon */
    uint64_t lane_started; /* atomic operations of the adapter */
    uint64_t lane_ended;   /* the same; guarded by the lock of lanes.c, read by all */
    bool flush_first;  /* a fence came after native ones: they are flushed before a message */
    bool native_first; /* a fence came after native ones: they are flushed before another, too */
    bool answer_first; /* a fence came after messages: they are answered before a native one */
    struct sheaf_msg_reach before; /* the fence: what it orders before all that follows */
    uint64_t fences; /* the worker's, before the last message with data beyond a fragment */
    struct sheaf_msg_part_key *keys; /* by part of the memory; NULL before the first */
    unsigned given_up;           /* its number among those that have died; 0: it has not, as far as known */
    bool is_dirty;               /* in the worker's list of peers to be waited for */
    struct sheaf_msg_peer *next_dirty, *next_retired;
    struct sheaf_msg_batch *batch; /* being filled, or NULL; guarded by the lock of batch.h */
};

#define SHEAF_MSG_PEERS_PER_PAGE 64
struct sheaf_msg_peer_page {
    struct sheaf_msg_peer *peers[SHEAF_MSG_PEERS_PER_PAGE];
};

/* That a worker has room for. */
static inline size_t sheaf_msg_peer_pages(void)
{
    return (size_t)sheaf_msg_state.job.npes / SHEAF_MSG_PEERS_PER_PAGE + 1;
}

/* peer.c: connects on first use; without the lock. */
struct sheaf_msg_peer *sheaf_msg_peer_at(struct sheaf_msg_worker *worker, int pe);
/* NULL when it was never addressed. */
struct sheaf_msg_peer *sheaf_msg_peer_known(struct sheaf_msg_worker *worker, int pe);
void sheaf_msg_mark_dirty(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
/* Engine.h's. */
int sheaf_msg_segments(int pe, uint64_t starts[SHEAF_SEGMENTS]);
/* With the lock held: nothing is under way to it, and who addresses the PE next connects anew. */
void sheaf_msg_retire(struct sheaf_msg_worker *worker, int pe);

/* Whether the address is neither among the variables nor in the heap: memory spaces and constants are not
 * registered with the network, and the target's processor serves them. */
static inline bool sheaf_msg_is_in_space(const void *local)
{
    const struct sheaf_segment *segments = sheaf_msg_state.job.segments;
    return !sheaf_segment_holds(&segments[SHEAF_SEGMENT_HEAP], (uintptr_t)local, 1) &&
           !sheaf_segment_holds(&segments[SHEAF_SEGMENT_DATA], (uintptr_t)local, 1);
}

static inline bool sheaf_msg_goes_native(const struct sheaf_msg_peer *peer, const void *local)
{
    return peer->is_native && !sheaf_msg_is_in_space(local);
}

static inline uint64_t sheaf_msg_remote(const struct sheaf_msg_peer *peer, const void *local)
{
    const struct sheaf_engine_job *job = &sheaf_msg_state.job;
    if (sheaf_unlikely(sheaf_msg_is_in_space(local))) {
        if (job->is_constant && job->is_constant((uintptr_t)local, 1))
            return (uintptr_t)local + (uintptr_t)peer->shifts[SHEAF_SEGMENT_DATA];
        if (job->space_address)
            return job->space_address(peer->pe, local);
    }
    ptrdiff_t shift = peer->shifts[sheaf_segment_of(job->segments, local)];
    return (uint64_t)((uintptr_t)local + (uintptr_t)shift);
}

static inline bool sheaf_msg_lane_is_idle(const struct sheaf_msg_peer *peer)
{
    return sheaf_load_acquire(&peer->lane_ended) == peer->lane_started;
}

/* Whether nothing is under way to it. */
static inline bool sheaf_msg_is_idle(const struct sheaf_msg_peer *peer)
{
    return peer->sent == peer->acknowledged && peer->asked == peer->answered &&
           peer->native == peer->flushed && sheaf_msg_lane_is_idle(peer);
}

/* completion.c; with the lock held. Whether a message to peer, or a native operation, may start now: not
 * many are under way, and nothing is that a fence puts before it. Else that is brought about meanwhile. */
bool sheaf_msg_may_send(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
bool sheaf_msg_may_go_native(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
/* A fence between messages and what the network does by itself. */
void sheaf_msg_order_kinds(struct sheaf_msg_worker *worker);
/* The transport's flushed(). */
void sheaf_msg_flushed(void *operation, const char *why);
/* engine.h's quiet, of one peer or, with NULL, of all. */
void sheaf_msg_begin_quiet(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t *left);
/* The PE number of a peer that operations are under way to, or -1. */
int sheaf_msg_first_busy(const struct sheaf_msg_worker *worker);
/* What quiets wait for may have ended; after every turn while there are some. */
void sheaf_msg_continue_quiets(struct sheaf_msg_worker *worker);

/* Whether there are operations of another kind than messages, so that a fence has something to do. */
static inline bool sheaf_msg_orders_kinds(void)
{
    return sheaf_msg_state.has_keys || sheaf_msg_state.has_lanes;
}

static inline void sheaf_msg_count_native(struct sheaf_msg_worker *worker,
                                          struct sheaf_msg_peer *peer)
{
    peer->native++;
    sheaf_msg_mark_dirty(worker, peer);
}

static inline void sheaf_msg_count_sent(struct sheaf_msg_worker *worker,
                                        struct sheaf_msg_peer *peer)
{
    sheaf_store_relaxed(&peer->sent, peer->sent + 1);
    sheaf_msg_mark_dirty(worker, peer);
}

/* So many messages of the worker came back, in counter, which is its peer's. */
static inline void sheaf_msg_count_ended(struct sheaf_msg_worker *worker, uint64_t *counter, uint64_t count)
{
    sheaf_store_relaxed(counter, *counter + count);
    sheaf_store_relaxed(&worker->ended, worker->ended + count);
}

/* From any thread. */
static inline struct sheaf_pace_traffic sheaf_msg_traffic(const struct sheaf_msg_peer *peer)
{
    return (struct sheaf_pace_traffic){
        sheaf_load_relaxed(&peer->sent) + sheaf_load_relaxed(&peer->asked),
        sheaf_load_relaxed(&peer->acknowledged) + sheaf_load_relaxed(&peer->answered),
    };
}

/* Where deaths are borne: that process of the PE has died. */
static inline bool sheaf_msg_has_ended(int pe, uint32_t incarnation)
{
    const struct sheaf_engine_job *job = &sheaf_msg_state.job;
    return job->is_dead(pe) || job->incarnation_state(pe) / 2 != incarnation;
}

static inline bool sheaf_msg_is_gone(const struct sheaf_msg_peer *peer)
{
    return sheaf_msg_has_ended(peer->pe, peer->incarnation);
}

/* failure.c: ends the job. what: "put", "connection". */
_Noreturn void sheaf_msg_failed(int pe, const char *what, const char *why);
/* The transport's news: a peer's link has broken, perhaps because the PE has left; a host has died. */
void sheaf_msg_lost(void *peer, const char *why);
void sheaf_msg_host_died(void);
/* Ends the job when that was too long ago; returns whether there is one. */
bool sheaf_msg_check_lost(void);
void sheaf_msg_forget_lost(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer: a PE as one worker reaches it, its operations under way, the order that fences demand, and
 * the loss of its connection.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_PEER_H
#define SHEAF_ENGINE_MESSAGE_STREAM_PEER_H

#include "engine/message/stream/worker.h"

/* The counts of the operations on a peer at some time, by kind, as in struct sheaf_msg_peer. */
struct sheaf_msg_counts {
    uint64_t sent, asked, native, lane;
};

/* A PE as one worker reaches it, from its first use on. The worker's lock guards everything after
 * shifts. */
struct sheaf_msg_peer {
    sheaf_transport_link *link;
    int pe;
    uint32_t incarnation;  /* incarnation of that PE */
    bool is_native; /* puts and gets are the network's own */
    size_t longest; /* most data of a put's message to it */
    size_t longest_whole; /* most data of an accumulate's message, and of packed rows */
    size_t last_part; /* data of a long put's last message; 0: all that is left */
    ptrdiff_t shifts[SHEAF_SEGMENTS]; /* remote address = local address + shift of its segment */

    /* Written with the lock; read without it to decide whether to aggregate. */
    uint64_t sent, acknowledged; /* operations without a result: puts, additions, signals */
    uint64_t asked, answered;    /* operations with a result: gets, fetches */
    unsigned uncounted;    /* messages behind the last one that sent counts, which the next one
                              acknowledges too */
    unsigned since_quiet, since_wait; /* atomic operations without a result: since the last quiet, as far as
                                         that matters; since the program's last wait */
    unsigned polls_before; /* the service worker's polls at the last of them */
    uint64_t native, flushing, flushed; /* native operations: started; covered by a flush under way;
                                           flushed */
    uint64_t lane_started; /* atomic operations of the adapter, started */
    uint64_t lane_ended;   /* the same, ended; guarded by the lock of lanes.c, read by all */
    bool flush_first;  /* a fence followed native operations: flush them before a message */
    bool native_first; /* a fence followed native operations: flush them before another native one too */
    bool answer_first; /* a fence followed messages: they must be answered before a native operation */
    struct sheaf_msg_counts before; /* counts at the fence, which orders these operations before all that
                                       follow */
    uint64_t fences; /* the worker's count of fences before the last message with data beyond a fragment */
    uint64_t uncredited, credited; /* bytes of puts: sent without credit since the peer was last idle; still
                                      covered by a credit; see credit.c */
    uint64_t asked_credit_ns;      /* time of the question for credit that is under way; 0: there is none */
    struct sheaf_msg_part_key *keys; /* by part of the memory; NULL before the first key */
    unsigned given_up;           /* its number among the peers that have died; 0: it has not, as far as
                                    known */
    bool is_dirty;               /* it is in the worker's list of peers with operations to wait for */
    struct sheaf_msg_peer *next_dirty, *next_retired;
    struct sheaf_msg_batch *batch; /* being filled, or NULL; guarded by the lock of batch.h */
};

#define SHEAF_MSG_PEERS_PER_PAGE 64
struct sheaf_msg_peer_page {
    struct sheaf_msg_peer *peers[SHEAF_MSG_PEERS_PER_PAGE];
};

/* Pages that a worker has room for. */
static inline size_t sheaf_msg_peer_pages(void)
{
    return (size_t)sheaf_msg_state.job.npes / SHEAF_MSG_PEERS_PER_PAGE + 1;
}

/* peer.c: connects on first use; without the lock. */
struct sheaf_msg_peer *sheaf_msg_peer_at(struct sheaf_msg_worker *worker, int pe);
/* NULL: the PE was never addressed. */
struct sheaf_msg_peer *sheaf_msg_peer_known(struct sheaf_msg_worker *worker, int pe);
void sheaf_msg_mark_dirty(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
/* The title of the network by which the PE is reached. */
const char *sheaf_msg_network_of(int pe);
/* For engine.h's segments. */
int sheaf_msg_segments(int pe, uint64_t starts[SHEAF_SEGMENTS]);
/* With the lock held: nothing is under way to the peer, and the next use of the PE connects again. */
void sheaf_msg_retire(struct sheaf_msg_worker *worker, int pe);

/* Whether the address is neither among the variables nor in the heap. Memory spaces, team memory and
 * constants are not registered with the network: the target's processor serves them. */
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
        if (sheaf_segment_holds(&job->team, (uintptr_t)local, 1))
            return (uintptr_t)local + (uintptr_t)peer->shifts[SHEAF_SEGMENT_HEAP];
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

/* Whether nothing is under way to the peer. */
static inline bool sheaf_msg_is_idle(const struct sheaf_msg_peer *peer)
{
    return peer->sent == peer->acknowledged && peer->uncounted == 0 && peer->asked == peer->answered &&
           peer->native == peer->flushed && sheaf_msg_lane_is_idle(peer);
}

/* completion.c; with the lock held. Whether a message to peer, or a native operation, may start now: few
 * enough are under way, and no fence puts another before it. If not, the functions start what is needed, a
 * flush say. */
bool sheaf_msg_may_send(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
bool sheaf_msg_may_go_native(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer);
/* credit.c; with the lock held. As may_send, for a message with so many bytes of data. */
bool sheaf_msg_take_credit(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t bytes);
static inline bool sheaf_msg_may_send_data(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                           size_t bytes)
{
    return sheaf_msg_may_send(worker, peer) &&
           (sheaf_likely(sheaf_msg_state.free_credit == SIZE_MAX) ||
            sheaf_msg_take_credit(worker, peer, bytes));
}
size_t sheaf_msg_free_credit(int npes);

/* A fence between messages and native operations. */
void sheaf_msg_order_kinds(struct sheaf_msg_worker *worker);
/* The transport's flushed(). */
void sheaf_msg_flushed(void *operation, const char *why);
/* engine.h's quiet, for one peer or, with NULL, for all. */
void sheaf_msg_begin_quiet(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t *remaining);
/* The PE number of a peer that operations are under way to, or -1. */
int sheaf_msg_first_busy(const struct sheaf_msg_worker *worker);
/* Called after every turn while there are quiets: ends those whose operations have ended. */
void sheaf_msg_continue_quiets(struct sheaf_msg_worker *worker);

/* Whether there may be operations other than messages, so that a fence has work to do. */
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
    peer->uncounted = 0;
    sheaf_msg_mark_dirty(worker, peer);
}

static inline void sheaf_msg_count_uncounted(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    peer->uncounted++;
    sheaf_msg_mark_dirty(worker, peer);
}

/* Counts so many of the worker's messages as ended, in counter, which is its peer's. */
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

/* Where the job survives deaths: whether that incarnation of the PE has died. */
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
/* Called by the transport: a peer's link has broken, perhaps because the PE has left; a host has
 * died. */
void sheaf_msg_lost(void *peer, const char *why);
void sheaf_msg_host_died(void);
/* Ends the job if a connection has been lost for too long; returns whether one is lost. */
bool sheaf_msg_check_lost(void);
void sheaf_msg_forget_lost(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the UCX engine share: the worker (a stream of operations), the peer (a PE as a
 * worker reaches it), the operation under way. See README.md for how a put and a get travel.
 */
#ifndef SHEAF_ENGINE_UCX_UCX_H
#define SHEAF_ENGINE_UCX_UCX_H

#include "base/atomic.h"
#include "base/pace/pace.h"
#include "engine/engine.h"
#include "engine/ucx/library.h"
#include "engine/ucx/wire.h"

#include <pthread.h>

/* A context of the engine's interface is a worker. */
#define sheaf_ucx_worker sheaf_engine_context

/* How far the operations on a peer were at some time, by kind, as struct sheaf_ucx_peer counts them. */
struct sheaf_ucx_reach {
    uint64_t sent, asked, native, lane;
};

/* A PE as one worker reaches it; from the first use on. Everything after shift is guarded by the
 * worker's lock. */
struct sheaf_ucx_peer {
    ucp_ep_h endpoint;
    int pe;
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
    struct sheaf_ucx_reach before; /* the fence: what it orders before all that follows */
    struct sheaf_ucx_part_key *keys; /* by part of the memory; NULL before the first */
    bool is_dirty;               /* in the worker's list of peers to be waited for */
    bool is_lost;                /* the connection has failed */
    struct sheaf_ucx_peer *next_dirty;
    struct sheaf_ucx_batch *batch; /* being filled, or NULL; guarded by the lock of batch.h */
};

#define SHEAF_UCX_PEERS_PER_PAGE 64
struct sheaf_ucx_peer_page {
    struct sheaf_ucx_peer *peers[SHEAF_UCX_PEERS_PER_PAGE];
};

/* A message that UCX may still read, or a request whose answer is still to come. */
struct sheaf_ucx_operation {
    struct sheaf_ucx_seal seal; /* sent together with the header */
    union sheaf_ucx_header header;
    struct sheaf_ucx_worker *worker;
    struct sheaf_ucx_peer *peer; /* NULL where this PE answers */
    unsigned char *dest;         /* where the answer goes */
    uint64_t handle;             /* by which the answer names it: see message.c */
    enum sheaf_ucx_message expects; /* while the answer is due */
    size_t due, received;        /* bytes of the answer: to come, and here */
    size_t left;                 /* of that what is to come; 1 for the sending itself */
    size_t *waiter;              /* engine.h's left: counted down once complete; or NULL */
    uint64_t value;              /* of a signal, an atomic operation; how far a flush reaches; when a
                                    get was left to the thread: see deferred.c */
    uint64_t reply;              /* where a result goes that nobody wants */
    void *packed;                /* malloc'ed data that goes with it, or NULL */
    bool has_answer;
    bool is_delegated; /* a get whose answer is left to the thread */
    struct sheaf_ucx_batch *batch; /* that this sends, or NULL */
    struct sheaf_ucx_operation *next;
};

/* Puts received and not yet acknowledged, of one origin. */
struct sheaf_ucx_owed {
    ucp_ep_h endpoint;
    uint64_t count;
};
#define SHEAF_UCX_OWED 16

/* A put; a worker's deferred ones are still to be started. */
struct sheaf_ucx_deferred {
    struct sheaf_ucx_peer *peer;
    void *dest;
    const void *source;
    size_t bytes;
};
#define SHEAF_UCX_DEFERRED 32

/* Acknowledgements held back for the program to answer first. */
struct sheaf_ucx_restraint {
    unsigned turns; /* for so many by now; 0: nothing is held back */
    uint64_t since_ns;
    struct sheaf_gamble gamble;
};

/* Where messages of one kind arrive. */
struct sheaf_ucx_desk {
    struct sheaf_ucx_worker *worker;
    enum sheaf_ucx_message message;
};

/* A stream of operations. The first, the service worker, is the default context's, and the one
 * that answers peers. */
struct sheaf_engine_context {
    pthread_mutex_t lock; /* guards all that follows but polls, wanted and the tables of peers */
    unsigned wanted;      /* threads that wait for the lock */
    unsigned polls;       /* bumped by the program's threads while they poll */
    ucp_worker_h ucp;
    int event_fd;
    struct sheaf_ucx_peer_page **pages; /* written once each, under the lock */
    struct sheaf_ucx_peer *dirty;
    struct sheaf_ucx_operation *free;
    struct sheaf_ucx_operation **operations; /* all that were made, by number */
    uint32_t made, room;                     /* how many; how many the table can hold */
    size_t in_use; /* operations that are not free */
    bool is_full;  /* too many were: no more before half of them are complete */
    struct sheaf_ucx_quiet *quiets; /* under way */
    struct sheaf_ucx_owed owed[SHEAF_UCX_OWED];
    int owes;
    uint64_t carried_out; /* writes of peers: messages, and entries of batches */
    struct sheaf_ucx_deferred deferred[SHEAF_UCX_DEFERRED];
    unsigned deferred_count;
    int deferred_at; /* the processor on which the program left the last of them to the thread */
    struct sheaf_gamble puts, gets; /* left to the thread */
    bool is_handed_over; /* the thread is to look after it although the program has just polled */
    unsigned calls; /* that took the lock */
    unsigned needless_wakes; /* of the thread, in a row */
    struct sheaf_ucx_restraint restraint;
    struct sheaf_ucx_desk desks[SHEAF_UCX_MESSAGES];
    unsigned polls_seen, calls_seen; /* the progress thread's */
    bool is_shared; /* several threads of the program use it at once; the context's, from its creation on */
    struct sheaf_ucx_batches *batches; /* NULL where nothing has gathered; has a lock of its own */
    bool is_batching; /* in a session; written under that lock */
    uint64_t ended;   /* messages of all peers that were acknowledged or answered; read without the lock */
    unsigned connections; /* made, in all */
    struct sheaf_engine_context *next;      /* in the progress thread's list */
    struct sheaf_engine_context *next_kept; /* contexts.c's */
};

/* Written by start.c, between start and stop; has_dead_host by host.c. */
extern struct sheaf_ucx_state {
    struct sheaf_engine_job job;
    ucp_context_h context;
    struct sheaf_ucx_worker *service;
    bool is_native; /* puts and gets are the network's own, for peers that have keys */
    bool has_keys;  /* memory is registered with UCX */
    bool has_lanes; /* atomic operations go past UCX: see lanes.c */
    bool is_gated;  /* connections begin with the job's key */
    bool gathers;     /* small operations gather without a session, too */
    bool sends_whole; /* collectives' messages go in one piece, whatever their length */
    sheaf_amo_set atomics; /* that the network does by itself; 0 unless the job wants them */
    bool is_stopping;
    bool has_thread;
    bool has_dead_host; /* host.c has ended a connection */
} sheaf_ucx_state;

static inline struct sheaf_ucx_worker *sheaf_ucx_worker_of(sheaf_engine_context *context)
{
    return context ? context : sheaf_ucx_state.service;
}

/* start.c: a context with these features beside those that the engine always needs */
ucs_status_t sheaf_ucx_make_context(uint64_t features, ucp_context_h *context);

/* atomics.c: what the transports do by themselves, and UCX's features for that */
sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size);
sheaf_amo_set sheaf_ucx_probe_atomics(void);
uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native);

/* failure.c: ends the job. what: "put", "connection"; status says why. */
_Noreturn void sheaf_ucx_failed(int pe, const char *what, ucs_status_t status);
/* A connection broke while nothing was under way on it: a PE that has left, or a dead one. */
void sheaf_ucx_lost(struct sheaf_ucx_peer *peer, ucs_status_t status);
/* Ends the job when that was too long ago; returns whether there is one. */
bool sheaf_ucx_check_lost(void);
void sheaf_ucx_forget_lost(void);

/* host.c: looks once a second, whoever calls; before and after a worker is made. */
void sheaf_ucx_look_for_dead_hosts(void);
void sheaf_ucx_before_worker(void);
void sheaf_ucx_after_worker(void);
/* Whether UCX listens there for one of our workers. */
bool sheaf_ucx_is_our_listener(int fd);

/* gate.c. Whether connections begin with the job's key from now on; not, where UCX is built otherwise. */
bool sheaf_ucx_gate(void);
/* The kernel is to keep connections until their first bytes are there. */
void sheaf_ucx_gate_listener(int fd);
/* This thread is in a call of UCX that may connect one of our workers. */
extern __thread bool sheaf_ucx_is_inside __attribute__((tls_model("initial-exec")));

/* Seconds, seconds, probes: how the kernel looks after a connection on which nothing is said. */
#define SHEAF_UCX_KEEP_IDLE     1
#define SHEAF_UCX_KEEP_INTERVAL 1
#define SHEAF_UCX_KEEP_COUNT    6

/* worker.c */
struct sheaf_ucx_worker *sheaf_ucx_worker_create(ucs_status_t *status);
void sheaf_ucx_worker_destroy(struct sheaf_ucx_worker *worker);
/* Takes the lock, and starts what was deferred: so what the caller sends goes behind it. By a thread of the
 * program it is counted as a call, and some calls serve peers first. */
void sheaf_ucx_lock(struct sheaf_ucx_worker *worker);
void sheaf_ucx_lock_only(struct sheaf_ucx_worker *worker);
bool sheaf_ucx_try_lock(struct sheaf_ucx_worker *worker);
void sheaf_ucx_unlock(struct sheaf_ucx_worker *worker);
/* A thread of the program looks after this worker now: the progress thread keeps away. */
static inline void sheaf_ucx_note_poll(struct sheaf_ucx_worker *worker)
{
    sheaf_store_relaxed(&worker->polls, sheaf_load_relaxed(&worker->polls) + 1);
}
/* One turn of work, with the lock held; may_reply as in engine.h's progress. */
bool sheaf_ucx_turn(struct sheaf_ucx_worker *worker, bool may_reply);

/* contexts.c: those of the table, and what is kept of destroyed ones until the engine stops. */
sheaf_engine_context *sheaf_ucx_context_create(bool is_shared);
void sheaf_ucx_context_destroy(sheaf_engine_context *context);
void sheaf_ucx_contexts_stop(void);

/* With a worker of their own, kept ones included; those that follow share the service worker. */
#define SHEAF_UCX_MOST_CONTEXTS 16

/* Connections of all kept workers together: each is a descriptor at either end, of the 1,024 that a
 * process may have as a rule. */
#define SHEAF_UCX_MOST_KEPT 128

/* peer.c: connects on first use; without the lock. */
struct sheaf_ucx_peer *sheaf_ucx_peer_at(struct sheaf_ucx_worker *worker, int pe);
/* NULL when it was never addressed. */
struct sheaf_ucx_peer *sheaf_ucx_peer_known(struct sheaf_ucx_worker *worker, int pe);
void sheaf_ucx_mark_dirty(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer);

/* Whether the address is neither among the variables nor in the heap: memory spaces are not registered with the
 * network, and the target's processor serves them. */
static inline bool sheaf_ucx_is_in_space(const void *local)
{
    const struct sheaf_segment *segments = sheaf_ucx_state.job.segments;
    return !sheaf_segment_holds(&segments[SHEAF_SEGMENT_HEAP], (uintptr_t)local, 1) &&
           !sheaf_segment_holds(&segments[SHEAF_SEGMENT_DATA], (uintptr_t)local, 1);
}

static inline bool sheaf_ucx_goes_native(const struct sheaf_ucx_peer *peer, const void *local)
{
    return peer->is_native && !sheaf_ucx_is_in_space(local);
}

static inline uint64_t sheaf_ucx_remote(const struct sheaf_ucx_peer *peer, const void *local)
{
    const struct sheaf_engine_job *job = &sheaf_ucx_state.job;
    if (sheaf_unlikely(sheaf_ucx_is_in_space(local)) && job->space_address)
        return job->space_address(peer->pe, local);
    ptrdiff_t shift = peer->shifts[sheaf_segment_of(job->segments, local)];
    return (uint64_t)((uintptr_t)local + (uintptr_t)shift);
}

/* message.c; all with the lock held. */
struct sheaf_ucx_operation *sheaf_ucx_operation_get(struct sheaf_ucx_worker *worker,
                                                    struct sheaf_ucx_peer *peer);
/* Its end counts *left down; left may be NULL. */
static inline void sheaf_ucx_operation_count(struct sheaf_ucx_operation *operation, size_t *left)
{
    operation->waiter = left;
    if (left)
        ++*left;
}
/* One of the parts that left counts is done. */
void sheaf_ucx_operation_advance(struct sheaf_ucx_operation *operation, size_t bytes);
/* So much of the answer has arrived. */
void sheaf_ucx_operation_answered(struct sheaf_ucx_operation *operation, size_t bytes);
/* The operation under way that has this handle; NULL where there is none. */
struct sheaf_ucx_operation *sheaf_ucx_operation_find(const struct sheaf_ucx_worker *worker,
                                                     uint64_t handle);
/* Sends operation's header and source; source and operation are in use until it has advanced. */
void sheaf_ucx_send_operation(struct sheaf_ucx_operation *operation, ucp_ep_h endpoint,
                              enum sheaf_ucx_message message, const void *source, size_t bytes);
extern const unsigned char sheaf_ucx_header_size[SHEAF_UCX_MESSAGES];

/* lanes.c: operations of the adapter that are under way, of all workers; written under its lock. Whether
 * any has ended. */
extern unsigned sheaf_ucx_lanes_busy;
bool sheaf_ucx_lanes_poll(void);

static inline bool sheaf_ucx_lane_is_idle(const struct sheaf_ucx_peer *peer)
{
    return sheaf_load_acquire(&peer->lane_ended) == peer->lane_started;
}

/* order.c; with the lock held. Whether a message to peer, or a native operation, may start now: not many
 * are under way, and nothing is that a fence puts before it. Else that is brought about meanwhile. */
bool sheaf_ucx_may_send(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer);
bool sheaf_ucx_may_go_native(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer);
bool sheaf_ucx_is_idle(const struct sheaf_ucx_peer *peer);
/* What quiets wait for may have ended; after every turn while there are some. */
void sheaf_ucx_continue_quiets(struct sheaf_ucx_worker *worker);

/* Whether there are operations of another kind than messages, so that a fence has something to do. */
static inline bool sheaf_ucx_orders_kinds(void)
{
    return sheaf_ucx_state.has_keys || sheaf_ucx_state.has_lanes;
}

static inline void sheaf_ucx_count_native(struct sheaf_ucx_worker *worker,
                                          struct sheaf_ucx_peer *peer)
{
    peer->native++;
    sheaf_ucx_mark_dirty(worker, peer);
}

static inline void sheaf_ucx_count_sent(struct sheaf_ucx_worker *worker,
                                        struct sheaf_ucx_peer *peer)
{
    sheaf_store_relaxed(&peer->sent, peer->sent + 1);
    sheaf_ucx_mark_dirty(worker, peer);
}

/* So many messages of the worker came back, in counter, which is its peer's. */
static inline void sheaf_ucx_count_ended(struct sheaf_ucx_worker *worker, uint64_t *counter, uint64_t count)
{
    sheaf_store_relaxed(counter, *counter + count);
    sheaf_store_relaxed(&worker->ended, worker->ended + count);
}

/* From any thread. */
static inline struct sheaf_pace_traffic sheaf_ucx_traffic(const struct sheaf_ucx_peer *peer)
{
    return (struct sheaf_pace_traffic){
        sheaf_load_relaxed(&peer->sent) + sheaf_load_relaxed(&peer->asked),
        sheaf_load_relaxed(&peer->acknowledged) + sheaf_load_relaxed(&peer->answered),
    };
}

/* Of so many bytes; an answer without data counts as one. */
static inline void sheaf_ucx_expect_answer(struct sheaf_ucx_operation *operation,
                                           enum sheaf_ucx_message answer, size_t bytes)
{
    operation->left += bytes;
    operation->due = bytes;
    operation->received = 0;
    operation->expects = answer;
    operation->has_answer = true;
    sheaf_store_relaxed(&operation->peer->asked, operation->peer->asked + 1);
    sheaf_ucx_mark_dirty(operation->worker, operation->peer);
}

/* A word comes in the header. */
static inline enum sheaf_ucx_message sheaf_ucx_answer_to_get(size_t bytes)
{
    return bytes <= sizeof(uint64_t) ? SHEAF_UCX_RESULT : SHEAF_UCX_DATA;
}

/* memory.c: a part of the symmetric memory, in local addresses. */
struct sheaf_ucx_part {
    int index;
    uintptr_t start, end;
};
#define SHEAF_UCX_PARTS 65

/* In bytes: the longest key. */
#define SHEAF_UCX_MOST_KEY 1024

/* What a peer is asked for once: a key, its end of a lane. */
struct sheaf_ucx_question {
    bool is_asked;
    size_t left; /* engine.h's; read with acquire order once it is asked */
    size_t bytes; /* of the answer; 0: the peer has none */
    void *answer; /* malloc'ed */
};
/* The key of a part. */
struct sheaf_ucx_part_key {
    struct sheaf_ucx_question question;
    ucp_rkey_h key; /* NULL before it is known */
};

struct sheaf_ucx_part sheaf_ucx_part_of(const void *local);
int sheaf_ucx_register_data(void);
/* Whether an adapter gets memory for what arrives; tells if not. 0 or -1. Before a worker is made. */
int sheaf_ucx_check_lockable(ucp_context_h context);
int sheaf_ucx_heap_grown(size_t from, size_t to);
void sheaf_ucx_unregister_all(void);
/* With the lock held. NULL until the peer, which is asked, has told it. */
ucp_rkey_h sheaf_ucx_key_of(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                            const struct sheaf_ucx_part *part);
void sheaf_ucx_forget_keys(struct sheaf_ucx_peer *peer);
/* Sends operation, whose header asks, to its peer; the answer is the question's. */
void sheaf_ucx_ask(struct sheaf_ucx_operation *operation, enum sheaf_ucx_message message,
                   struct sheaf_ucx_question *question);
/* Whether the answer is here. */
static inline bool sheaf_ucx_is_answered(const struct sheaf_ucx_question *question)
{
    return question->is_asked && sheaf_load_acquire(&question->left) == 0;
}

/* native.c; with the lock held. What starts counts in left, which may be NULL, until its local memory may be used
 * again. Those that return a bool may have to be tried again, as in engine.h. */
bool sheaf_ucx_has_adapter(const char *transports);
/* A request's parameters, and an operation in their user_data that ends when the request does. */
ucp_request_param_t sheaf_ucx_native_begin(struct sheaf_ucx_worker *worker,
                                           struct sheaf_ucx_peer *peer, size_t *left);
/* What happens to the request then. */
void sheaf_ucx_native_follow(const ucp_request_param_t *param, ucs_status_ptr_t request);
bool sheaf_ucx_native_put(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *, void *, const void *,
                          size_t, size_t *left);
bool sheaf_ucx_native_get(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *, void *, const void *,
                          size_t, size_t *left);
bool sheaf_ucx_native_put_row(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *,
                              struct sheaf_row *row, size_t *left);
bool sheaf_ucx_native_get_row(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *,
                              struct sheaf_row *row, size_t *left);
bool sheaf_ucx_native_set_signal(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *, void *,
                                 const void *, size_t, const struct sheaf_signal_call *,
                                 size_t *left);

/* atomics.c, as native.c. */
bool sheaf_ucx_native_amo(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *,
                          const struct sheaf_amo_call *, void *result, size_t *left);

/* rma.c; with the lock held */
void sheaf_ucx_start_put(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put);
void sheaf_ucx_start_get(struct sheaf_ucx_operation *get, void *dest, const void *source, size_t bytes,
                         size_t *left);

/* rows.c: the row behind its first blocks. */
void sheaf_ucx_advance(struct sheaf_row *row, size_t blocks);

/* deferred.c; with the lock held. Whether it is left to the thread: call sheaf_ucx_nudge() then. */
bool sheaf_ucx_defer(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put);
/* Whether the answer is left to the thread: call sheaf_ucx_nudge() then. */
bool sheaf_ucx_delegate_get(struct sheaf_ucx_operation *get, size_t bytes);
/* The answer is there. */
void sheaf_ucx_judge_get(struct sheaf_ucx_operation *get);
void sheaf_ucx_start_deferred(struct sheaf_ucx_worker *worker);

/* serve.c; the rest of it is in serve.h. */
/* A word in one piece. */
void sheaf_ucx_store(unsigned char *dest, const void *source, size_t bytes);
/* Up to 8 bytes that travel in a header: one piece less for UCX to send, 0.4 us. */
struct sheaf_ucx_word sheaf_ucx_word(const void *source, size_t bytes);
static inline unsigned char *sheaf_ucx_at(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}
ucs_status_t sheaf_ucx_serve(struct sheaf_ucx_worker *worker);

/* admit.c: a connection or message of a stranger, "host:port"; what was dropped, at stop. */
void sheaf_ucx_drop_foreign(const char *from);
void sheaf_ucx_tell_dropped(void); /* at stop */

/* collective.c */
void sheaf_ucx_forget_messages(void);

/* acknowledge.c; with the lock held. One more message that came from there was carried out, with so many writes:
 * its origin is to learn it. Where an answer tells it, the writes alone are counted. */
void sheaf_ucx_owe(struct sheaf_ucx_worker *worker, ucp_ep_h endpoint, uint64_t writes);
void sheaf_ucx_count_writes(struct sheaf_ucx_worker *worker, uint64_t writes);
/* Of peers, by now; without the lock. */
uint64_t sheaf_ucx_carried_out(void);
void sheaf_ucx_acknowledge(struct sheaf_ucx_worker *worker);
/* Whether the program may answer first: then it waits for the next turn. */
bool sheaf_ucx_hold_back_acknowledgements(struct sheaf_ucx_restraint *restraint);

/* A request for rows, in the packed memory of its operation: what is asked for, which is sent, and
 * where the answer goes. */
struct sheaf_ucx_place {
    unsigned char *dest;
    ptrdiff_t stride;
};
struct sheaf_ucx_request {
    size_t count;
    struct sheaf_ucx_place *places;
    struct sheaf_ucx_row asked[];
};

/* batch.c and batches.c; without the lock, but for return. The operations return whether they are the
 * batch's matter: then *started says what engine.h's operations return. Else what was in the peer's batch is
 * on its way before, and the caller does it. */
void sheaf_ucx_batch(sheaf_engine_context *, size_t operations);
bool sheaf_ucx_batch_put(struct sheaf_ucx_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_ucx_batch_get(struct sheaf_ucx_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_ucx_batch_put_row(struct sheaf_ucx_worker *, int, const struct sheaf_row *, bool *started);
bool sheaf_ucx_batch_put_signal(struct sheaf_ucx_worker *, int, void *, const void *, size_t,
                                const struct sheaf_signal_call *, bool *started);
bool sheaf_ucx_batch_amo(struct sheaf_ucx_worker *, int, const struct sheaf_amo_call *, void *result,
                         bool *started);
/* Sends what there is for one peer, for all. */
void sheaf_ucx_batch_send_for(struct sheaf_ucx_worker *worker, int pe);
void sheaf_ucx_batch_send_all(struct sheaf_ucx_worker *worker);
/* The same, and no batch is opened until let_go. */
void sheaf_ucx_batch_hold(struct sheaf_ucx_worker *worker);
void sheaf_ucx_batch_let_go(struct sheaf_ucx_worker *worker);
void sheaf_ucx_batch_return(struct sheaf_ucx_worker *worker, struct sheaf_ucx_batch *batch);
void sheaf_ucx_batches_destroy(struct sheaf_ucx_worker *worker);

/* batches.c: what nobody has sent yet; from any thread, without locks. By who waits: all of it; and what has
 * grown old, or has nothing before it any more. Return false where another thread is about to append. */
bool sheaf_ucx_batch_try_send_all(struct sheaf_ucx_worker *worker);
bool sheaf_ucx_batch_try_send_due(struct sheaf_ucx_worker *worker);

/* Before anything gathers, where it may without a session: whoever uses a worker finds it so from the outset. */
void sheaf_ucx_batches_prepare(struct sheaf_ucx_worker *worker);

/* Whether operations may be in batches; else nobody need look. */
static inline bool sheaf_ucx_has_batches(const struct sheaf_ucx_worker *worker)
{
    return sheaf_load_acquire(&worker->batches) != NULL;
}

/* Before an operation that does not go into a batch. */
static inline void sheaf_ucx_batch_first(struct sheaf_ucx_worker *worker, int pe)
{
    if (sheaf_ucx_has_batches(worker))
        sheaf_ucx_batch_send_for(worker, pe);
}

/* progress.c */
int sheaf_ucx_thread_start(void);
void sheaf_ucx_thread_stop(void);
void sheaf_ucx_thread_add(struct sheaf_ucx_worker *worker);
void sheaf_ucx_thread_remove(struct sheaf_ucx_worker *worker);
/* No thread looks after any worker in between. */
void sheaf_ucx_thread_hold(void);
void sheaf_ucx_thread_let_go(void);
void sheaf_ucx_nudge(void); /* something is left to the thread */
/* One is open, of a session or not: the thread is to look again soon. */
void sheaf_ucx_nudge_for_batch(bool is_unasked);
bool sheaf_ucx_is_progress_thread(void);
/* It sleeps until something arrives, or is about to. */
bool sheaf_ucx_thread_is_asleep(void);
/* Within so many ns it looks at every worker, whatever arrives; UINT64_MAX while it sleeps, or is not there. */
uint64_t sheaf_ucx_thread_looks_in(void);

/* The operations of the table: rma.c rows.c amo.c order.c progress.c collective.c */
bool sheaf_ucx_put(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_ucx_get(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_ucx_put_signal(sheaf_engine_context *, int, void *, const void *, size_t,
                          const struct sheaf_signal_call *, size_t *);
bool sheaf_ucx_put_rows(sheaf_engine_context *, int, struct sheaf_rows *, const struct sheaf_scale *,
                        bool, size_t *);
bool sheaf_ucx_get_rows(sheaf_engine_context *, int, struct sheaf_rows *, size_t *);
bool sheaf_ucx_amo(sheaf_engine_context *, int, const struct sheaf_amo_call *, void *, size_t *);
void sheaf_ucx_fence(sheaf_engine_context *);
void sheaf_ucx_quiet(sheaf_engine_context *, int, size_t *);
int sheaf_ucx_busy_with(sheaf_engine_context *);
void sheaf_ucx_send(int, uint64_t, const void *, size_t, size_t *);
void sheaf_ucx_receive(int, uint64_t, void *, size_t, size_t *);
bool sheaf_ucx_work(sheaf_engine_context *);
bool sheaf_ucx_progress(bool may_reply);
bool sheaf_ucx_sleep(sheaf_engine_context *, bool is_work, uint64_t timeout_ns);

/* In bytes: what travels as one message. With the headers it fills the 64 KiB that UCX receives at
 * once over TCP, so nothing is put together from pieces. */
#define SHEAF_UCX_FRAGMENT ((size_t)65408)

#endif

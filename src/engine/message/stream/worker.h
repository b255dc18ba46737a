/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The worker: a stream of operations with its lock, peers and pending acknowledgements; the engine's
 * state; and the state of the progress thread, which serves every worker.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_WORKER_H
#define SHEAF_ENGINE_MESSAGE_STREAM_WORKER_H

#include "base/atomic.h"
#include "base/pace/pace.h"
#include "engine/message/stream/wire.h"
#include "engine/transport.h"

#include <pthread.h>

/* A context of the engine's interface is a worker. */
#define sheaf_msg_worker sheaf_engine_context

struct sheaf_msg_peer;
struct sheaf_msg_operation;

/* Puts of one origin that were received and are not acknowledged yet. */
struct sheaf_msg_pending_acks {
    sheaf_transport_link *link;
    int pe; /* the origin's PE, if the puts came from its service worker, to which this PE's messages go;
               else -1 */
    uint64_t count;
};
#define SHEAF_MSG_PENDING_ACKS 16

/* A put; the worker's deferred puts have not started. */
struct sheaf_msg_deferred {
    struct sheaf_msg_peer *peer;
    void *dest;
    const void *source;
    size_t bytes;
    bool is_continued; /* the next message acknowledges all of it */
};
#define SHEAF_MSG_DEFERRED 32

/* Acknowledgements delayed so that the program may answer first. */
struct sheaf_msg_delayed_acks {
    unsigned turns; /* number of turns so far; 0: nothing is delayed */
    uint64_t since_ns;
    uint64_t idle_since_ns; /* the first turn without news; 0: the last one had some */
    struct sheaf_bet bet, next;
};

/* A stream of operations. The first one, the service worker, belongs to the default context and answers
 * peers. A message and its turn use the first 192 bytes; what is rarer is behind them. */
struct sheaf_engine_context {
    pthread_mutex_t lock; /* guards all that follows except polls, wanted and the tables of peers */
    unsigned wanted;      /* number of threads that wait for the lock */
    unsigned polls;       /* counted up by the program's threads while they poll */
    sheaf_transport_port *port;
    unsigned calls; /* number of calls that took the lock */
    unsigned deferred_count; /* a fence reads it without the lock */
    struct sheaf_msg_peer_page **pages; /* each written once, under the lock */
    struct sheaf_msg_batches *batches; /* NULL: nothing was aggregated yet; has a lock of its own */
    struct sheaf_msg_quiet *quiets; /* under way */
    int pending_count;
    unsigned needless_wakes; /* needless wakes of the thread, in a row */
    struct sheaf_msg_operation *free;
    size_t in_use; /* operations that are not free */
    struct sheaf_msg_operation **operations; /* all that exist, by index */
    uint32_t made, room;                     /* number of operations; number that the table can hold */
    struct sheaf_msg_peer *dirty;
    uint64_t ended;   /* messages to all peers that were acknowledged or answered; read without the lock */
    uint64_t fences;  /* number of fences, counted where messages have data beyond a fragment; without the
                         lock */
    uint64_t carried_out; /* number of peers' writes: messages, and entries of batches */
    int event_fd;
    bool is_full;  /* too many were in use: no more start before half of them are complete */
    bool has_failed; /* an operation on a dead PE was counted as ended, and the program does not know yet */
    bool is_handed_over; /* the thread must serve this worker although the program has just polled */
    bool is_shared; /* several threads of the program use the context at once */
    bool is_batching; /* in a session; written under the batches' lock */
    unsigned deaths_seen; /* sheaf_msg_state's deaths when last handled */
    unsigned given_up, settled; /* number of peers that have died; number of those that the program knew of
                                   at its last take_failed */
    struct sheaf_msg_peer *retired; /* peers whose process has been replaced */
    struct sheaf_msg_delayed_acks delayed;
    struct sheaf_bet puts, gets; /* bets on leaving puts and gets to the thread */
    int deferred_at; /* processor on which the program left the last deferred put to the thread */
    unsigned polls_seen, calls_seen; /* written by the progress thread */
    unsigned connections; /* number of connections made */
    struct sheaf_msg_pending_acks pending_acks[SHEAF_MSG_PENDING_ACKS];
    struct sheaf_msg_deferred deferred[SHEAF_MSG_DEFERRED];
    struct sheaf_engine_context *next;      /* in the progress thread's list */
    struct sheaf_engine_context *next_idle; /* in contexts.c's list of idle workers */
};

/* Written by engine.c, between start and stop; has_dead_host by failure.c. */
extern struct sheaf_msg_state {
    struct sheaf_engine_job job;
    const struct sheaf_transport *transport;
    struct sheaf_msg_worker *service;
    bool is_native; /* puts and gets are the network's own, for peers that have keys */
    size_t longest_native; /* but longer ones are messages */
    bool has_keys;  /* memory is registered with the transport */
    bool has_lanes; /* the adapter carries out atomic operations, past the transport: see lanes.c */
    bool aggregates;  /* small operations, without a session too */
    bool locks_nothing; /* memory that the network accesses need not be locked */
    bool sends_whole; /* messages of collectives travel in one piece, whatever their length */
    size_t longest;   /* most data of a put's message, and of a get's answer: at least a fragment */
    size_t longest_whole; /* most data of other messages: at least a fragment */
    size_t last_part; /* data of the last message of a long put or answer; 0: all that is left */
    size_t free_credit; /* bytes of puts that may be under way to a peer without its credit; SIZE_MAX:
                           all */
    sheaf_amo_set atomics; /* the atomic operations that the network carries out; 0 unless the job wants
                              them */
    bool is_stopping;
    bool has_thread;
    bool has_dead_host; /* a host has gone silent */
    unsigned deaths;    /* number of deaths reported; 0: none. The job goes on */
    unsigned lanes_busy; /* number of the adapter's operations under way; written under the lock of
                            lanes.c */
    const char *(*network_of)(int pe); /* the title of the network that reaches the PE; NULL where the
                                          transport has one alone */
    bool (*poll_lanes)(void); /* whether any has ended; set where has_lanes is */
} sheaf_msg_state;

/* bytes: of struct sheaf_transport_abilities. */
static inline size_t sheaf_msg_longest(size_t bytes)
{
    return bytes ? bytes : SHEAF_TRANSPORT_FRAGMENT;
}

static inline struct sheaf_msg_worker *sheaf_msg_worker_of(sheaf_engine_context *context)
{
    return context ? context : sheaf_msg_state.service;
}

/* The transport's direct operations, where it has any. */
static inline const struct sheaf_transport_direct *sheaf_msg_direct(void)
{
    return sheaf_msg_state.transport->direct;
}

/* worker.c */
/* NULL, and why: no worker can be made. A worker's end: close its port first, then free it. */
struct sheaf_msg_worker *sheaf_msg_worker_create(const char **why);
void sheaf_msg_worker_close(struct sheaf_msg_worker *worker);
void sheaf_msg_worker_free(struct sheaf_msg_worker *worker);
/* Takes the lock and starts deferred puts, so that the caller's messages follow them. For a thread of the
 * program it also counts a call, and some calls serve peers first. */
void sheaf_msg_enter(struct sheaf_msg_worker *worker);
/* state.c: the lock alone. */
void sheaf_msg_lock_only(struct sheaf_msg_worker *worker);
bool sheaf_msg_try_lock(struct sheaf_msg_worker *worker);
void sheaf_msg_unlock(struct sheaf_msg_worker *worker);
/* A thread of the program serves this worker now: the progress thread keeps away. */
static inline void sheaf_msg_note_poll(struct sheaf_msg_worker *worker)
{
    sheaf_store_relaxed(&worker->polls, sheaf_load_relaxed(&worker->polls) + 1);
}
/* One turn of work, with the lock held; may_reply as in engine.h's progress. */
bool sheaf_msg_turn(struct sheaf_msg_worker *worker, bool may_reply);

/* dead.c: where deaths do not end the job. fail_dead: ends what waits for dead PEs, with the lock held. */
static inline bool sheaf_msg_survives_deaths(void)
{
    return sheaf_msg_state.job.is_dead != NULL;
}
void sheaf_msg_forget_dead(void);
void sheaf_msg_fail_dead(struct sheaf_msg_worker *worker);
void sheaf_msg_renew(void); /* without the lock */
bool sheaf_msg_take_failed(struct sheaf_msg_worker *worker);

/* deferred.c; with the lock held. Whether the put is left to the thread: then call
 * sheaf_msg_nudge(). */
bool sheaf_msg_defer(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put);
/* Whether the answer is left to the thread: then call sheaf_msg_nudge(). */
bool sheaf_msg_delegate_get(struct sheaf_msg_operation *get, size_t bytes);
/* The get's answer has arrived: records whether leaving it to the thread has paid. */
void sheaf_msg_settle_get_bet(struct sheaf_msg_operation *get);
void sheaf_msg_start_deferred(struct sheaf_msg_worker *worker);

/* acknowledge.c; with the lock held. Counts writes whose origin learns of them by an answer. */
void sheaf_msg_count_writes(struct sheaf_msg_worker *worker, uint64_t writes);
/* Number of peers' writes so far; without the lock. */
uint64_t sheaf_msg_carried_out(void);
void sheaf_msg_acknowledge(struct sheaf_msg_worker *worker);

/* pending_acks.c; with the lock held. Number of pending acknowledgements that a message on the link takes
 * along. peer: the receiver; NULL: the message is an answer. */
uint16_t sheaf_msg_acknowledge_with(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer,
                                    const sheaf_transport_link *link);
/* Whether acknowledgements wait for the next turn, so that the program may answer first. */
bool sheaf_msg_delay_acknowledgements(struct sheaf_msg_delayed_acks *delayed, bool has_news);
/* The delayed acknowledgements go out now: records whether the delay has paid. */
void sheaf_msg_settle_ack_bet(struct sheaf_msg_delayed_acks *delayed);

/* thread.c: the state of the progress thread, and messages to it; progress.c is the thread itself. */
enum sheaf_msg_thread_state {
    SHEAF_THREAD_AWAKE,
    SHEAF_THREAD_NAPS,
    SHEAF_THREAD_LINGERS,
    SHEAF_THREAD_SLEEPS
};
extern struct sheaf_msg_thread {
    enum sheaf_msg_thread_state state; /* set before the thread looks: work left to it after that wakes
                                          it */
    int wake; /* an eventfd: look again, or end */
    uint64_t nap_ns; /* length of the nap under way */
    bool knows_automatic; /* it has found automatic batches open, and takes only short naps */
} sheaf_msg_thread;
extern _Thread_local bool sheaf_msg_is_progress_thread; /* this thread is the progress thread */
void sheaf_msg_thread_set(enum sheaf_msg_thread_state state);
enum sheaf_msg_thread_state sheaf_msg_thread_get(void);
void sheaf_msg_thread_wake(void);
void sheaf_msg_nudge(void); /* wakes the thread: work is left to it */
/* A batch is open, of a session or automatic: the thread must look again soon. */
void sheaf_msg_nudge_for_batch(bool is_automatic);
/* The thread sleeps until something arrives, or is about to. */
bool sheaf_msg_thread_is_asleep(void);
/* Nanoseconds until the thread looks at every worker, whatever arrives; UINT64_MAX: it sleeps, or there is
 * none. */
uint64_t sheaf_msg_thread_looks_in(void);

#endif

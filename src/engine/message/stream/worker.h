/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The worker: a stream of operations, with its lock, its peers and its pending acknowledgements; the
 * engine's state; what is known of the progress thread, which looks after every worker.
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

/* Puts received and not yet acknowledged, of one origin. */
struct sheaf_msg_pending_acks {
    sheaf_transport_link *link;
    int pe; /* the origin's, where they came from its service worker, which is what we send to; else -1 */
    uint64_t count;
};
#define SHEAF_MSG_PENDING_ACKS 16

/* A put; a worker's deferred ones are still to be started. */
struct sheaf_msg_deferred {
    struct sheaf_msg_peer *peer;
    void *dest;
    const void *source;
    size_t bytes;
};
#define SHEAF_MSG_DEFERRED 32

/* Acknowledgements held back for the program to answer first. */
struct sheaf_msg_delayed_acks {
    unsigned turns; /* for so many by now; 0: nothing is held back */
    uint64_t since_ns;
    struct sheaf_bet bet;
};

/* A stream of operations. The first, the service worker, is the default context's, and the one
 * that answers peers. */
struct sheaf_engine_context {
    pthread_mutex_t lock; /* guards all that follows but polls, wanted and the tables of peers */
    unsigned wanted;      /* threads that wait for the lock */
    unsigned polls;       /* bumped by the program's threads while they poll */
    sheaf_transport_port *port;
    int event_fd;
    struct sheaf_msg_peer_page **pages; /* written once each, under the lock */
    struct sheaf_msg_peer *dirty;
    struct sheaf_msg_peer *retired; /* of processes whose places others have taken */
    struct sheaf_msg_operation *free;
    struct sheaf_msg_operation **operations; /* all that were made, by number */
    uint32_t made, room;                     /* how many; how many the table can hold */
    size_t in_use; /* operations that are not free */
    bool is_full;  /* too many were: no more before half of them are complete */
    bool has_failed; /* an operation on a dead PE was counted as ended: the program does not know yet */
    unsigned deaths_seen; /* of sheaf_msg_state's */
    unsigned given_up, settled; /* peers that have died; those of them that the program has left for */
    struct sheaf_msg_quiet *quiets; /* under way */
    struct sheaf_msg_pending_acks pending_acks[SHEAF_MSG_PENDING_ACKS];
    int pending_count;
    uint64_t carried_out; /* writes of peers: messages, and entries of batches */
    struct sheaf_msg_deferred deferred[SHEAF_MSG_DEFERRED];
    unsigned deferred_count; /* a fence reads it without the lock */
    int deferred_at; /* the processor on which the program left the last of them to the thread */
    struct sheaf_bet puts, gets; /* left to the thread */
    bool is_handed_over; /* the thread is to look after it although the program has just polled */
    unsigned calls; /* that took the lock */
    unsigned needless_wakes; /* of the thread, in a row */
    struct sheaf_msg_delayed_acks delayed;
    unsigned polls_seen, calls_seen; /* the progress thread's */
    bool is_shared; /* several threads of the program use it at once; the context's, from its creation on */
    struct sheaf_msg_batches *batches; /* NULL where nothing has gathered; has a lock of its own */
    bool is_batching; /* in a session; written under that lock */
    uint64_t ended;   /* messages of all peers that were acknowledged or answered; read without the lock */
    uint64_t fences;  /* so far, where messages have data beyond a fragment; without the lock */
    unsigned connections; /* made, in all */
    struct sheaf_engine_context *next;      /* in the progress thread's list */
    struct sheaf_engine_context *next_kept; /* contexts.c's */
};

/* Written by engine.c, between start and stop; has_dead_host by failure.c. */
extern struct sheaf_msg_state {
    struct sheaf_engine_job job;
    const struct sheaf_transport *transport;
    struct sheaf_msg_worker *service;
    bool is_native; /* puts and gets are the network's own, for peers that have keys */
    bool has_keys;  /* memory is registered with the transport */
    bool has_lanes; /* atomic operations are the adapter's, past the transport: see lanes.c */
    bool gathers;     /* small operations gather without a session, too */
    bool locks_nothing; /* memory that the network accesses need not be locked */
    bool sends_whole; /* collectives' messages go in one piece, whatever their length */
    size_t longest;   /* data of a put's message, and of a get's answer: at least a fragment */
    sheaf_amo_set atomics; /* that the network does by itself; 0 unless the job wants them */
    bool is_stopping;
    bool has_thread;
    bool has_dead_host; /* a host has gone away without a word */
    unsigned deaths;    /* told so far, or more often; 0: none. The job goes on */
    unsigned lanes_busy; /* the adapter's operations under way; written under the lock of lanes.c */
    bool (*poll_lanes)(void); /* whether any has ended; set where has_lanes is */
} sheaf_msg_state;

static inline struct sheaf_msg_worker *sheaf_msg_worker_of(sheaf_engine_context *context)
{
    return context ? context : sheaf_msg_state.service;
}

/* The transport's, where it has any. */
static inline const struct sheaf_transport_direct *sheaf_msg_direct(void)
{
    return sheaf_msg_state.transport->direct;
}

/* worker.c */
/* NULL, and why, where none can be had. Its end: its port is closed first, and then it is freed. */
struct sheaf_msg_worker *sheaf_msg_worker_create(const char **why);
void sheaf_msg_worker_close(struct sheaf_msg_worker *worker);
void sheaf_msg_worker_free(struct sheaf_msg_worker *worker);
/* Takes the lock, and starts what was deferred: so what the caller sends goes behind it. By a thread of the
 * program it is counted as a call, and some calls serve peers first. */
void sheaf_msg_enter(struct sheaf_msg_worker *worker);
/* state.c: the lock alone. */
void sheaf_msg_lock_only(struct sheaf_msg_worker *worker);
bool sheaf_msg_try_lock(struct sheaf_msg_worker *worker);
void sheaf_msg_unlock(struct sheaf_msg_worker *worker);
/* A thread of the program looks after this worker now: the progress thread keeps away. */
static inline void sheaf_msg_note_poll(struct sheaf_msg_worker *worker)
{
    sheaf_store_relaxed(&worker->polls, sheaf_load_relaxed(&worker->polls) + 1);
}
/* One turn of work, with the lock held; may_reply as in engine.h's progress. */
bool sheaf_msg_turn(struct sheaf_msg_worker *worker, bool may_reply);

/* dead.c: where deaths do not end the job. With the lock held: what waits for dead PEs ends. */
static inline bool sheaf_msg_bears_deaths(void)
{
    return sheaf_msg_state.job.is_dead != NULL;
}
void sheaf_msg_forget_dead(void);
void sheaf_msg_fail_dead(struct sheaf_msg_worker *worker);
void sheaf_msg_renew(void); /* without the lock */
bool sheaf_msg_take_failed(struct sheaf_msg_worker *worker);

/* deferred.c; with the lock held. Whether it is left to the thread: call sheaf_msg_nudge() then. */
bool sheaf_msg_defer(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put);
/* Whether the answer is left to the thread: call sheaf_msg_nudge() then. */
bool sheaf_msg_delegate_get(struct sheaf_msg_operation *get, size_t bytes);
/* The answer is there. */
void sheaf_msg_judge_get(struct sheaf_msg_operation *get);
void sheaf_msg_start_deferred(struct sheaf_msg_worker *worker);

/* acknowledge.c; with the lock held. Where an answer tells the origin, the writes alone are counted. */
void sheaf_msg_count_writes(struct sheaf_msg_worker *worker, uint64_t writes);
/* Of peers, by now; without the lock. */
uint64_t sheaf_msg_carried_out(void);
void sheaf_msg_acknowledge(struct sheaf_msg_worker *worker);

/* pending_acks.c; with the lock held. For a message on the link, to the peer or, with NULL, an answer: how
 * many it acknowledges. */
uint16_t sheaf_msg_acknowledge_with(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer,
                                    const sheaf_transport_link *link);
/* Whether the program may answer first: then it waits for the next turn. */
bool sheaf_msg_hold_back_acknowledgements(struct sheaf_msg_delayed_acks *delayed);
/* Those that were held back go now: whether it paid. */
void sheaf_msg_judge_delayed(struct sheaf_msg_delayed_acks *delayed);

/* thread.c: what everybody knows of the progress thread, and tells it; progress.c is what it does. */
enum sheaf_msg_thread_state {
    SHEAF_THREAD_AWAKE,
    SHEAF_THREAD_NAPS,
    SHEAF_THREAD_LINGERS,
    SHEAF_THREAD_SLEEPS
};
extern struct sheaf_msg_thread {
    enum sheaf_msg_thread_state state; /* said before it looks: what is left to it after that wakes it */
    int wake; /* an eventfd: look again, or end */
    uint64_t nap_ns; /* the length of the nap that it takes */
    bool knows_unasked; /* it found batches open that no session asked for, and does not nap for long */
} sheaf_msg_thread;
extern _Thread_local bool sheaf_msg_is_progress_thread; /* this one */
void sheaf_msg_thread_set(enum sheaf_msg_thread_state state);
enum sheaf_msg_thread_state sheaf_msg_thread_get(void);
void sheaf_msg_thread_wake(void);
void sheaf_msg_nudge(void); /* something is left to the thread */
/* One is open, of a session or not: the thread is to look again soon. */
void sheaf_msg_nudge_for_batch(bool is_unasked);
/* It sleeps until something arrives, or is about to. */
bool sheaf_msg_thread_is_asleep(void);
/* Within so many ns it looks at every worker, whatever arrives; UINT64_MAX while it sleeps, or is not
 * there. */
uint64_t sheaf_msg_thread_looks_in(void);

#endif

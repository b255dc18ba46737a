/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operation: a message that is under way, or a request whose answer is still to come.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_OPERATION_H
#define SHEAF_ENGINE_MESSAGE_STREAM_OPERATION_H

#include "engine/message/stream/peer.h"

/* A message that the transport may still read, or a request whose answer is still to come. */
struct sheaf_msg_operation {
    struct sheaf_msg_seal seal; /* sent together with the header */
    union sheaf_msg_header header;
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer; /* NULL where this PE answers */
    unsigned char *dest;         /* where the answer goes */
    uint64_t handle;             /* by which the answer names it: see operation.c */
    enum sheaf_msg_kind expects; /* while the answer is due */
    size_t due, received;        /* bytes of the answer: to come, and here */
    size_t left;                 /* of that what is to come; 1 for the sending itself */
    size_t *waiter;              /* engine.h's left: counted down once complete; or NULL */
    uint64_t value;              /* of a signal, an atomic operation; how far a flush reaches; when a
                                    get was left to the thread: see deferred.c */
    uint64_t reply;              /* where a result goes that nobody wants */
    void *packed;                /* malloc'ed data that goes with it, or NULL */
    bool has_answer;
    bool is_delegated; /* a get whose answer is left to the thread */
    struct sheaf_msg_batch *batch; /* that this sends, or NULL */
    void (*ended)(struct sheaf_msg_operation *operation); /* with the lock; or NULL */
    struct sheaf_msg_operation *next;
};

/* operation.c; all with the lock held. */
struct sheaf_msg_operation *sheaf_msg_operation_get(struct sheaf_msg_worker *worker,
                                                    struct sheaf_msg_peer *peer);
/* Its end counts *left down; left may be NULL. */
static inline void sheaf_msg_operation_count(struct sheaf_msg_operation *operation, size_t *left)
{
    operation->waiter = left;
    if (left)
        ++*left;
}
/* One of the parts that left counts is done. */
void sheaf_msg_operation_advance(struct sheaf_msg_operation *operation, size_t bytes);
/* So much of the answer has arrived. */
void sheaf_msg_operation_answered(struct sheaf_msg_operation *operation, size_t bytes);
/* The operation under way that has this handle; NULL where there is none. */
struct sheaf_msg_operation *sheaf_msg_operation_find(const struct sheaf_msg_worker *worker,
                                                     uint64_t handle);
/* Sends operation's header and source; source and operation are in use until it has advanced. */
void sheaf_msg_send_operation(struct sheaf_msg_operation *operation, sheaf_transport_link *link,
                              enum sheaf_msg_kind kind, const void *source, size_t bytes);
/* The transport's sent(). */
void sheaf_msg_sent(void *operation, const char *why);
extern const unsigned char sheaf_msg_header_size[SHEAF_MSG_KINDS];

/* Messages by kind; NULL while nobody counts. Several workers' threads do. */
extern struct sheaf_engine_messages *sheaf_msg_messages;
unsigned sheaf_msg_count_messages(struct sheaf_engine_messages *rows);
static inline void sheaf_msg_count_message(enum sheaf_msg_kind kind, bool is_sent, uint64_t bytes)
{
    struct sheaf_engine_messages *rows = sheaf_load_acquire(&sheaf_msg_messages);
    if (sheaf_likely(rows == NULL))
        return;
    struct sheaf_engine_messages *row = &rows[kind];
    __atomic_add_fetch(is_sent ? &row->sent : &row->arrived, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(is_sent ? &row->sent_bytes : &row->arrived_bytes, bytes, __ATOMIC_RELAXED);
}

/* Of so many bytes; an answer without data counts as one. */
static inline void sheaf_msg_expect_answer(struct sheaf_msg_operation *operation,
                                           enum sheaf_msg_kind answer, size_t bytes)
{
    operation->left += bytes;
    operation->due = bytes;
    operation->received = 0;
    operation->expects = answer;
    operation->has_answer = true;
    sheaf_store_relaxed(&operation->peer->asked, operation->peer->asked + 1);
    sheaf_msg_mark_dirty(operation->worker, operation->peer);
}

/* A word comes in the header. */
static inline enum sheaf_msg_kind sheaf_msg_answer_to_get(size_t bytes)
{
    return bytes <= sizeof(uint64_t) ? SHEAF_MSG_RESULT : SHEAF_MSG_DATA;
}

/* put.c; with the lock held. left: engine.h's, or NULL. */
void sheaf_msg_start_put(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                         size_t *left);
/* A word in one piece. */
void sheaf_msg_store(unsigned char *dest, const void *source, size_t bytes);
/* Up to 8 bytes that travel in a header: one piece less for UCX to send, 0.4 us. */
struct sheaf_msg_word sheaf_msg_word(const void *source, size_t bytes);

/* The row behind its first blocks. */
static inline void sheaf_msg_advance(struct sheaf_row *row, size_t blocks)
{
    row->dest = (char *)row->dest + (ptrdiff_t)blocks * row->blocks.dest_stride;
    row->source = (const char *)row->source + (ptrdiff_t)blocks * row->blocks.source_stride;
    row->blocks.count -= blocks;
}

/* A request for rows, in the packed memory of its operation: what is asked for, which is sent, and
 * where the answer goes. */
struct sheaf_msg_place {
    unsigned char *dest;
    ptrdiff_t stride;
};
struct sheaf_msg_request {
    size_t count;
    struct sheaf_msg_place *places;
    struct sheaf_msg_row asked[];
};

#endif

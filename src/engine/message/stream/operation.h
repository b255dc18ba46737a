/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operation: a message that is under way, or a request whose answer has not arrived.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_OPERATION_H
#define SHEAF_ENGINE_MESSAGE_STREAM_OPERATION_H

#include "engine/message/stream/peer.h"

/* A message that the transport may still read, or a request whose answer has not arrived. */
struct sheaf_msg_operation {
    struct sheaf_msg_common_header common; /* sent together with the header */
    union sheaf_msg_header header;
    struct sheaf_msg_worker *worker;
    struct sheaf_msg_peer *peer; /* NULL where this PE answers */
    unsigned char *dest;         /* destination of the answer */
    uint64_t handle;             /* the answer names the operation by it: see operation.c */
    enum sheaf_msg_kind expects; /* while the answer is due */
    size_t due, received;        /* bytes of the answer: still to come, and arrived */
    size_t remaining;            /* parts that have not ended: bytes of the answer, and 1 for the sending */
    size_t *waiter;              /* engine.h's remaining: counted down once complete; or NULL */
    uint64_t value;              /* of a signal or an atomic operation; the count that a flush covers; the
                                    activity when a get was left to the thread: see deferred.c */
    uint64_t reply;              /* destination of a result that the program does not want */
    void *packed;                /* malloc'ed data of the message, or NULL */
    bool has_answer;
    bool is_delegated; /* a get whose answer is left to the thread */
    struct sheaf_msg_batch *batch; /* the batch that this operation sends, or NULL */
    void (*ended)(struct sheaf_msg_operation *operation); /* called with the lock; or NULL */
    struct sheaf_msg_operation *next;
};

/* operation.c; all with the lock held. */
struct sheaf_msg_operation *sheaf_msg_operation_get(struct sheaf_msg_worker *worker,
                                                    struct sheaf_msg_peer *peer);
/* Its end counts *remaining down; remaining may be NULL. */
static inline void sheaf_msg_operation_count(struct sheaf_msg_operation *operation, size_t *remaining)
{
    operation->waiter = remaining;
    if (remaining)
        ++*remaining;
}
/* That many of the operation's remaining parts have ended. */
void sheaf_msg_operation_advance(struct sheaf_msg_operation *operation, size_t bytes);
/* That many bytes of the answer have arrived. */
void sheaf_msg_operation_answered(struct sheaf_msg_operation *operation, size_t bytes);
/* The operation under way with this handle; NULL: there is none. */
struct sheaf_msg_operation *sheaf_msg_operation_find(const struct sheaf_msg_worker *worker,
                                                     uint64_t handle);
/* Sends the operation's header and source; both are in use until the operation has advanced. */
void sheaf_msg_send_operation(struct sheaf_msg_operation *operation, sheaf_transport_link *link,
                              enum sheaf_msg_kind kind, const void *source, size_t bytes);
/* The transport's sent(). */
void sheaf_msg_sent(void *operation, const char *why);
extern const unsigned char sheaf_msg_header_size[SHEAF_MSG_KINDS];

/* Messages by kind; NULL while they are not counted. Threads of several workers count. */
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

/* The operation expects an answer of so many bytes; an answer without data counts as one. */
static inline void sheaf_msg_expect_answer(struct sheaf_msg_operation *operation,
                                           enum sheaf_msg_kind answer, size_t bytes)
{
    operation->remaining += bytes;
    operation->due = bytes;
    operation->received = 0;
    operation->expects = answer;
    operation->has_answer = true;
    sheaf_store_relaxed(&operation->peer->asked, operation->peer->asked + 1);
    sheaf_msg_mark_dirty(operation->worker, operation->peer);
}

/* The header carries up to 8 bytes. */
static inline enum sheaf_msg_kind sheaf_msg_answer_to_get(size_t bytes)
{
    return bytes <= sizeof(uint64_t) ? SHEAF_MSG_RESULT : SHEAF_MSG_DATA;
}

/* Of the bytes of a put or of a get's answer that are left, and fit into a message, those of its last
 * message: while that travels the receiver copies what came before. last_part: the transport's. */
static inline size_t sheaf_msg_last_part(size_t last_part, size_t rest)
{
    return last_part && rest >= 4 * last_part ? last_part : rest;
}

/* Of the bytes that are left, those of the next message; most: that a message can have. */
static inline size_t sheaf_msg_next_part(size_t most, size_t last_part, size_t rest)
{
    if (rest > most)
        return most;
    size_t last = sheaf_msg_last_part(last_part, rest);
    return last == rest ? rest : rest - last;
}

/* put.c; with the lock held. remaining: engine.h's, or NULL. */
void sheaf_msg_start_put(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                         size_t *remaining);
/* Stores a word in one piece. */
void sheaf_msg_store(unsigned char *dest, const void *source, size_t bytes);
/* Up to 8 bytes for a header: the message then has no data. */
struct sheaf_msg_word sheaf_msg_word(const void *source, size_t bytes);

/* Moves the row past its first blocks. */
static inline void sheaf_msg_advance(struct sheaf_row *row, size_t blocks)
{
    row->dest = (char *)row->dest + (ptrdiff_t)blocks * row->blocks.dest_stride;
    row->source = (const char *)row->source + (ptrdiff_t)blocks * row->blocks.source_stride;
    row->blocks.count -= blocks;
}

/* A request for rows, in the packed memory of its operation: the rows asked for, which are sent, and the
 * destinations of the answer. */
struct sheaf_msg_target {
    unsigned char *dest;
    ptrdiff_t stride;
};
struct sheaf_msg_request {
    size_t count;
    struct sheaf_msg_target *targets;
    struct sheaf_msg_row asked[];
};

#endif

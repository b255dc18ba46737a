/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operation: a message that is under way, or a request whose answer is still to come.
 */
#ifndef SHEAF_ENGINE_UCX_OPERATION_H
#define SHEAF_ENGINE_UCX_OPERATION_H

#include "engine/ucx/peer.h"

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

/* rma.c; with the lock held */
void sheaf_ucx_start_put(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put);
void sheaf_ucx_start_get(struct sheaf_ucx_operation *get, void *dest, const void *source, size_t bytes,
                         size_t *left);

/* rows.c: the row behind its first blocks. */
void sheaf_ucx_advance(struct sheaf_row *row, size_t blocks);

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

#endif

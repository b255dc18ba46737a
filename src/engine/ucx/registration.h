/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory as the network knows it: parts, keys of peers' parts, and operations that go by them.
 */
#ifndef SHEAF_ENGINE_UCX_REGISTRATION_H
#define SHEAF_ENGINE_UCX_REGISTRATION_H

#include "engine/ucx/operation.h"

/* registration.c: a part of the symmetric memory, in local addresses. */
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

/* native_amo.c: what the transports do by themselves, and UCX's features for that */
sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size);
sheaf_amo_set sheaf_ucx_probe_atomics(void);
uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native);

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

/* native_amo.c, as native.c. */
bool sheaf_ucx_native_amo(struct sheaf_ucx_worker *, struct sheaf_ucx_peer *,
                          const struct sheaf_amo_call *, void *result, size_t *left);

#endif

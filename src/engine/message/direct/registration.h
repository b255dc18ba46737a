/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory as the network knows it: parts, keys of peers' parts, and operations that use them.
 */
#ifndef SHEAF_ENGINE_MESSAGE_DIRECT_REGISTRATION_H
#define SHEAF_ENGINE_MESSAGE_DIRECT_REGISTRATION_H

#include "engine/message/stream/arrival.h"

/* part.c: a part of the symmetric memory, in local addresses; of a memory space the index alone. */
struct sheaf_msg_part {
    int index;
    uintptr_t start, end;
};
#define SHEAF_MSG_DATA_PART   0
#define SHEAF_MSG_FIRST_SPACE 65
#define SHEAF_MSG_PARTS       (SHEAF_MSG_FIRST_SPACE + SHEAF_MOST_SPACES)

/* A question that a peer is asked once: a key, or its end of a lane. */
struct sheaf_msg_question {
    bool is_asked;
    size_t remaining; /* engine.h's; read with acquire order once the question is asked */
    size_t bytes; /* of the answer; 0: the peer has none */
    void *answer; /* malloc'ed */
};
/* The key of a part. */
struct sheaf_msg_part_key {
    struct sheaf_msg_question question;
    sheaf_transport_key *key; /* NULL until it is known */
    unsigned era;             /* of the part that it is of: sheaf_msg_part_era() */
};

struct sheaf_msg_part sheaf_msg_part_of(const void *local);

/* registration.c */
int sheaf_msg_register_data(void);
int sheaf_msg_heap_grown(size_t from, size_t to);
bool sheaf_msg_grows_together(size_t from, size_t to);
void sheaf_msg_unregister_all(void);
/* engine.h's. */
int sheaf_msg_offer_space(unsigned index, void *start, size_t bytes);
void sheaf_msg_withdraw_space(unsigned index);
/* How many memory spaces had this part before: keys of other eras are out of date. */
unsigned sheaf_msg_part_era(int part);
/* With the lock held. NULL until the peer has answered; the first call asks it. */
sheaf_transport_key *sheaf_msg_key_of(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                      const struct sheaf_msg_part *part);
void sheaf_msg_forget_keys(struct sheaf_msg_peer *peer);

/* question.c */
/* Sends operation, whose header holds the question, to its peer; the answer goes into question. */
void sheaf_msg_ask(struct sheaf_msg_operation *operation, enum sheaf_msg_kind message,
                   struct sheaf_msg_question *question);
/* Asks for the key of a part; message: KEY or LANE_KEY. */
void sheaf_msg_ask_for_key(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                           enum sheaf_msg_kind message, struct sheaf_msg_question *question, int part);
/* Whether the answer has arrived. */
static inline bool sheaf_msg_is_answered(const struct sheaf_msg_question *question)
{
    return question->is_asked && sheaf_load_acquire(&question->remaining) == 0;
}

/* native.c; with the lock held. An operation that starts counts in remaining, which may be NULL, until its
 * local memory may be used again. Those that return a bool may have to be repeated, as in engine.h. */
/* Makes an operation for the end of a transport's own operation. */
struct sheaf_msg_operation *sheaf_msg_native_begin(struct sheaf_msg_worker *worker,
                                                   struct sheaf_msg_peer *peer,
                                                   size_t *remaining);
/* The transport's done(). */
void sheaf_msg_done(void *operation, const char *why);
bool sheaf_msg_native_put(struct sheaf_msg_worker *, struct sheaf_msg_peer *, void *, const void *,
                          size_t, size_t *remaining);
bool sheaf_msg_native_get(struct sheaf_msg_worker *, struct sheaf_msg_peer *, void *, const void *,
                          size_t, size_t *remaining);
bool sheaf_msg_native_put_row(struct sheaf_msg_worker *, struct sheaf_msg_peer *,
                              struct sheaf_row *row, size_t *remaining);
bool sheaf_msg_native_get_row(struct sheaf_msg_worker *, struct sheaf_msg_peer *,
                              struct sheaf_row *row, size_t *remaining);
bool sheaf_msg_native_set_signal(struct sheaf_msg_worker *, struct sheaf_msg_peer *, void *,
                                 const void *, size_t, const struct sheaf_signal_call *,
                                 size_t *remaining);

/* native_amo.c, as native.c. */
bool sheaf_msg_native_amo(struct sheaf_msg_worker *, struct sheaf_msg_peer *,
                          const struct sheaf_amo_call *, void *result, size_t *remaining);

/* registration.c and question.c: questions that arrive, and answers. */
void sheaf_msg_handle_key(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_key_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif

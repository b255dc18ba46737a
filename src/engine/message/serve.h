/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: a message as the transport hands it over, whether it may be used, and who carries it out. For
 * serve.c, admit.c and the files with a kind of message of their own; tests call it without a network.
 */
#ifndef SHEAF_ENGINE_MESSAGE_SERVE_H
#define SHEAF_ENGINE_MESSAGE_SERVE_H

#include "engine/message/message.h"

/* asked and peer are admit.c's findings, for answers and acknowledgements. */
struct sheaf_msg_arrival {
    struct sheaf_msg_worker *worker;
    sheaf_transport_link *origin; /* NULL: the message cannot be answered */
    const unsigned char *data; /* NULL: there is none, or it is still at the sender */
    size_t length;
    void *waiting;    /* the transport's, of what is still at the sender; else NULL */
    bool *is_kept;    /* to be set where that is fetched after the message has been taken */
    int pe;
    struct sheaf_msg_operation *asked;
    struct sheaf_msg_peer *peer;
};
/* The transport's arrived(). */
bool sheaf_msg_arrived(void *worker, const struct sheaf_transport_arrival *arrival);

/* admit.c: whether all of a message may be used; else it is counted, and told once. */
bool sheaf_msg_admit(struct sheaf_msg_arrival *arrival, const struct sheaf_msg_envelope *envelope,
                     size_t header_length);
/* Dropped since start: from outside the job; from a member, but not what a member sends. */
struct sheaf_msg_dropped {
    uint64_t foreign, malformed;
};
extern struct sheaf_msg_dropped sheaf_msg_dropped;
/* Within this PE's data image, or its heap. */
bool sheaf_msg_is_mine(uint64_t address, uint64_t bytes);
bool sheaf_msg_are_mine(uint64_t address, int64_t stride, uint64_t block_bytes, uint64_t count);
/* Blocks that can be added to by such a scale, or stored. */
bool sheaf_msg_are_numbers(const struct sheaf_msg_scale *scale, uint64_t address, uint64_t stride,
                           uint64_t block_bytes);
bool sheaf_msg_admit_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
bool sheaf_msg_admit_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* serve_batch.c */
void sheaf_msg_take_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_batch_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* serve_rows.c */
void sheaf_msg_take_add(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_get_rows(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_rows_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_done(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* tagged.c */
void sheaf_msg_take_send(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_send_word(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

/* registration.c, too */
void sheaf_msg_take_key(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_key_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif

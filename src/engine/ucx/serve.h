/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: a message as UCX hands it over, whether it may be used, and who carries it out. For
 * serve.c, admit.c and the files with a kind of message of their own; tests call it without a network.
 */
#ifndef SHEAF_ENGINE_UCX_SERVE_H
#define SHEAF_ENGINE_UCX_SERVE_H

#include "engine/ucx/ucx.h"

/* asked and peer are admit.c's findings, for answers and acknowledgements. */
struct sheaf_ucx_arrival {
    struct sheaf_ucx_worker *worker;
    ucp_ep_h origin; /* NULL: the message cannot be answered */
    const unsigned char *data; /* NULL: there is none, or it is still at the sender */
    size_t length;
    void *descriptor; /* UCX's, of what is still at the sender; else NULL */
    bool *is_kept;    /* to be set where the descriptor is used after the message has been taken */
    int pe;
    struct sheaf_ucx_operation *asked;
    struct sheaf_ucx_peer *peer;
};
/* A message with a header of so many bytes, as UCX hands it over. Returns whether it was used. */
bool sheaf_ucx_deliver(struct sheaf_ucx_arrival *arrival, enum sheaf_ucx_message message,
                       const void *header, size_t header_length);

/* admit.c: whether all of a message may be used; else it is counted, and told once. */
bool sheaf_ucx_admit(struct sheaf_ucx_arrival *arrival, enum sheaf_ucx_message message,
                     const struct sheaf_ucx_envelope *envelope, size_t header_length);
/* Dropped since start: from outside the job; from a member, but not what a member sends. */
struct sheaf_ucx_dropped {
    uint64_t foreign, malformed;
};
extern struct sheaf_ucx_dropped sheaf_ucx_dropped;
/* Within this PE's data image, or its heap. */
bool sheaf_ucx_is_mine(uint64_t address, uint64_t bytes);
bool sheaf_ucx_are_mine(uint64_t address, int64_t stride, uint64_t block_bytes, uint64_t count);
/* Blocks that can be added to by such a scale, or stored. */
bool sheaf_ucx_are_numbers(const struct sheaf_ucx_scale *scale, uint64_t address, uint64_t stride,
                           uint64_t block_bytes);
bool sheaf_ucx_admit_batch(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
bool sheaf_ucx_admit_send(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
bool sheaf_ucx_admit_send_word(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
bool sheaf_ucx_admit_rows(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
bool sheaf_ucx_admit_get_rows(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

/* serve_batch.c */
void sheaf_ucx_take_batch(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_batch_data(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

/* serve_rows.c */
void sheaf_ucx_take_add(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_rows(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_get_rows(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_rows_data(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_done(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

/* tagged.c */
void sheaf_ucx_take_send(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_send_word(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

/* registration.c, too */
void sheaf_ucx_take_key(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);
void sheaf_ucx_take_key_data(const struct sheaf_ucx_arrival *, const union sheaf_ucx_header *);

#endif

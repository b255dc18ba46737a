/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that arrived, for those who carry out some kind of it; which of its addresses are this PE's.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_ARRIVAL_H
#define SHEAF_ENGINE_MESSAGE_STREAM_ARRIVAL_H

#include "engine/message/stream/operation.h"

/* asked and peer are admit.c's findings, for answers and acknowledgements. */
struct sheaf_msg_arrival {
    struct sheaf_msg_worker *worker;
    sheaf_transport_link *origin; /* NULL: the message cannot be answered */
    const unsigned char *data; /* NULL: there is none, or it is still at the sender */
    size_t length;
    void *waiting;    /* the transport's, of what is still at the sender; else NULL */
    bool *is_kept;    /* to be set where that is fetched after the message has been taken */
    bool is_due;      /* the data comes once its place is known */
    int pe;
    bool is_service; /* it came from that PE's service worker */
    uint16_t acknowledges; /* messages of worker, besides what its kind says */
    struct sheaf_msg_operation *asked;
    struct sheaf_msg_peer *peer;
};

static inline unsigned char *sheaf_msg_at(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}

/* acknowledge.c; with the lock held. It was carried out, with so many writes: its origin is to learn it. */
void sheaf_msg_owe(const struct sheaf_msg_arrival *arrival, uint64_t writes);

/* symmetric.c */
/* Within this PE's data image, or its heap; of what is read, its constants too. */
bool sheaf_msg_is_mine(uint64_t address, uint64_t bytes, bool is_read);
bool sheaf_msg_are_mine(uint64_t address, int64_t stride, uint64_t block_bytes, uint64_t count,
                        bool are_read);
/* Blocks that can be added to by such a scale, or stored. */
bool sheaf_msg_are_numbers(const struct sheaf_msg_scale *scale, uint64_t address, uint64_t stride,
                           uint64_t block_bytes);

#endif

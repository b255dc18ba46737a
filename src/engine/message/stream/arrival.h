/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that has arrived, for the files that carry out its kind; and the check whether its addresses
 * are symmetric.
 */
#ifndef SHEAF_ENGINE_MESSAGE_STREAM_ARRIVAL_H
#define SHEAF_ENGINE_MESSAGE_STREAM_ARRIVAL_H

#include "engine/message/stream/operation.h"

/* asked and peer are set by admit.c, for answers and acknowledgements. */
struct sheaf_msg_arrival {
    struct sheaf_msg_worker *worker;
    sheaf_transport_link *origin; /* NULL: the message cannot be answered */
    const unsigned char *data; /* NULL: there is no data, or it is still at the sender */
    size_t length;
    void *waiting;    /* the transport's handle of data that is still at the sender; else NULL */
    bool *is_fetched_later;    /* to be set to true if that data will be fetched after this call */
    bool is_due;      /* the data arrives once its destination is known */
    int pe;
    bool is_service; /* it came from that PE's service worker */
    uint16_t acknowledges; /* number of worker's messages that this message acknowledges, besides its
                              kind's own */
    struct sheaf_msg_operation *asked;
    struct sheaf_msg_peer *peer;
};

static inline unsigned char *sheaf_msg_at(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}

/* acknowledge.c; with the lock held. The arrival was carried out, with so many writes: its origin gets an
 * acknowledgement. */
void sheaf_msg_add_pending_ack(const struct sheaf_msg_arrival *arrival, uint64_t writes);

/* symmetric.c */
/* Whether the range is within this PE's data image or heap; for reads also within its constants. */
bool sheaf_msg_is_symmetric(uint64_t address, uint64_t bytes, bool is_read);
bool sheaf_msg_are_symmetric(uint64_t address, int64_t stride, uint64_t block_bytes, uint64_t count,
                             bool are_read);
/* Whether blocks can be added to with such a scale, or stored. */
bool sheaf_msg_are_numbers(const struct sheaf_msg_scale *scale, uint64_t address, uint64_t stride,
                           uint64_t block_bytes);

#endif

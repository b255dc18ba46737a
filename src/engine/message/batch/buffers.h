/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches: small operations of one worker that wait in a buffer until they travel to their peer in one
 * message: in a session, or because messages to the peer are under way (base/pace/pace.h). For batch.c,
 * which fills them, batches.c, which sends them, and serve_batch.c, which delivers what comes back.
 */
#ifndef SHEAF_ENGINE_MESSAGE_BATCH_BUFFERS_H
#define SHEAF_ENGINE_MESSAGE_BATCH_BUFFERS_H

#include "base/os/owner_lock.h"
#include "engine/message/batch/batch.h"

/* Entries from the start of bytes on; from their end backwards, a word each, where the results of those
 * that have one go: used + 8 * results <= capacity. Open while it is a peer's batch; then the message's,
 * until it is sent and, with results, the answer is there; then free. */
struct sheaf_msg_batch {
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_batch *next, *previous; /* open: by age; free, returned: next alone */
    uint64_t since_ns;                       /* when it was opened */
    uint64_t ended_before;                   /* messages to the peer that had ended then */
    bool is_unasked;                         /* without a session */
    uint32_t used, results, answer_bytes;
    _Alignas(8) unsigned char bytes[];
};

/* Of one worker. The lock guards all but returned, which is the worker's lock's, and comes before that
 * one. Whoever appends is its owner. */
struct sheaf_msg_batches {
    struct sheaf_owner_lock lock;
    uint32_t capacity, full;   /* of each, in bytes: for long entries, and for others */
    uint32_t most, made, open; /* how many there may be, are, are open */
    uint32_t appended; /* entries without a session since the last turn that appending took */
    struct sheaf_msg_batch *free, *oldest, *newest;
    uint64_t oldest_ns;        /* the oldest open one's since_ns, 0 without; read without the lock */
    uint64_t ended_seen;       /* the worker's ended when the open ones were last looked at; likewise */
    struct sheaf_msg_batch *returned;
};

/* Of all workers together: open ones, and of these the ones without a session. */
extern uint32_t sheaf_msg_open_batches, sheaf_msg_unasked_batches;

/* This thread has put something into a batch since it last sent all. */
extern __thread bool sheaf_msg_batch_is_mine __attribute__((tls_model("initial-exec")));

/* What a batch asks for comes back as one message. */
#define SHEAF_MSG_MOST_ANSWER SHEAF_TRANSPORT_FRAGMENT

static inline size_t sheaf_msg_words(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

/* Where the address of the place for result number i is. */
static inline unsigned char *sheaf_msg_batch_place(const struct sheaf_msg_batches *batches,
                                                   struct sheaf_msg_batch *batch, size_t i)
{
    return batch->bytes + batches->capacity - 8 * (i + 1);
}

/* batches.c, with the lock. Sends peer's batch, if it has one, and opens another; NULL where that cannot be
 * now: some are to come back first, or, with none made, there is no memory even for one. */
struct sheaf_msg_batch *sheaf_msg_batch_next(struct sheaf_msg_worker *worker,
                                             struct sheaf_msg_peer *peer);
void sheaf_msg_batch_send(struct sheaf_msg_worker *worker, struct sheaf_msg_batch *batch);
/* With the worker's lock: the message is sent, and what it asked for is here. */
void sheaf_msg_batch_take_back(struct sheaf_msg_operation *operation);

/* Likewise: after an entry for peer without a session. Sends what has nothing before it any more. */
void sheaf_msg_batch_move_on(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer);

#endif

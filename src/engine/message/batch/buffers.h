/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches: small operations of one worker that wait in a buffer until they travel to their peer in one
 * message, in a session, or because messages to the peer are under way (base/pace/pace.h). For batch.c,
 * which fills them, batches.c, which sends them, and serve_batch.c, which delivers the answers.
 */
#ifndef SHEAF_ENGINE_MESSAGE_BATCH_BUFFERS_H
#define SHEAF_ENGINE_MESSAGE_BATCH_BUFFERS_H

#include "base/os/owner_lock.h"
#include "engine/message/batch/batch.h"

/* Entries fill bytes from its start. Addresses for results fill it from its end backwards, a word each:
 * used + 8 * results <= capacity. The batch is open while it is a peer's batch. Then it belongs to the
 * message, until that is sent and its answer, if it has results, is here. Then it is free. */
struct sheaf_msg_batch {
    struct sheaf_msg_peer *peer;
    struct sheaf_msg_batch *next, *previous; /* open: by age; free, returned: next alone */
    uint64_t since_ns;                       /* time when it was opened */
    uint64_t ended_before;                   /* messages to the peer that had ended then */
    bool is_automatic;                         /* opened without a session */
    uint32_t used, results, answer_bytes;
    _Alignas(8) unsigned char bytes[];
};

/* The batches of one worker. The lock guards all except returned, which the worker's lock guards. This
 * lock is taken before that one. The thread that appends owns it. */
struct sheaf_msg_batches {
    struct sheaf_owner_lock lock;
    uint32_t capacity, full;   /* usable bytes of each buffer: for long entries, and for others */
    uint32_t most, made, open; /* number of buffers: allowed, made, open */
    uint32_t appended; /* entries without a session since appending last took a turn */
    struct sheaf_msg_batch *free, *oldest, *newest;
    uint64_t oldest_ns;        /* since_ns of the oldest open batch, 0: none is open; read without the
                                  lock */
    uint64_t ended_seen;       /* the worker's ended when the open batches were last checked; read without
                                  the lock */
    struct sheaf_msg_batch *returned;
};

/* Open batches of all workers, and those among them without a session. */
extern uint32_t sheaf_msg_open_batches, sheaf_msg_automatic_batches;

/* This thread has put an entry into a batch since it last sent all. */
extern __thread bool sheaf_msg_batch_is_mine __attribute__((tls_model("initial-exec")));

/* The results of a batch come back as one message. */
#define SHEAF_MSG_MOST_ANSWER SHEAF_TRANSPORT_FRAGMENT

static inline size_t sheaf_msg_words(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

/* The word that holds the address for result number i. */
static inline unsigned char *sheaf_msg_batch_result_address(const struct sheaf_msg_batches *batches,
                                                            struct sheaf_msg_batch *batch, size_t i)
{
    return batch->bytes + batches->capacity - 8 * (i + 1);
}

/* batches.c, with the lock. Sends peer's batch, if it has one, and opens another. NULL: buffers must come
 * back first or, if none was ever made, there is no memory for one. */
struct sheaf_msg_batch *sheaf_msg_batch_next(struct sheaf_msg_worker *worker,
                                             struct sheaf_msg_peer *peer);
void sheaf_msg_batch_send(struct sheaf_msg_worker *worker, struct sheaf_msg_batch *batch);
/* With the worker's lock: the message is sent, and its answer has arrived. */
void sheaf_msg_batch_take_back(struct sheaf_msg_operation *operation);

/* With the lock: called after an entry for peer without a session. Sends batches that no longer wait for a
 * message. */
void sheaf_msg_batch_move_on(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer);

#endif

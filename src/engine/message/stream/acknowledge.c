/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells peers that messages which they sent without asking for an answer have been carried out.
 */
#include "engine/message/stream/arrival.h"

#include "base/atomic.h"

#include <string.h>

uint64_t sheaf_msg_carried_out(void)
{
    return sheaf_load_acquire(&sheaf_msg_state.service->carried_out);
}

void sheaf_msg_count_writes(struct sheaf_msg_worker *worker, uint64_t writes)
{
    sheaf_store_release(&worker->carried_out, worker->carried_out + writes);
}

/* Adds a pending acknowledgement for the arrival. A turn sends one acknowledgement for all that it
 * brought. */
void sheaf_msg_add_pending_ack(const struct sheaf_msg_arrival *arrival, uint64_t writes)
{
    struct sheaf_msg_worker *worker = arrival->worker;
    sheaf_msg_count_writes(worker, writes);
    for (int i = 0; i < worker->pending_count; i++)
        if (worker->pending_acks[i].link == arrival->origin) {
            worker->pending_acks[i].count++;
            return;
        }
    if (worker->pending_count == SHEAF_MSG_PENDING_ACKS)
        sheaf_msg_acknowledge(worker);
    worker->pending_acks[worker->pending_count++] = (struct sheaf_msg_pending_acks){
        .link = arrival->origin, .pe = arrival->is_service ? arrival->pe : -1, .count = 1};
}

void sheaf_msg_acknowledge(struct sheaf_msg_worker *worker)
{
    int count = worker->pending_count;
    struct sheaf_msg_pending_acks pending[SHEAF_MSG_PENDING_ACKS];
    memcpy(pending, worker->pending_acks, sizeof pending);
    worker->pending_count = 0;
    sheaf_msg_settle_ack_bet(&worker->delayed);
    sheaf_fence_stores();
    for (int i = 0; i < count; i++) {
        struct sheaf_msg_operation *answer = sheaf_msg_operation_get(worker, NULL);
        answer->header.acknowledge = (struct sheaf_msg_acknowledge){pending[i].count};
        sheaf_msg_send_operation(answer, pending[i].link, SHEAF_MSG_ACKNOWLEDGE, NULL, 0);
    }
}

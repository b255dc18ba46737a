/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Telling peers that what they sent without asking for an answer has been carried out, and when the
 * program's own answer goes before that.
 */
#include "engine/message/stream/arrival.h"

#include "base/atomic.h"
#include "base/clock.h"

#include <string.h>

uint64_t sheaf_msg_carried_out(void)
{
    return sheaf_load_acquire(&sheaf_msg_state.service->carried_out);
}

void sheaf_msg_count_writes(struct sheaf_msg_worker *worker, uint64_t writes)
{
    sheaf_store_release(&worker->carried_out, worker->carried_out + writes);
}

/* One acknowledgement for all that a turn brought. */
void sheaf_msg_owe(const struct sheaf_msg_arrival *arrival, uint64_t writes)
{
    struct sheaf_msg_worker *worker = arrival->worker;
    sheaf_msg_count_writes(worker, writes);
    for (int i = 0; i < worker->owes; i++)
        if (worker->owed[i].link == arrival->origin) {
            worker->owed[i].count++;
            return;
        }
    if (worker->owes == SHEAF_MSG_PENDING_ACKS)
        sheaf_msg_acknowledge(worker);
    worker->owed[worker->owes++] = (struct sheaf_msg_pending_acks){
        .link = arrival->origin, .pe = arrival->is_service ? arrival->pe : -1, .count = 1};
}

/* An acknowledgement is a system call of 4 us between a put's arrival and its being seen. What is
 * held back goes with the first turn in which nothing arrives. Where a program computes instead of
 * answering, whoever waits for it waits until the program calls again, or until the thread looks. */
bool sheaf_msg_hold_back_acknowledgements(struct sheaf_msg_delayed_acks *delayed)
{
    if (!sheaf_pace_holds_back(&delayed->gamble, delayed->turns, sheaf_msg_thread_looks_in()))
        return false;
    if (delayed->turns++ == 0)
        delayed->since_ns = sheaf_clock_ns();
    return true;
}

static void judge(struct sheaf_msg_delayed_acks *delayed)
{
    if (delayed->turns == 0)
        return;
    delayed->turns = 0;
    sheaf_pace_held(&delayed->gamble, sheaf_clock_ns() - delayed->since_ns);
}

void sheaf_msg_acknowledge(struct sheaf_msg_worker *worker)
{
    int count = worker->owes;
    struct sheaf_msg_pending_acks owed[SHEAF_MSG_PENDING_ACKS];
    memcpy(owed, worker->owed, sizeof owed);
    worker->owes = 0;
    judge(&worker->delayed);
    sheaf_fence_stores();
    for (int i = 0; i < count; i++) {
        struct sheaf_msg_operation *answer = sheaf_msg_operation_get(worker, NULL);
        answer->header.acknowledge = (struct sheaf_msg_acknowledge){owed[i].count};
        sheaf_msg_send_operation(answer, owed[i].link, SHEAF_MSG_ACKNOWLEDGE, NULL, 0);
    }
}

static uint16_t take_owed(struct sheaf_msg_worker *worker, struct sheaf_msg_pending_acks *owed)
{
    uint16_t count = (uint16_t)(owed->count < UINT16_MAX ? owed->count : UINT16_MAX);
    owed->count -= count;
    if (owed->count == 0)
        *owed = worker->owed[--worker->owes];
    if (worker->owes == 0)
        judge(&worker->delayed);
    sheaf_fence_stores();
    return count;
}

uint16_t sheaf_msg_acknowledge_with(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer,
                                    const sheaf_transport_link *link)
{
    for (int i = 0; i < worker->owes; i++)
        if (peer ? worker->owed[i].pe == peer->pe : worker->owed[i].link == link)
            return take_owed(worker, &worker->owed[i]);
    return 0;
}

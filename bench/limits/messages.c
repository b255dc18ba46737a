/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ring of node/messages.c between two processes by plain loops: stores to a line, its number last.
 */
#include "limit.h"

#include "../messages.h"

static void send_messages(struct message_slot *ring, long count, uint64_t *sent)
{
    static char data[MESSAGE_DATA];
    static uint64_t seen;
    for (long i = 0; i < count; i++) {
        uint64_t number = ++*sent;
        struct message_slot *slot = &ring[number % MESSAGE_SLOTS];
        while (number - seen > MESSAGE_SLOTS)
            seen = (uint64_t)limit_load(&shared->ball);
        data[0] = (char)number;
        memcpy(slot->data, data, MESSAGE_DATA);
        __atomic_store_n(&slot->number, number, __ATOMIC_RELEASE);
    }
}

static void receive_messages(struct message_slot *ring, long count, uint64_t *received)
{
    for (long i = 0; i < count; i++) {
        uint64_t number = ++*received;
        struct message_slot *slot = &ring[number % MESSAGE_SLOTS];
        while (__atomic_load_n(&slot->number, __ATOMIC_ACQUIRE) != number)
            limit_pause();
        message_read(slot);
        if (number % MESSAGE_TOLD == 0)
            limit_store(&shared->ball, (long)number);
    }
}

int main(void)
{
    struct message_slot *ring = limit_memory(MESSAGE_SLOTS * sizeof *ring);
    limit_start_pair(0);
    struct bench_run run;
    uint64_t number = 0;
    for (bench_begin(&run, "ring of messages", 64); bench_batch(&run);) {
        if (bench_me == 0)
            receive_messages(ring, run.count, &number);
        else
            send_messages(ring, run.count, &number);
        bench_barrier();
    }
    return limit_end();
}

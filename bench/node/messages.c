/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of 64 bytes from all PEs to PE 0: each sender has a ring of cache lines there, of 56 bytes of data and a
 * signal that is the message's number. PE 0 reads the data, and tells each sender now and then how many it has
 * taken. The time is that of one message, of all senders together. OpenSHMEM 1.5.
 */
#include "../bench.h"

#if BENCH_HAS(1, 5)
#include "../messages.h"

static uint64_t taken[BENCH_MAX_PES]; /* [own PE]: how many of this PE's messages PE 0 has taken */

static void send_messages(struct message_slot *ring, long count, uint64_t *sent)
{
    static char data[MESSAGE_DATA];
    static uint64_t seen;
    for (long i = 0; i < count; i++) {
        uint64_t number = ++*sent;
        struct message_slot *slot = &ring[number % MESSAGE_SLOTS];
        if (number - seen > MESSAGE_SLOTS) {
            shmem_uint64_wait_until(&taken[bench_me], SHMEM_CMP_GE, number - MESSAGE_SLOTS);
            seen = taken[bench_me];
        }
        data[0] = (char)number;
        shmem_putmem_signal(slot->data, data, MESSAGE_DATA, &slot->number, number, SHMEM_SIGNAL_SET, 0);
    }
}

static void receive_messages(struct message_slot *rings, long count, uint64_t *received)
{
    for (long i = 0; i < count; i++) {
        uint64_t number = ++*received;
        for (int pe = 1; pe < bench_pes; pe++) {
            struct message_slot *slot = &rings[pe * MESSAGE_SLOTS + (int)(number % MESSAGE_SLOTS)];
            shmem_signal_wait_until(&slot->number, SHMEM_CMP_EQ, number);
            message_read(slot);
            if (number % MESSAGE_TOLD == 0)
                shmem_uint64_p(&taken[pe], number, pe);
        }
    }
}
#endif

int main(void)
{
    bench_start();
#if BENCH_HAS(1, 5)
    size_t ring = MESSAGE_SLOTS * sizeof(struct message_slot);
    struct message_slot *rings = bench_memory((size_t)bench_pes * ring);
    memset(rings, 0, (size_t)bench_pes * ring);
    bench_barrier();
    uint64_t number = 0;
    struct bench_run run;
    for (bench_begin(&run, "many-to-one messages", 64), run.parts = bench_pes > 1 ? bench_pes - 1 : 1; bench_batch(&run);) {
        if (bench_me == 0)
            receive_messages(rings, run.count, &number);
        else
            send_messages(rings + bench_me * MESSAGE_SLOTS, run.count, &number);
        bench_barrier();
    }
#endif
    bench_end();
}

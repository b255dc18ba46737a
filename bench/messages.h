/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ring of messages that node/messages.c and limits/messages.c have in common.
 */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stdint.h>

#define MESSAGE_DATA  56
#define MESSAGE_SLOTS 256
#define MESSAGE_TOLD  (MESSAGE_SLOTS / 4)

struct message_slot {
    _Alignas(64) uint64_t number; /* written last */
    char data[MESSAGE_DATA];
};

static inline void message_read(const struct message_slot *slot)
{
    const uint64_t *words = (const void *)slot->data;
    uint64_t sum = 0;
    for (int i = 0; i < MESSAGE_DATA / 8; i++)
        sum += words[i];
    BENCH_KEEP(sum);
}

#endif

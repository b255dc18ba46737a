/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of collectives: who sends what to whom is planned by all alike, from a seed. Each PE posts its
 * sends and its receives in the plan's order, some at a time.
 */
#include "protocol.h"

#include <string.h>

#define MOST_LETTERS 8

static struct letter {
    int from, to;
    uint64_t tag, number;
    size_t bytes, sent_left, received_left;
    unsigned char *source, *dest;
} letters[MOST_LETTERS];
static int count, sends, receives; /* planned; looked at, by either */

static size_t some_size(uint64_t *plan)
{
    static const size_t sizes[] = {0, 1, 8, 9, 3000, 65408, 65409, 200000};
    if (is_big && below(plan, 6) == 0)
        return SHEAF_MESSAGE_ASKS - 1 + below(plan, 100000);
    return below(plan, is_big ? 8 : 5) < 5 ? below(plan, 2000) : sizes[below(plan, 8)];
}

void messages_begin(uint64_t plan)
{
    count = (int)below(&plan, MOST_LETTERS + 1);
    sends = receives = 0;
    for (int i = 0; i < count; i++)
        letters[i] = (struct letter){.from = (int)below(&plan, (uint64_t)pes),
                                     .to = (int)below(&plan, (uint64_t)pes),
                                     .tag = below(&plan, 3) ? below(&plan, 2) : test_random(&plan),
                                     .number = test_random(&plan),
                                     .bytes = some_size(&plan)};
}

static void send(struct letter *letter)
{
    if (letter->from != me)
        return;
    letter->source = malloc(letter->bytes + 1);
    fill(letter->source, letter->bytes, letter->number);
    engine->send(letter->to, letter->tag, (uint32_t)letter->number, letter->source, letter->bytes, &letter->sent_left);
}

static void receive(struct letter *letter)
{
    if (letter->to != me)
        return;
    letter->dest = malloc(letter->bytes + 1);
    engine->receive(letter->from, letter->tag, (uint32_t)letter->number, letter->dest, letter->bytes,
                    &letter->received_left);
}

static void look_at(struct letter *letter)
{
    if (letter->source && __atomic_load_n(&letter->sent_left, __ATOMIC_ACQUIRE) == 0) {
        memset(letter->source, 0xee, letter->bytes);
        free(letter->source);
        letter->source = NULL;
    }
    if (letter->dest && __atomic_load_n(&letter->received_left, __ATOMIC_ACQUIRE) == 0) {
        REQUIRE(is_filled(letter->dest, letter->bytes, letter->number), "%zu bytes of PE %d, tag %lu",
                letter->bytes, letter->from, (unsigned long)letter->tag);
        free(letter->dest);
        letter->dest = NULL;
    }
}

void messages_go_on(void)
{
    if (sends < count && below(&chance, 2))
        send(&letters[sends++]);
    if (receives < count && below(&chance, 2))
        receive(&letters[receives++]);
    for (int i = 0; i < count; i++)
        look_at(&letters[i]);
}

void messages_finish(void)
{
    while (sends < count)
        send(&letters[sends++]);
    while (receives < count)
        receive(&letters[receives++]);
    for (int i = 0; i < count; i++)
        while (letters[i].source || letters[i].dest) {
            turn(0);
            look_at(&letters[i]);
        }
}

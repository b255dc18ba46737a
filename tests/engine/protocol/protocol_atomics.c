/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations at random: on words that one PE alone changes, where each result is known; on counters
 * that all change in ways whose order does not matter; on counters that never give a number twice.
 */
#include "protocol.h"

#include "engine/message/message.h"

#include <string.h>

/* Counters, in bytes from their begin; by the network alone in the data and the heap. */
enum {
    ADDED = 0,
    OR = 16,
    AND = 24,
    XOR = 32,
    TICKETS = 40,
    BY_NETWORK = 48,
};

static uint64_t value_after(const struct sheaf_amo_call *call, uint64_t before)
{
    switch (call->operation) {
    case SHEAF_AMO_FETCH:
        return before;
    case SHEAF_AMO_SET:
    case SHEAF_AMO_SWAP:
        return call->operand;
    case SHEAF_AMO_ADD:
        return before + call->operand;
    case SHEAF_AMO_AND:
        return before & call->operand;
    case SHEAF_AMO_OR:
        return before | call->operand;
    case SHEAF_AMO_XOR:
        return before ^ call->operand;
    case SHEAF_AMO_COMPARE_SWAP:
        return before == call->compare ? call->operand : before;
    }
    return before;
}

static bool has_result(enum sheaf_amo operation)
{
    return operation == SHEAF_AMO_FETCH || operation == SHEAF_AMO_SWAP ||
           operation == SHEAF_AMO_COMPARE_SWAP;
}

/* The model changes at once; what the object held before is what is expected. */
static struct flight *begin(struct flight *next, struct sheaf_amo_call *call)
{
    uint64_t before = 0;
    next->bytes = next->buffer_bytes = call->bytes;
    struct flight *flight = flights_add(next);
    unsigned char *word = model_of(next->pe, next->region) + next->at;
    memcpy(&before, word, call->bytes);
    if (call->operation == SHEAF_AMO_COMPARE_SWAP && below(&chance, 2))
        call->compare = before;
    uint64_t after = value_after(call, before);
    memcpy(word, &after, call->bytes);
    if (next->reads) {
        flight->expected = malloc(call->bytes);
        memcpy(flight->expected, &before, call->bytes);
    }
    return flight;
}

bool network_has(enum region region, const struct sheaf_amo_call *call)
{
    char why[200];
    sheaf_amo_set native = engine->native_atomics(why, sizeof why);
    return region != IN_SPACE && sheaf_amo_way(native, call->operation, call->bytes) == SHEAF_AMO_NATIVE;
}

/* Every second word is the network's, where it has the operation, and nobody else's. */
static bool is_by_network(enum region region, const struct sheaf_amo_call *call, unsigned word)
{
    return word % 2 && network_has(region, call);
}

static void change_own_word(void)
{
    unsigned word = (unsigned)below(&chance, WORDS / 8);
    struct sheaf_amo_call call = {.operation = (enum sheaf_amo)below(&chance, SHEAF_AMOS),
                                  .bytes = below(&chance, 2) ? 8 : 4,
                                  .operand = test_random(&chance),
                                  .compare = test_random(&chance)};
    struct flight next = {.context = (int)below(&chance, (uint64_t)contexts),
                          .pe = (int)below(&chance, (uint64_t)pes),
                          .region = (enum region)below(&chance, REGIONS),
                          .writes = true,
                          .at = WORDS_AT + (size_t)me * WORDS + 8 * word};
    call.by_network = is_by_network(next.region, &call, word);
    if (word % 2 && !call.by_network)
        return;
    next.reads = has_result(call.operation) || (call.operation != SHEAF_AMO_SET && below(&chance, 2));
    struct flight *flight = begin(&next, &call);
    call.object = here(next.region, next.at);
    START(next.context, amo, next.pe, &call, next.reads ? flight->buffer : NULL, flight_left(flight));
    flights_started(flight);
}

/* Without a result, by everybody. */
static void change_counter(void)
{
    static const struct {
        enum sheaf_amo operation;
        size_t at;
    } counters[] = {{SHEAF_AMO_ADD, ADDED}, {SHEAF_AMO_OR, OR}, {SHEAF_AMO_AND, AND}, {SHEAF_AMO_XOR, XOR},
                    {SHEAF_AMO_ADD, BY_NETWORK}};
    size_t which = below(&chance, 5);
    struct sheaf_amo_call call = {.operation = counters[which].operation,
                                  .bytes = 8,
                                  .operand = below(&chance, 2) ? 1 : test_random(&chance)};
    struct flight next = {.context = (int)below(&chance, (uint64_t)contexts),
                          .pe = (int)below(&chance, (uint64_t)pes),
                          .region = (enum region)below(&chance, REGIONS),
                          .at = COUNTERS_AT + counters[which].at,
                          .bytes = 8,
                          .buffer_bytes = 8};
    call.by_network = counters[which].at == BY_NETWORK;
    if (call.by_network && !is_by_network(next.region, &call, 1))
        return;
    struct flight *flight = flights_add(&next);
    uint64_t *word = (uint64_t *)(void *)(model_of(next.pe, next.region) + next.at);
    model_lock();
    *word = value_after(&call, *word);
    model_unlock();
    call.object = here(next.region, next.at);
    START(next.context, amo, next.pe, &call, NULL, flight_left(flight));
    flights_started(flight);
}

static void take_ticket(void)
{
    int context = (int)below(&chance, (uint64_t)contexts), pe = (int)below(&chance, (uint64_t)pes);
    struct sheaf_amo_call call = {.operation = SHEAF_AMO_ADD,
                                  .bytes = 8,
                                  .object = here(IN_HEAP, COUNTERS_AT + TICKETS),
                                  .operand = 1};
    uint64_t number = UINT64_MAX;
    uint64_t *word = (uint64_t *)(void *)(model_of(pe, IN_HEAP) + COUNTERS_AT + TICKETS);
    size_t left = 0;
    __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
    START(context, amo, pe, &call, &number, &left);
    wait_for(context, &left);
    tickets_take(pe, number);
}

void operate_atomically(void)
{
    static void (*const kinds[])(void) = {change_own_word, change_own_word, change_counter, take_ticket};
    kinds[below(&chance, 4)]();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE owes travels with the next message to whom it owes it: with a put to the same PE's service worker, or with
 * an answer to the same worker; never to another worker of that PE. PE 1 holds its own worker and takes turns of the
 * transport alone, so that nothing else tells PE 0; messages are counted by their kind. And a put that travels in
 * two messages is told of once, as are an accumulate and a strided put whose blocks travel by themselves. Signals
 * between which the program waits are told of where it asks.
 * Usage: acknowledge message|answer|context|parts|blocks|signals
 */
#include "harness.h"

#include "engine/message/engine.h"
#include "engine/message/stream/wire.h"
#include "engine/ucx/ucx.h"

#include <string.h>

static uint64_t sent[SHEAF_MSG_KINDS];
static sheaf_engine_context *context; /* PE 0's */

static void count_and_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    const struct sheaf_msg_envelope *envelope = message->header;
    __atomic_fetch_add(&sent[envelope->common.kind], 1, __ATOMIC_RELAXED);
    sheaf_transport_ucx.send(link, message);
}

static struct sheaf_transport sheaf_transport_counting;
SHEAF_ENGINE_OVER(counting);

static struct sheaf_msg_worker *mine(void)
{
    return sheaf_msg_worker_of(NULL);
}

/* With the lock, on PE 1: until so many more writes have arrived, and nothing is told. */
static void take_writes(uint64_t writes)
{
    uint64_t before = engine->carried_out();
    while (engine->carried_out() < before + writes)
        sheaf_msg_state.transport->turn(mine()->port);
}

/* With the lock: a put to PE 0, which waits for it. */
static void put_back(void)
{
    static const uint64_t one = 1;
    const struct sheaf_msg_deferred put = {sheaf_msg_peer_known(mine(), 0), data, &one, sizeof one, false};
    sheaf_msg_start_put(mine(), &put, NULL);
}

static void await_put(void)
{
    while (__atomic_load_n((uint64_t *)(void *)data, __ATOMIC_ACQUIRE) == 0)
        engine->progress(false);
}

static bool is_all_told(sheaf_engine_context *of)
{
    struct sheaf_pace_traffic traffic = sheaf_msg_traffic(sheaf_msg_peer_known(sheaf_msg_worker_of(of), 1));
    return traffic.started == traffic.ended;
}

/* The two know each other, and nothing is under way. */
static void begin(void)
{
    uint64_t word = 5;
    context = me == 0 ? engine->context_create(false) : NULL;
    far_put(NULL, !me, heap, &word, sizeof word);
    far_quiet(NULL, SHEAF_EVERY_PE);
    if (me == 0) {
        far_put(context, 1, heap, &word, sizeof word);
        far_quiet(context, SHEAF_EVERY_PE);
    }
    barrier();
    if (me == 1)
        sheaf_msg_lock_only(mine());
    barrier();
    memset(sent, 0, sizeof sent);
}

static void put_words(sheaf_engine_context *to, int count)
{
    uint64_t word = 7;
    for (int i = 0; i < count; i++)
        far_put(to, 1, heap, &word, sizeof word);
}

/* PE 1 lets go once PE 0 has seen that it was told, and has sent no message for that. */
static void end(void)
{
    barrier();
    if (me == 1)
        sheaf_msg_unlock(mine());
    REQUIRE(me == 0 || sent[SHEAF_MSG_ACKNOWLEDGE] == 0, "%lu acknowledgements by themselves",
            (unsigned long)sent[SHEAF_MSG_ACKNOWLEDGE]);
    barrier();
}

static void with_message(void)
{
    begin();
    if (me == 0) {
        put_words(NULL, 2);
        await_put();
        REQUIRE(is_all_told(NULL), "the put came without what is owed");
    } else {
        take_writes(2);
        REQUIRE(mine()->pending_count == 1, "%d are owed", mine()->pending_count);
        put_back();
        REQUIRE(mine()->pending_count == 0, "still owed");
    }
    end();
}

static void with_answer(void)
{
    uint64_t word = 0;
    begin();
    if (me == 0) {
        put_words(NULL, 2);
        far_get(NULL, 1, &word, heap, sizeof word);
        REQUIRE(word == 7 && is_all_told(NULL), "the answer came without what is owed");
    } else {
        while (sent[SHEAF_MSG_RESULT] == 0)
            sheaf_msg_state.transport->turn(mine()->port);
        REQUIRE(mine()->pending_count == 0, "still owed");
    }
    end();
}

/* A put goes to the service worker, an answer to the context's. */
static void with_context(void)
{
    uint64_t word = 0;
    begin();
    if (me == 0) {
        put_words(context, 2);
        await_put();
        REQUIRE(!is_all_told(context) && is_all_told(NULL), "the put told another worker");
        far_get(context, 1, &word, heap, sizeof word);
        REQUIRE(word == 7 && is_all_told(context), "the answer came without what is owed");
    } else {
        take_writes(2);
        put_back();
        REQUIRE(mine()->pending_count == 1, "a context's writes were told to the service worker");
        while (sent[SHEAF_MSG_RESULT] == 0)
            sheaf_msg_state.transport->turn(mine()->port);
        REQUIRE(mine()->pending_count == 0, "still owed");
    }
    end();
}

static void add(const void *source, size_t bytes)
{
    const double one = 1;
    struct sheaf_row row = {heap, source, {.block_bytes = bytes, .count = 1}};
    struct sheaf_rows rows = {&row, 1};
    struct sheaf_scale scale = {.number = SHEAF_DOUBLE};
    size_t left = 0;
    memcpy(scale.alpha, &one, sizeof one);
    while (!engine->put_rows(NULL, 1, &rows, &scale, false, &left))
        engine->progress(false);
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) > 0)
        engine->progress(false);
}

/* Over TCP the last 16 KiB of a put of 64 KiB are a message of their own. */
static void send_in_parts(const char *bytes)
{
    far_put(NULL, 1, heap, bytes, sheaf_ucx_has_devices() ? 70000 : 65536);
    REQUIRE(sent[SHEAF_MSG_PUT_PART] == 2 && sent[SHEAF_MSG_PUT] == 2, "a put: %lu and %lu messages",
            (unsigned long)sent[SHEAF_MSG_PUT_PART], (unsigned long)sent[SHEAF_MSG_PUT]);
    add(bytes, sheaf_msg_state.longest_whole + 80);
    REQUIRE(sent[SHEAF_MSG_ADD_PART] == 1 && sent[SHEAF_MSG_ADD] == 1, "an accumulate: %lu and %lu messages",
            (unsigned long)sent[SHEAF_MSG_ADD_PART], (unsigned long)sent[SHEAF_MSG_ADD]);
    far_quiet(NULL, SHEAF_EVERY_PE);
}

/* A put of a little more than the longest message is two. */
static void with_parts(void)
{
    static char bytes[SHEAF_UCX_LONGEST + 100];
    REQUIRE(sheaf_ucx_has_devices() || sheaf_msg_state.longest >= 65536, "a message has %zu bytes",
            sheaf_msg_state.longest);
    begin();
    if (me == 0) {
        far_put(NULL, 1, heap, bytes, sheaf_msg_state.longest + 100);
        far_quiet(NULL, SHEAF_EVERY_PE);
        barrier();
        send_in_parts(bytes);
        barrier();
        return;
    }
    for (uint64_t writes = engine->carried_out() + 2; engine->carried_out() < writes;)
        sheaf_msg_turn(mine(), false);
    uint64_t told = sent[SHEAF_MSG_ACKNOWLEDGE];
    sheaf_msg_unlock(mine());
    barrier();
    REQUIRE(told == 1, "%lu acknowledgements of a put", (unsigned long)told);
    barrier();
}

/* Of large blocks, and of small ones that fill less than the longest message. */
static void put_blocks(size_t block, size_t count)
{
    static char bytes[500000];
    const struct sheaf_blocks blocks = {2 * (ptrdiff_t)block, 2 * (ptrdiff_t)block, block, count};
    memset(bytes, (int)count, sizeof bytes);
    begin();
    if (me == 1)
        sheaf_msg_unlock(mine());
    else {
        const struct sheaf_msg_peer *peer = sheaf_msg_peer_known(mine(), 1);
        uint64_t before = sheaf_msg_traffic(peer).started;
        far_put_row(NULL, 1, heap, bytes, &blocks);
        uint64_t counted = sheaf_msg_traffic(peer).started - before;
        REQUIRE(counted == 1, "%lu messages are acknowledged for %zu blocks", (unsigned long)counted, count);
        far_quiet(NULL, 1);
    }
    barrier();
    for (size_t i = 0; me == 1 && i < count; i++)
        REQUIRE(memcmp(heap + 2 * i * block, bytes, block) == 0, "block %zu is not stored", i);
    barrier();
}

/* The last block's acknowledgement proves the others; packed blocks are one message. */
static void with_blocks(void)
{
    put_blocks(40000, 5);
    if (!sheaf_ucx_has_devices())
        put_blocks(1024, 200);
}

static void set_signal(uint64_t value)
{
    const struct sheaf_amo_call set = {
        .operation = SHEAF_AMO_SET, .bytes = 8, .object = heap, .operand = value};
    far_amo(context, 1, &set, NULL);
}

static void send_signals(void)
{
    for (uint64_t i = 1; i <= 10; i++) {
        set_signal(i);
        engine->progress(false);
    }
    REQUIRE(sent[SHEAF_MSG_AMO] == 2 && sent[SHEAF_MSG_AMO_PART] == 8, "%lu and %lu signals",
            (unsigned long)sent[SHEAF_MSG_AMO], (unsigned long)sent[SHEAF_MSG_AMO_PART]);
    for (int i = 1; i <= 2; i++) {
        far_quiet(context, SHEAF_EVERY_PE);
        REQUIRE(sent[SHEAF_MSG_ASK] == 1 && is_all_told(context), "%lu questions by the quiet",
                (unsigned long)sent[SHEAF_MSG_ASK]);
    }
    for (uint64_t i = 11; i <= 20; i++)
        set_signal(i);
    REQUIRE(sent[SHEAF_MSG_AMO] == 10 && sent[SHEAF_MSG_AMO_PART] == 10, "a burst: %lu and %lu signals",
            (unsigned long)sent[SHEAF_MSG_AMO], (unsigned long)sent[SHEAF_MSG_AMO_PART]);
    far_quiet(context, 1);
    REQUIRE(sent[SHEAF_MSG_ASK] == 1 && is_all_told(context), "a counted signal was the last");
}

/* A quiet asks where signals were not counted: then PE 1 has the last one. */
static void with_signals(void)
{
    begin();
    if (me == 0) {
        send_signals();
        barrier();
        return;
    }
    for (uint64_t writes = engine->carried_out() + 20; engine->carried_out() < writes;)
        sheaf_msg_turn(mine(), false);
    uint64_t value = __atomic_load_n((uint64_t *)(void *)heap, __ATOMIC_ACQUIRE);
    sheaf_msg_unlock(mine());
    barrier();
    REQUIRE(value == 20, "the last signal is %lu", (unsigned long)value);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "message";
    sheaf_transport_counting = sheaf_transport_ucx;
    sheaf_transport_counting.send = count_and_send;
    engine = &sheaf_engine_counting;
    return run_pes(2, strcmp(what, "answer") == 0    ? with_answer
                      : strcmp(what, "context") == 0 ? with_context
                      : strcmp(what, "parts") == 0   ? with_parts
                      : strcmp(what, "blocks") == 0  ? with_blocks
                      : strcmp(what, "signals") == 0 ? with_signals
                                                     : with_message);
}

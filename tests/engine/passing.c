/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which long data may be written before that of messages in front of it: none from before the last fence, whether it
 * was sent at once, in pieces, with a signal, or left to the thread; and an answer always. Random operations
 * on three peers, over a transport that carries nothing. Arguments: operations, seed.
 */
#include "nothing.h"

#include "random.h"

#include "engine/message/message.h"
#include "engine/message/serve/serve.h"

#define PES     3
#define LONGEST (4 * SHEAF_TRANSPORT_FRAGMENT)
#define MEMORY  (3 * LONGEST)
#define KEY     {17, 19}

static uint64_t state;
static _Alignas(8) unsigned char image[MEMORY], symmetric_heap[MEMORY];
static struct sheaf_msg_worker *worker;
static uint64_t fences = 1, passed, held, answered;

/* Of a peer: fences before the last piece that the program has issued, and what the pieces under way are to say. */
#define MOST_PIECES 256
static struct {
    uint64_t fences;
    bool may_pass[MOST_PIECES];
    size_t issued, sent;
} peers[PES];

static uint64_t below(uint64_t limit)
{
    return test_random_below(&state, limit);
}

static __attribute__((noreturn)) void fail(int pe, const char *why)
{
    REQUIRE(false, "PE %d: %s", pe, why);
    exit(1);
}

static void look(const struct sheaf_msg_operation *operation, const struct sheaf_transport_message *message)
{
    REQUIRE(message->bytes > SHEAF_TRANSPORT_FRAGMENT || !message->may_pass, "%zu bytes", message->bytes);
    if (message->bytes <= SHEAF_TRANSPORT_FRAGMENT)
        return;
    if (!operation->peer) {
        REQUIRE(message->may_pass, "an answer waits");
        answered++;
        return;
    }
    int pe = operation->peer->pe;
    size_t piece = peers[pe].sent++;
    REQUIRE(piece < peers[pe].issued, "PE %d: more than was issued", pe);
    REQUIRE(peers[pe].may_pass[piece] == message->may_pass,
            "PE %d: a piece may %spass what is in front of it", pe,
            message->may_pass ? "" : "not ");
    passed += message->may_pass;
    held += !message->may_pass;
}

/* In program order, whenever they are sent. */
static void expect(int pe, size_t bytes)
{
    if (peers[pe].sent == peers[pe].issued)
        peers[pe].sent = peers[pe].issued = 0;
    for (size_t at = 0; at < bytes; at += LONGEST) {
        if (bytes - at <= SHEAF_TRANSPORT_FRAGMENT)
            continue;
        REQUIRE(peers[pe].issued < MOST_PIECES, "so much is left to the thread");
        peers[pe].may_pass[peers[pe].issued++] = peers[pe].fences == fences;
        peers[pe].fences = fences;
    }
}

/* Nonblocking ones are left to the thread, or not. */
static void put(int pe)
{
    size_t bytes = 1 + below(below(2) ? MEMORY : 2 * SHEAF_TRANSPORT_FRAGMENT), left = 0;
    worker->puts = (struct sheaf_bet){.credit = below(2), .left = SIZE_MAX};
    expect(pe, bytes);
    REQUIRE(sheaf_msg_put(NULL, pe, symmetric_heap, image, bytes, below(2) ? &left : NULL), "a put waits");
}

static void put_signal(int pe)
{
    const struct sheaf_signal_call signal = {(uint64_t *)(void *)image, 1, false};
    size_t bytes = below(MEMORY + 1), left = 0;
    expect(pe, bytes);
    REQUIRE(sheaf_msg_put_signal(NULL, pe, symmetric_heap, image, bytes, &signal, &left), "a put waits");
}

static void fence(int pe)
{
    (void)pe;
    sheaf_msg_fence(NULL);
    fences++;
}

/* Somebody calls: what is left to the thread goes. */
static void call(int pe)
{
    (void)pe;
    sheaf_msg_enter(worker);
    sheaf_msg_unlock(worker);
}

static void answer(int pe)
{
    const struct sheaf_msg_envelope asks = {
        .common = {.key = KEY, .origin = (uint32_t)pe, .kind = SHEAF_MSG_GET},
        .header.get = {77, (uintptr_t)image, 1 + below(MEMORY)}};
    const struct sheaf_transport_arrival arrival = {
        .header = &asks,
        .header_bytes = sizeof asks.common + sheaf_msg_header_size[SHEAF_MSG_GET],
        .origin = sheaf_msg_peer_at(worker, pe)->link};
    sheaf_msg_arrived(worker, &arrival);
}

int main(int argc, char **argv)
{
    static void (*const operations[])(int) = {put, put, put, put_signal, fence, fence, call, answer};
    long count = argc > 1 ? atol(argv[1]) : 20000;
    state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    nothing.longest = LONGEST;
    nothing.sending = look;
    worker = nothing_start((struct sheaf_engine_job){
        .npes = PES, .key = KEY, .failed = fail, .host_failed = fail,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)image, MEMORY},
                     [SHEAF_SEGMENT_HEAP] = {(char *)symmetric_heap, MEMORY}}});
    sheaf_msg_state.has_thread = true; /* which never comes: call() sends what is left to it */
    for (int pe = 0; pe < PES; pe++)
        peers[pe].fences = fences;
    for (long i = 0; i < count; i++)
        operations[below(sizeof operations / sizeof operations[0])]((int)below(PES));
    call(0);
    for (int pe = 0; pe < PES; pe++)
        REQUIRE(peers[pe].sent == peers[pe].issued, "PE %d: not all is sent", pe);
    printf("%llu pieces might pass others, %llu not, %llu were answers\n", (unsigned long long)passed,
           (unsigned long long)held, (unsigned long long)answered);
    REQUIRE(passed > 100 && held > 100 && answered > 100, "one-sided");
    return 0;
}

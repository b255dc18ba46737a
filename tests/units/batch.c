/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine/message/batch/batch.c without a network: the entries of a batch word by word, as wire.h says that they are, what
 * does not go into one, and when the next batch begins. A batch that is sent is kept.
 */
#include "unit.h"

#include "engine/message/batch/buffers.h"

#define CAPACITY 2048
#define SHIFT    0x10000000u /* from local to the peer's addresses */

/* What batch.c needs of others. */
struct sheaf_msg_state sheaf_msg_state;
static struct sheaf_msg_worker worker;
static struct sheaf_msg_batches batches = {.capacity = CAPACITY, .full = CAPACITY};
static struct sheaf_msg_peer peer;
static int sent, moves;
static bool is_out_of_memory;

struct sheaf_msg_peer *sheaf_msg_peer_at(struct sheaf_msg_worker *of, int pe)
{
    CHECK(of == &worker && pe == 7);
    return &peer;
}

struct sheaf_msg_peer *sheaf_msg_peer_known(struct sheaf_msg_worker *of, int pe)
{
    return sheaf_msg_peer_at(of, pe);
}

void sheaf_msg_batch_send(struct sheaf_msg_worker *of, struct sheaf_msg_batch *batch)
{
    CHECK(of == &worker && batch == peer.batch);
    sent++;
    peer.batch = NULL;
}

void sheaf_msg_batch_move_on(struct sheaf_msg_worker *of, const struct sheaf_msg_peer *to)
{
    CHECK(of == &worker && to == &peer && !worker.is_batching);
    moves++;
}

void sheaf_owner_lock_wait(struct sheaf_owner_lock *lock)
{
    CHECK(lock == &batches.lock && !"nobody else wants it");
}

struct sheaf_msg_batch *sheaf_msg_batch_next(struct sheaf_msg_worker *of, struct sheaf_msg_peer *to)
{
    static union {
        struct sheaf_msg_batch batch;
        unsigned char room[sizeof(struct sheaf_msg_batch) + CAPACITY];
    } made[2];
    static int turn;
    CHECK(of == &worker && to == &peer);
    if (peer.batch)
        sheaf_msg_batch_send(of, peer.batch);
    if (is_out_of_memory)
        return NULL;
    turn ^= 1;
    memset(&made[turn], 0xee, sizeof made[turn]);
    made[turn].batch.used = made[turn].batch.results = made[turn].batch.answer_bytes = 0;
    return peer.batch = &made[turn].batch;
}

/* The next word that was written since the last look. */
static size_t looked;
static uint64_t word(void)
{
    uint64_t value;
    CHECK(peer.batch && looked + 8 <= peer.batch->used);
    memcpy(&value, peer.batch->bytes + looked, 8);
    looked += 8;
    return value;
}

static bool is_whole(void)
{
    return looked == peer.batch->used;
}

static uint64_t head(unsigned what, const void *object)
{
    return (uint64_t)what << 48 | ((uint64_t)(uintptr_t)object + SHIFT);
}

static void begin(void)
{
    peer.batch = NULL;
    sent = 0;
    looked = 0;
    sheaf_msg_batch_is_mine = false;
}

static char object[4096];
static bool started;

static void check_puts(void)
{
    static const char text[] = "abcdefghijk";
    uint64_t value = UINT64_C(0x0123456789abcdef), rest = 0;
    begin();
    CHECK(sheaf_msg_batch_put(&worker, 7, object, &value, 8, &started));
    CHECK(word() == head(7, object) && word() == value && is_whole() && sheaf_msg_batch_is_mine);
    CHECK(sheaf_msg_batch_put(&worker, 7, object + 3, text, 11, &started));
    CHECK(word() == head(10, object + 3));
    CHECK(memcmp(peer.batch->bytes + looked, text, 11) == 0);
    looked += 16;
    CHECK(is_whole());
    CHECK(sheaf_msg_batch_put(&worker, 7, object, text, 1, &started));
    CHECK(word() == head(0, object));
    rest = word();
    CHECK((rest & 0xff) == 'a' && is_whole());
    CHECK(peer.batch->results == 0 && peer.batch->answer_bytes == 0 && sent == 0);
}

/* Results' addresses stand at the end, the first one last. */
static void *place(unsigned i)
{
    void *address;
    memcpy(&address, peer.batch->bytes + CAPACITY - 8 * (i + 1), 8);
    return address;
}

static void check_results(void)
{
    char result[20];
    uint64_t old;
    const struct sheaf_amo_call fetch = {SHEAF_AMO_FETCH, 8, object, 0, 0, false};
    begin();
    CHECK(sheaf_msg_batch_get(&worker, 7, result, object + 1, 20, &started));
    CHECK(word() == head(0x1000 | 19, object + 1) && is_whole());
    CHECK(peer.batch->results == 1 && peer.batch->answer_bytes == 24 && place(0) == result);
    CHECK(sheaf_msg_batch_amo(&worker, 7, &fetch, &old, &started));
    CHECK(word() == head(0x2000 | SHEAF_AMO_FETCH | 0x28, object) && is_whole());
    CHECK(peer.batch->results == 2 &&
          peer.batch->answer_bytes == 32 && place(1) == &old && place(0) == result);
}

static void check_atomics(void)
{
    const struct sheaf_amo_call one = {SHEAF_AMO_ADD, 8, object, 1, 0, false};
    const struct sheaf_amo_call set = {SHEAF_AMO_SET, 4, object + 4, 77, 0, false};
    const struct sheaf_amo_call swap = {SHEAF_AMO_COMPARE_SWAP, 4, object, 5, 6, false};
    uint32_t old;
    begin();
    CHECK(sheaf_msg_batch_amo(&worker, 7, &one, NULL, &started));
    CHECK(word() == head(0x2000 | SHEAF_AMO_ADD | 0x18, object) && is_whole());
    CHECK(sheaf_msg_batch_amo(&worker, 7, &set, NULL, &started));
    CHECK(word() == head(0x2000 | SHEAF_AMO_SET, object + 4) && word() == 77 && is_whole());
    CHECK(sheaf_msg_batch_amo(&worker, 7, &swap, &old, &started));
    CHECK(word() == head(0x2000 | SHEAF_AMO_COMPARE_SWAP | 0x20, object) && word() == 5 && word() == 6);
    CHECK(is_whole() && peer.batch->answer_bytes == 8);
}

/* The signal comes behind the data. */
static void check_signal(void)
{
    const struct sheaf_signal_call add = {(uint64_t *)(void *)(object + 8), 3, true};
    const struct sheaf_signal_call set = {(uint64_t *)(void *)(object + 8), 1, false};
    begin();
    CHECK(sheaf_msg_batch_put_signal(&worker, 7, object, "12345678", 8, &add, &started));
    CHECK(word() == head(7, object) && word() == UINT64_C(0x3837363534333231));
    CHECK(word() == head(0x2000 | SHEAF_AMO_ADD | 8, object + 8) && word() == 3 && is_whole());
    CHECK(sheaf_msg_batch_put_signal(&worker, 7, NULL, NULL, 0, &set, &started));
    CHECK(word() == head(0x2000 | SHEAF_AMO_SET | 0x18, object + 8) && is_whole());
}

static void check_blocks(void)
{
    const struct sheaf_row row = {object + 64, "ab.cd.ef", {-16, 3, 2, 3}};
    const struct sheaf_row many = {object, object, {8, 8, 8, 33}};
    begin();
    CHECK(sheaf_msg_batch_put_row(&worker, 7, &row, &started));
    CHECK(word() == head(1, object + 64) && (word() & 0xffff) == 0x6261);
    CHECK(word() == head(1, object + 48) && (word() & 0xffff) == 0x6463);
    CHECK(word() == head(1, object + 32) && (word() & 0xffff) == 0x6665 && is_whole() && sent == 0);
    CHECK(!sheaf_msg_batch_put_row(&worker, 7, &many, &started) && sent == 1);
}

/* What goes as a message of its own is not to overtake what waits. */
static void check_not_batched(void)
{
    const char *beyond = (const char *)(uintptr_t)(UINT64_C(1) << 48);
    begin();
    CHECK(sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started));
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, object, 1025, &started) && sent == 1);
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, object, 1025, &started) && sent == 1);
    CHECK(sheaf_msg_batch_put(&worker, 7, object, object, 1024, &started) && sent == 1);
    CHECK(!sheaf_msg_batch_get(&worker, 7, object, beyond, 8, &started) && sent == 2);
    CHECK(sheaf_msg_batch_get(&worker, 7, object, object, 1024, &started) && sent == 2);
    CHECK(!sheaf_msg_batch_get(&worker, 7, object, object, 1025, &started) && sent == 3);
    worker.is_batching = false;
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started) && peer.batch == NULL);
    worker.is_batching = true;
    is_out_of_memory = true;
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started));
    batches.made = 1; /* all are under way: the caller is to try again */
    CHECK(sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started) && !started);
    batches.made = 0;
    is_out_of_memory = false;
    CHECK(sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started) && started);
}

/* Without a session an operation goes at once until so many messages are under way; then it is appended, and so is
 * whatever comes while a batch is open. */
static void check_gathered(void)
{
    const struct sheaf_amo_call one = {SHEAF_AMO_ADD, 8, object, 1, 0, false};
    const struct sheaf_signal_call add = {(uint64_t *)(void *)(object + 8), 3, true};
    const struct sheaf_signal_call set = {(uint64_t *)(void *)(object + 8), 3, false};
    begin();
    worker.is_batching = false;
    sheaf_msg_state.aggregates = true;
    peer.sent = 11, peer.acknowledged = 9, peer.asked = sheaf_pace_table.aggregate_after, peer.answered = 3;
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started) && !peer.batch);
    peer.answered = 2;
    CHECK(sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started) && started && moves == 1);
    peer.answered = 4;
    CHECK(sheaf_msg_batch_amo(&worker, 7, &one, NULL, &started) && started && moves == 2);
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, object, 1025, &started) && sent == 1 && moves == 2);
    CHECK(!sheaf_msg_batch_amo(&worker, 7, &one, NULL, &started) && !peer.batch);
    peer.answered = 0;
    peer.is_native = true; /* no messages: but for atomic operations, and signals that are added */
    CHECK(!sheaf_msg_batch_put(&worker, 7, object, "x", 1, &started));
    CHECK(!sheaf_msg_batch_get(&worker, 7, object, object, 8, &started));
    CHECK(!sheaf_msg_batch_put_signal(&worker, 7, object, "x", 1, &set, &started) && !peer.batch);
    CHECK(sheaf_msg_batch_put_signal(&worker, 7, object, "x", 1, &add, &started) && peer.batch);
    peer.is_native = sheaf_msg_state.aggregates = false;
    worker.is_batching = true;
}

/* Entries and results fill a batch to the last word, and no further; so do answers. */
static void check_full(void)
{
    uint64_t value = 0;
    begin();
    for (int i = 0; i < CAPACITY / 16; i++)
        CHECK(sheaf_msg_batch_put(&worker, 7, object, &value, 8, &started) && sent == 0);
    CHECK(peer.batch->used == CAPACITY);
    CHECK(sheaf_msg_batch_put(&worker, 7, object, &value, 8,
                              &started) && sent == 1 && peer.batch->used == 16);
    begin();
    for (int i = 0; i < CAPACITY / 16; i++)
        CHECK(sheaf_msg_batch_get(&worker, 7, &value, object, 8, &started) && sent == 0);
    CHECK(peer.batch->used + 8 * peer.batch->results == CAPACITY);
    CHECK(sheaf_msg_batch_get(&worker, 7, &value, object, 8,
                              &started) && sent == 1 && peer.batch->results == 1);
    const struct sheaf_amo_call one = {SHEAF_AMO_ADD, 8, object, 1, 0, false};
    begin();
    CHECK(sheaf_msg_batch_amo(&worker, 7, &one, NULL, &started));
    for (int i = 0; i < CAPACITY / 16 - 1; i++)
        CHECK(sheaf_msg_batch_get(&worker, 7, &value, object, 8, &started) && sent == 0);
    CHECK(sheaf_msg_batch_get(&worker, 7, &value, object, 8, &started) && sent == 1);
    begin();
    for (size_t answer = 1024; answer <= SHEAF_MSG_MOST_ANSWER; answer += 1024)
        CHECK(sheaf_msg_batch_get(&worker, 7, object, object, 1024, &started) && sent == 0);
    CHECK(sheaf_msg_batch_get(&worker, 7, object, object, 1024, &started) && sent == 1);
}

/* Short entries leave room that long ones fill; a short one behind these begins the next batch. */
static void check_long(void)
{
    uint64_t value = 0;
    batches.full = CAPACITY / 2;
    begin();
    for (int i = 0; i < CAPACITY / 2 / 16; i++)
        CHECK(sheaf_msg_batch_put(&worker, 7, object, &value, 8, &started) && sent == 0);
    CHECK(sheaf_msg_batch_put(&worker, 7, object, object, CAPACITY / 2 - 8, &started) && sent == 0);
    CHECK(peer.batch->used == CAPACITY);
    begin();
    CHECK(sheaf_msg_batch_put(&worker, 7, object, object, CAPACITY / 2, &started));
    CHECK(sheaf_msg_batch_put(&worker, 7, object, &value, 8,
                              &started) && sent == 1 && peer.batch->used == 16);
    batches.full = CAPACITY;
}

int main(void)
{
    for (int i = 0; i < SHEAF_SEGMENTS; i++)
        peer.shifts[i] = SHIFT;
    worker.batches = &batches;
    worker.is_batching = true;
    check_puts();
    check_results();
    check_atomics();
    check_signal();
    check_blocks();
    check_not_batched();
    check_full();
    check_long();
    check_gathered();
    return 0;
}

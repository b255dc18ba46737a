/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Direct operations of a transport that has them: data, order by fences, completion by flushes, atomic
 * operations, and keys that are none.
 */
#include "transport_pe.h"

#include <string.h>

static sheaf_transport_key *keys[MOST_PES];
static sheaf_transport_memory *memory;
static uint64_t reply, operand; /* of atomic operations that are under way */

static uint64_t room_of(int pe)
{
    return (uintptr_t)board->rooms[pe];
}

static void offer_room(void)
{
    const char *why = "";
    void *key;
    memory = transport->direct->offer(board->rooms[me], ROOM, &key, &board->key_bytes[me], &why);
    REQUIRE(memory, "%s", why);
    REQUIRE(board->key_bytes[me] <= SHEAF_TRANSPORT_KEY, "%zu bytes", board->key_bytes[me]);
    memcpy(board->key[me], key, board->key_bytes[me]);
    free(key);
    meet(npes, turn_service);
}

static void accept_keys(void)
{
    const char *why = "";
    for (int pe = 0; pe < npes; pe++) {
        connect_to(&service, pe);
        keys[pe] = transport->direct->accept(service.links[pe], board->key[pe], board->key_bytes[pe], &why);
        REQUIRE(keys[pe], "PE %d: %s", pe, why);
    }
}

static void give_all_back(void)
{
    meet(npes, turn_service);
    for (int pe = 0; pe < npes; pe++)
        transport->direct->forget(keys[pe]);
    meet(npes, turn_service);
    transport->direct->withdraw(memory);
}

static void finish(struct call *call)
{
    TURN_UNTIL(call->ends, &service);
    REQUIRE(call->ends == 1 && !call->has_failed, "%u times", call->ends);
    call->ends = 0;
}

static void flush(int pe)
{
    struct call call = {0};
    transport->direct->flush(service.links[pe], &call);
    finish(&call);
}

static void put(int pe, size_t at, const void *source, size_t bytes, struct call *call)
{
    transport->direct->put(service.links[pe], keys[pe], room_of(pe) + at, source, bytes, call);
}

/* A PE's own part of another one's room, and so much of it at a time. */
#define PART (ROOM / MOST_PES)
#define MOST ((size_t)40000)

static size_t own_part(size_t offset)
{
    return (size_t)me * PART + offset;
}

/* Several at once to every PE; each source is overwritten as soon as its put has ended. */
static void put_and_look(void)
{
    static unsigned char sources[MOST_PES][MOST], back[MOST];
    struct call calls[MOST_PES] = {0};
    size_t bytes[MOST_PES], at[MOST_PES];
    uint64_t numbers[MOST_PES];
    for (int pe = 0; pe < npes; pe++) {
        bytes[pe] = 1 + below(&chance, below(&chance, 2) ? 16 : MOST);
        at[pe] = own_part(below(&chance, PART - MOST));
        fill(sources[pe], bytes[pe], numbers[pe] = test_random(&chance));
        put(pe, at[pe], sources[pe], bytes[pe], &calls[pe]);
    }
    for (int pe = 0; pe < npes; pe++) {
        finish(&calls[pe]);
        memset(sources[pe], 0, bytes[pe]);
    }
    for (int pe = 0; pe < npes; pe++) {
        flush(pe);
        transport->direct->get(service.links[pe], keys[pe], back, room_of(pe) + at[pe], bytes[pe],
                               &calls[pe]);
        finish(&calls[pe]);
        REQUIRE(is_filled(back, bytes[pe], numbers[pe]), "%zu bytes of PE %d", bytes[pe], pe);
    }
}

/* Data, a fence, and a word that says that the data is there. The target looks by itself. */
#define ROUNDS    30
#define FLAG      (PART - 8)
#define DATA      ((size_t)1024)
static void put_in_order(int pe)
{
    static unsigned char source[DATA];
    static uint64_t flag;
    struct call data = {0}, word = {0};
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        fill(source, sizeof source, round);
        flag = round;
        put(pe, own_part(0), source, sizeof source, &data);
        transport->direct->fence(service.port);
        put(pe, own_part(FLAG), &flag, sizeof flag, &word);
        finish(&data);
        finish(&word);
        while (__atomic_load_n(&board->told, __ATOMIC_ACQUIRE) < round) {
            turn_service();
            step();
        }
    }
}

static void see_in_order(int from)
{
    unsigned char *part = board->rooms[me] + (size_t)from * PART;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        while (__atomic_load_n((uint64_t *)(part + FLAG), __ATOMIC_ACQUIRE) != round) {
            turn_service();
            step();
        }
        REQUIRE(is_filled(part, DATA, round), "round %lu: the flag came before the data",
                (unsigned long)round);
        __atomic_store_n(&board->told, (uint32_t)round, __ATOMIC_RELEASE);
    }
}

static void order(void)
{
    board->told = 0;
    meet(npes, turn_service);
    if (me == 0)
        put_in_order(npes - 1);
    else if (me == npes - 1)
        see_in_order(0);
    meet(npes, turn_service);
}

static uint64_t change(int pe, size_t at, enum sheaf_amo operation, unsigned bytes, uint64_t with,
                       uint64_t stored)
{
    struct call call = {0};
    struct sheaf_transport_atomic atomic = {operation, bytes, room_of(pe) + at, &operand, &reply};
    operand = with;
    reply = 0;
    memcpy(&reply, &stored, bytes);
    transport->direct->atomic(service.links[pe], keys[pe], &atomic, &call);
    finish(&call);
    uint64_t before = 0;
    memcpy(&before, &reply, bytes);
    return before;
}

static bool has(enum sheaf_amo operation, unsigned bytes)
{
    return abilities.atomics & sheaf_amo_bit(operation, bytes);
}

/* One after the other on a word of this PE's own. */
static void change_own_word(int pe, unsigned bytes)
{
    static const struct {
        enum sheaf_amo operation;
        uint64_t with, stored, after;
    } steps[] = {
        {SHEAF_AMO_SWAP, 100, 0, 100},         {SHEAF_AMO_ADD, 23, 0, 123},
        {SHEAF_AMO_AND, 0x70, 0, 0x70},        {SHEAF_AMO_OR, 0x0f, 0, 0x7f},
        {SHEAF_AMO_XOR, 0xff, 0, 0x80},        {SHEAF_AMO_COMPARE_SWAP, 0x81, 5, 0x80},
        {SHEAF_AMO_COMPARE_SWAP, 0x80, 5, 5},
    };
    uint64_t held = 0, zero = 0;
    size_t at = own_part(FLAG - 16);
    struct call call = {0};
    put(pe, at, &zero, bytes, &call);
    finish(&call);
    flush(pe);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (!has(steps[i].operation, bytes))
            return;
        uint64_t before = change(pe, at, steps[i].operation, bytes, steps[i].with, steps[i].stored);
        REQUIRE(before == held, "step %zu: %lu instead of %lu", i, (unsigned long)before,
                (unsigned long)held);
        held = steps[i].after;
    }
}

/* All add to one word of PE 0: nobody sees a number twice. */
#define ADDITIONS 50
static void add_together(void)
{
    uint32_t *seen = (uint32_t *)(board->rooms[1] + ROOM - 4096);
    if (!has(SHEAF_AMO_ADD, 8))
        return;
    for (int i = 0; i < ADDITIONS; i++) {
        uint64_t before = change(0, ROOM - 64, SHEAF_AMO_ADD, 8, 1, 0);
        REQUIRE(before < (uint64_t)ADDITIONS * (uint64_t)npes, "%lu", (unsigned long)before);
        REQUIRE(__atomic_fetch_add(&seen[before], 1, __ATOMIC_RELAXED) == 0, "%lu twice",
                (unsigned long)before);
    }
}

void test_direct(void)
{
    memset(board->rooms[me], 0, ROOM);
    start_pe();
    if (!transport->direct || !(abilities.has_direct || abilities.atomics)) {
        stop_pe();
        return;
    }
    offer_room();
    accept_keys();
    is_doing("puts, flushes and gets");
    for (int i = 0; i < 20 && abilities.has_direct; i++)
        put_and_look();
    is_doing("puts with a fence between");
    if (abilities.has_direct)
        order();
    is_doing("atomic operations");
    for (int pe = 0; pe < npes; pe++) {
        change_own_word(pe, 4);
        change_own_word(pe, 8);
    }
    add_together();
    give_all_back();
    stop_pe();
}

/* Anybody's bytes, and a real key that lacks something or has something changed: a key or a reason, and
 * what a wrong key is used for fails. */
static void try_key(int pe)
{
    unsigned char bytes[SHEAF_TRANSPORT_KEY + 64];
    struct call call = {0};
    uint64_t word = 1;
    const char *why = NULL;
    size_t length = below(&chance, 3) ? below(&chance, board->key_bytes[pe] + 16) : board->key_bytes[pe];
    fill(bytes, sizeof bytes, test_random(&chance));
    if (below(&chance, 4)) {
        memcpy(bytes, board->key[pe], board->key_bytes[pe]);
        bytes[below(&chance, board->key_bytes[pe])] ^= (unsigned char)(1 + below(&chance, 255));
    }
    void *exact = malloc(length ? length : 1);
    memcpy(exact, bytes, length);
    sheaf_transport_key *key = transport->direct->accept(service.links[pe], exact, length, &why);
    REQUIRE(key || why, "neither a key nor a reason, of %zu bytes", length);
    free(exact);
    if (!key)
        return;
    transport->direct->put(service.links[pe], key, room_of(pe), &word, sizeof word, &call);
    TURN_UNTIL(call.ends, &service);
    REQUIRE(call.ends == 1 && call.has_failed, "a wrong key has been of use");
    transport->direct->forget(key);
}

/* Of the local transport alone: an adapter breaks the connection instead. */
static void reach_beyond(int pe)
{
    struct call call = {0};
    uint64_t word = 1;
    static const struct {
        uint64_t at;
        size_t bytes;
    } wrong[] = {{ROOM, 1}, {ROOM - 4, 8}, {UINT64_MAX - 7, 8}, {0, ROOM + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        transport->direct->put(service.links[pe], keys[pe], room_of(pe) + wrong[i].at, &word,
                               wrong[i].bytes, &call);
        TURN_UNTIL(call.ends, &service);
        REQUIRE(call.has_failed, "%zu bytes beyond", wrong[i].bytes);
        call = (struct call){0};
    }
}

void test_keys(void)
{
    memset(board->rooms[me], 0, ROOM);
    start_pe();
    offer_room();
    accept_keys();
    is_doing("keys that are none");
    for (int i = 0; i < 60; i++)
        try_key(i % npes);
    reach_beyond(me);
    meet(npes, turn_service);
    for (int pe = 0; pe < npes; pe++)
        REQUIRE(board->rooms[pe][0] == 0, "somebody has written to PE %d", pe);
    give_all_back();
    stop_pe();
}

/* Whether the peer's key with that byte changed was of use, or was none from the outset. */
static bool is_harmless(int pe, size_t at)
{
    unsigned char forged[SHEAF_TRANSPORT_KEY];
    struct call written = {0}, flushed = {0};
    const char *why = NULL;
    uint64_t word = 1;
    memcpy(forged, board->key[pe], board->key_bytes[pe]);
    forged[at] ^= 1;
    sheaf_transport_key *key =
        transport->direct->accept(service.links[pe], forged, board->key_bytes[pe], &why);
    if (!key)
        return true;
    transport->direct->put(service.links[pe], key, room_of(pe), &word, sizeof word, &written);
    transport->direct->flush(service.links[pe], &flushed);
    TURN_UNTIL(written.ends && flushed.ends, &service);
    transport->direct->forget(key);
    return !flushed.has_failed;
}

/* What the network itself refuses: the flush says so, and the link is lost. */
void test_refusal(void)
{
    memset(board->rooms[me], 0, ROOM);
    start_pe();
    offer_room();
    accept_keys();
    is_doing("a put by a key that is another one");
    size_t at = 0;
    int other = npes - 1;
    while (me == 0 && at < board->key_bytes[other] && is_harmless(other, at))
        at++;
    REQUIRE(at < board->key_bytes[other], "nothing is refused");
    if (me == 0)
        TURN_UNTIL(lost[other], &service);
    meet(npes, turn_service);
    REQUIRE(lost[other] == (me == 0), "told %lu times", (unsigned long)lost[other]);
    give_all_back();
    stop_pe();
}

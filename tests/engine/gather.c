/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small operations that gather behind messages under way, without a session. PE 1 holds its own worker, so that nothing
 * that PE 0 sends comes back until PE 1 lets go, and messages can be counted.
 * Usage: gather count|full|returns|age|results|behind|order|off
 */
#include "harness.h"

#include "engine/message/batch/buffers.h"

#include <string.h>

#define AT_ONCE sheaf_pace_table.aggregate_after
#define WORDS   2000

static uint64_t *const words = (uint64_t *)(void *)data;

static struct sheaf_msg_worker *mine(void)
{
    return sheaf_msg_worker_of(NULL);
}

static struct sheaf_msg_peer *peer(void)
{
    return sheaf_msg_peer_known(mine(), 1);
}

static uint64_t messages(void)
{
    return sheaf_msg_traffic(peer()).started;
}

static bool has_open_batches(void)
{
    return __atomic_load_n(&sheaf_msg_open_batches, __ATOMIC_ACQUIRE) != 0;
}

/* From here to let_go nothing is carried out on PE 1. Returns how many messages PE 0 has sent before. */
static uint64_t hold(void)
{
    uint64_t value = 0;
    if (me == 0)
        far_put(NULL, 1, heap, &value, sizeof value);
    far_quiet(NULL, SHEAF_EVERY_PE);
    barrier();
    if (me == 1)
        sheaf_msg_lock_only(mine());
    barrier();
    return me == 0 ? messages() : 0;
}

static void let_go(void)
{
    barrier();
    if (me == 1)
        sheaf_msg_unlock(mine());
}

/* No batch grows old: what else sends it is seen. */
static void stop_age(void)
{
    struct sheaf_msg_batches *batches = mine()->batches;
    sheaf_owner_lock_enter(&batches->lock);
    REQUIRE(batches->oldest, "no batch is open");
    batches->oldest->since_ns = UINT64_MAX;
    __atomic_store_n(&batches->oldest_ns, UINT64_MAX, __ATOMIC_RELAXED);
    sheaf_owner_lock_leave(&batches->lock);
}

/* Longer than any machine takes to issue some operations, and shorter than a second. */
static void age_slowly(void)
{
    sheaf_pace_table.batch_age = 900000000;
}

static void put_words(uint64_t count, uint64_t value)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = value + i;
        far_put(NULL, 1, &words[i], &word, sizeof word);
    }
}

/* After the barrier, on PE 1. */
static void check_words(uint64_t count, uint64_t value)
{
    for (uint64_t i = 0; me == 1 && i < count; i++)
        REQUIRE(words[i] == value + i, "word %lu is %lu", (unsigned long)i, (unsigned long)words[i]);
}

/* Writes that share a message are as many at their target. */
static void check_arrived(uint64_t before, uint64_t writes)
{
    REQUIRE(me != 1 || engine->carried_out() == before + writes, "%lu writes arrived",
            (unsigned long)(engine->carried_out() - before));
}

static void finish_words(uint64_t count, uint64_t value)
{
    far_quiet(NULL, SHEAF_EVERY_PE);
    REQUIRE(!has_open_batches(), "quiet left a batch open");
    barrier();
    check_words(count, value);
    barrier();
}

static void count(void)
{
    age_slowly();
    uint64_t before = hold(), arrived = engine->carried_out();
    if (me == 0) {
        put_words(AT_ONCE, 7);
        REQUIRE(messages() == before + AT_ONCE && !has_open_batches(), "the first ones go at once");
        put_words(500, 7);
        REQUIRE(messages() == before + AT_ONCE && has_open_batches(), "%lu messages for %lu puts",
                (unsigned long)(messages() - before), (unsigned long)(500 + AT_ONCE));
    }
    let_go();
    finish_words(500, 7);
    check_arrived(arrived, AT_ONCE + 500);
    REQUIRE(me != 0 || messages() <= before + AT_ONCE + 2, "%lu messages", (unsigned long)(messages() - before));
}

static void off(void)
{
    uint64_t before = hold();
    if (me == 0) {
        put_words(100, 7);
        REQUIRE(messages() == before + 100 && !has_open_batches(), "%lu messages for 100 puts",
                (unsigned long)(messages() - before));
    }
    let_go();
    finish_words(100, 7);
}

static void full(void)
{
    const uint64_t in_one = 16384 / 16;
    age_slowly();
    uint64_t before = hold();
    for (uint64_t i = 0; me == 0 && i < AT_ONCE + in_one; i++)
        far_put(NULL, 1, &words[0], &i, sizeof i);
    if (me == 0) {
        REQUIRE(messages() == before + AT_ONCE, "a batch that has room was sent");
        put_words(1, 7);
        REQUIRE(messages() == before + AT_ONCE + 1 && has_open_batches(), "a full batch was not sent");
    }
    let_go();
    finish_words(1, 7);
}

/* PE 0 computes: the thread sends the batch when something comes back, and it is no call of the program. */
static void returns(void)
{
    hold();
    if (me == 0) {
        age_slowly();
        put_words(2 * AT_ONCE, 7);
        stop_age();
    }
    let_go();
    if (me == 0) {
        unsigned calls = mine()->calls;
        for (double end = now() + 30; has_open_batches() && now() < end;)
            compute(1e-3);
        REQUIRE(!has_open_batches(), "nobody sent the batch");
        REQUIRE(mine()->calls == calls, "%u calls of a PE that computed", mine()->calls - calls);
    }
    finish_words(2 * AT_ONCE, 7);
}

/* Nothing comes back, and PE 0 computes: the thread sends the batch all the same. */
static void age(void)
{
    for (uint64_t round = 0; round < 20; round++) {
        uint64_t before = hold();
        if (me == 0) {
            put_words(AT_ONCE + 3, round);
            for (double end = now() + 30; has_open_batches() && now() < end;)
                compute(1e-3);
            REQUIRE(!has_open_batches(), "nobody sent the batch");
            REQUIRE(messages() > before + AT_ONCE, "the batch went nowhere");
        }
        let_go();
        finish_words(AT_ONCE + 3, round);
    }
}

/* Gets and fetches that nobody waits for gather with puts and additions, and see what was before them. */
static void results(void)
{
    static uint64_t got[100], fetched[100];
    const struct sheaf_amo_call add = {
        .operation = SHEAF_AMO_ADD, .bytes = 8, .object = &words[0], .operand = 1};
    age_slowly();
    uint64_t before = hold();
    for (uint64_t i = 0; me == 0 && i < 100; i++) {
        far_put(NULL, 1, &words[i + 1], &i, sizeof i);
        far_amo_nbi(NULL, 1, &add, &fetched[i]);
        far_get_nbi(NULL, 1, &got[i], &words[i + 1], sizeof got[i]);
        far_amo(NULL, 1, &add, NULL);
    }
    REQUIRE(me != 0 || messages() == before + AT_ONCE, "%lu messages", (unsigned long)(messages() - before));
    let_go();
    far_quiet(NULL, SHEAF_EVERY_PE);
    for (uint64_t i = 0; me == 0 && i < 100; i++)
        REQUIRE(got[i] == i && fetched[i] == 2 * i, "%lu: %lu, %lu", (unsigned long)i, (unsigned long)got[i],
                (unsigned long)fetched[i]);
    barrier();
    REQUIRE(me != 1 || words[0] == 200, "%lu additions", (unsigned long)words[0]);
    barrier();
}

/* What does not gather goes behind what has. */
static void behind(void)
{
    static unsigned char large[65536];
    const struct sheaf_signal_call signal = {(uint64_t *)(void *)(heap + 8), 5, true};
    uint64_t found = 0, round = 0;
    for (; round < 200; round++) {
        memset(large, (int)round, sizeof large);
        put_words(me == 0 ? 3 * AT_ONCE : 0, round);
        if (me == 0 && round % 2 == 0) {
            far_get(NULL, 1, &found, &words[3 * AT_ONCE - 1], sizeof found);
            REQUIRE(found == round + 3 * AT_ONCE - 1, "a get found %lu", (unsigned long)found);
        } else if (me == 0) {
            far_put_signal(NULL, 1, words, large, sizeof large, &signal, false);
            far_get(NULL, 1, &found, &words[0], sizeof found);
            REQUIRE(found == round * UINT64_C(0x0101010101010101), "the large put came first");
        }
    }
    far_quiet(NULL, SHEAF_EVERY_PE);
    barrier();
}

/* PE 1 looks without calling the engine: whoever sees the flag sees the data, without a quiet anywhere. */
static void order(void)
{
    enum { ROUNDS = 3000, LENGTH = 12 };
    const volatile uint64_t *seen = words;
    uint64_t *flag = &words[WORDS];
    for (uint64_t round = 1; me == 0 && round <= ROUNDS; round++) {
        put_words(LENGTH, round << 32);
        engine->fence(NULL);
        far_put(NULL, 1, flag, &round, sizeof round);
    }
    for (uint64_t last = 0; me == 1 && last < ROUNDS;) {
        last = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
        for (uint64_t i = 0; last && i < LENGTH; i++)
            REQUIRE(seen[i] >= (last << 32) + i, "round %lu: word %lu is %lx", (unsigned long)last,
                    (unsigned long)i, (unsigned long)seen[i]);
    }
    barrier();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*body)(void);
    } parts[] = {{"count", count},     {"full", full},     {"returns", returns}, {"age", age},
                 {"results", results}, {"behind", behind}, {"order", order},     {"off", off}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (argc == 2 && strcmp(argv[1], parts[i].name) == 0)
            return run_pes(2, parts[i].body);
    return 2;
}

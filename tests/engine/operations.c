/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every operation of an engine: sizes up to 4 MiB, data and heap, the default context and others.
 */
#include "harness.h"

#include <string.h>

static const size_t sizes[] = {0,    1,     2,     3,     4,     7,      8,      9,       64,     1000,
                               4096, 8192,  8200,  65407, 65408, 65409,  131072,
                               262143, 262144, 262145, 1000000, 4194304};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static unsigned char *private_memory; /* 4 MiB, not symmetric */

static int right(void)
{
    return (me + 1) % npes;
}

static int left(void)
{
    return (me + npes - 1) % npes;
}

static unsigned char pattern(int pe, size_t i, int round)
{
    return (unsigned char)(i * 31 + (size_t)pe * 7 + (size_t)round + (i >> 8));
}

static void fill(unsigned char *at, size_t bytes, int round)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = pattern(me, i, round);
}

static void check(const unsigned char *at, size_t bytes, int pe, int round, const char *what)
{
    for (size_t i = 0; i < bytes; i++)
        REQUIRE(at[i] == pattern(pe, i, round), "%s of %zu bytes: byte %zu is %d, not %d", what,
                bytes, i, at[i], pattern(pe, i, round));
}

static void test_put(sheaf_engine_context *context, unsigned char *dest, bool nbi)
{
    for (int i = 0; i < SIZES; i++) {
        size_t bytes = sizes[i];
        memset(dest, 0xee, bytes + 1);
        barrier();
        fill(private_memory, bytes, i);
        (nbi ? far_put_nbi : far_put)(context, right(), dest, private_memory, bytes);
        if (!nbi)
            memset(private_memory, 0, bytes);
        far_quiet(context, SHEAF_EVERY_PE);
        barrier();
        check(dest, bytes, left(), i, nbi ? "put_nbi" : "put");
        REQUIRE(dest[bytes] == 0xee, "a put of %zu bytes wrote more", bytes);
        barrier();
    }
}

static void test_get(sheaf_engine_context *context, unsigned char *source, bool nbi)
{
    for (int i = 0; i < SIZES; i++) {
        size_t bytes = sizes[i];
        fill(source, bytes, i);
        memset(private_memory, 0xee, bytes + 1);
        barrier();
        (nbi ? far_get_nbi : far_get)(context, right(), private_memory, source, bytes);
        if (nbi)
            far_quiet(context, SHEAF_EVERY_PE);
        check(private_memory, bytes, right(), i, nbi ? "get_nbi" : "get");
        REQUIRE(private_memory[bytes] == 0xee, "a get of %zu bytes wrote more", bytes);
        barrier();
    }
}

static void test_many_nbi(sheaf_engine_context *context)
{
    enum { COUNT = 5000 };
    uint64_t *slots = (uint64_t *)heap, *values = (uint64_t *)private_memory;
    for (int i = 0; i < COUNT; i++) {
        values[i] = (uint64_t)me << 32 | (uint64_t)i;
        far_put_nbi(context, right(), &slots[i], &values[i], 8);
    }
    far_quiet(context, SHEAF_EVERY_PE);
    barrier();
    for (int i = 0; i < COUNT; i++)
        REQUIRE(slots[i] == ((uint64_t)left() << 32 | (uint64_t)i), "slot %d", i);
    memset(values, 0, 8 * COUNT);
    for (int i = 0; i < COUNT; i++)
        far_get_nbi(context, right(), &values[i], &slots[i], 8);
    far_quiet(context, right());
    for (int i = 0; i < COUNT; i++)
        REQUIRE(values[i] == ((uint64_t)me << 32 | (uint64_t)i), "value %d", i);
    barrier();
}

static void check_blocks(const unsigned char *dest, const struct sheaf_blocks *b, int pe)
{
    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < b->block_bytes; k++) {
            size_t from = i * (size_t)b->source_stride + k;
            size_t to = i * (size_t)b->dest_stride + k;
            REQUIRE(dest[to] == pattern(pe, from, 1), "block %zu of %zu bytes, byte %zu", i,
                    b->block_bytes, k);
        }
    for (size_t i = 0; i + 1 < b->count; i++)
        for (size_t k = i * (size_t)b->dest_stride + b->block_bytes;
             k < (i + 1) * (size_t)b->dest_stride; k++)
            REQUIRE(dest[k] == 0xee, "between blocks of %zu bytes", b->block_bytes);
}

static void test_blocks(sheaf_engine_context *context)
{
    static const struct sheaf_blocks cases[] = {
        {8, 16, 8, 1000},       {24, 8, 8, 20000},      {4, 8, 4, 17},      {100, 64, 60, 3000},
        {16, 16, 1, 5},         {9000, 8192, 8192, 40}, {8, 8, 8, 1},       {70000, 80000, 66000, 9},
        {20000, 9000, 9000, 30}, {8, 8, 8, 0},          {4096, 4096, 4000, 500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sheaf_blocks *b = &cases[i];
        memset(heap, 0xee, HEAP_BYTES / 8);
        fill(data, (size_t)b->source_stride * b->count + b->block_bytes, 1);
        barrier();
        far_put_row(context, right(), heap, data, b);
        far_quiet(context, SHEAF_EVERY_PE);
        barrier();
        check_blocks(heap, b, left());
        memset(heap, 0xee, HEAP_BYTES / 8);
        barrier();
        far_get_row(context, right(), heap, data, b);
        check_blocks(heap, b, right());
        barrier();
    }
}

/* Strides may be negative: the blocks in reverse. */
static void test_reversed(void)
{
    enum { COUNT = 100 };
    uint64_t *values = (uint64_t *)heap, *mirror = values + COUNT;
    struct sheaf_blocks b = {-8, 8, 8, COUNT};
    for (uint64_t i = 0; i < COUNT; i++)
        values[i] = i;
    barrier();
    far_put_row(NULL, right(), &mirror[COUNT - 1], values, &b);
    far_quiet(NULL, SHEAF_EVERY_PE);
    barrier();
    for (uint64_t i = 0; i < COUNT; i++)
        REQUIRE(mirror[i] == COUNT - 1 - i, "%lu", i);
    barrier();
}

static void wait_for(uint64_t *object, uint64_t value)
{
    while (__atomic_load_n(object, __ATOMIC_ACQUIRE) != value)
        engine->progress(false);
}

static void test_signal(sheaf_engine_context *context, bool nbi)
{
    uint64_t *signal = (uint64_t *)(heap + HEAP_BYTES - 64);
    *signal = 0;
    barrier();
    for (int i = 0; i < SIZES; i++) {
        struct sheaf_signal_call call = {signal, i % 2 ? 1 : (uint64_t)i + 1, i % 2};
        fill(private_memory, sizes[i], i);
        far_put_signal(context, right(), data, private_memory, sizes[i], &call, nbi);
        wait_for(signal, (uint64_t)i + 1);
        check(data, sizes[i], left(), i, "put_signal");
        far_quiet(context, SHEAF_EVERY_PE);
        barrier();
    }
}

static uint64_t fetch(sheaf_engine_context *context, enum sheaf_amo operation, unsigned bytes,
                      void *object, uint64_t operand, uint64_t compare, bool nbi)
{
    struct sheaf_amo_call call = {operation, bytes, object, operand, compare, device_atomics() != 0};
    uint64_t result = 0;
    (nbi ? far_amo_nbi : far_amo)(context, right(), &call, &result);
    if (nbi)
        far_quiet(context, SHEAF_EVERY_PE);
    return result;
}

static void post(sheaf_engine_context *context, enum sheaf_amo operation, unsigned bytes,
                 void *object, uint64_t operand)
{
    struct sheaf_amo_call call = {operation, bytes, object, operand, 0, device_atomics() != 0};
    far_amo(context, right(), &call, NULL);
}

/* What InfiniBand has; a layer above builds the rest from it. */
static void test_few_amo(sheaf_engine_context *context, uint64_t *object, bool nbi)
{
    *object = 7;
    barrier();
    post(context, SHEAF_AMO_ADD, 8, object, 3);
    REQUIRE(fetch(context, SHEAF_AMO_ADD, 8, object, 5, 0, nbi) == 10, "add");
    REQUIRE(fetch(context, SHEAF_AMO_COMPARE_SWAP, 8, object, 1, 14, nbi) == 15, "one that does not fit");
    REQUIRE(fetch(context, SHEAF_AMO_COMPARE_SWAP, 8, object, 1, 15, nbi) == 15, "one that fits");
    REQUIRE(fetch(context, SHEAF_AMO_FETCH, 8, object, 0, 0, nbi) == 1, "after compare and swap");
    barrier();
}

static void test_amo(sheaf_engine_context *context, unsigned bytes, unsigned char *at, bool nbi)
{
    uint64_t mask = bytes == 4 ? UINT32_MAX : UINT64_MAX, big = 0x8000000180000001 & mask;
    memset(at, 0xff, 24);
    barrier();
    unsigned char *object = at + 8;
#define FETCH(op, operand, compare) fetch(context, SHEAF_AMO_##op, bytes, object, operand, compare, nbi)
    REQUIRE(FETCH(FETCH, 0, 0) == mask, "fetch");
    post(context, SHEAF_AMO_SET, bytes, object, big);
    REQUIRE(FETCH(ADD, mask, 0) == big, "set");
    post(context, SHEAF_AMO_ADD, bytes, object, 3);
    REQUIRE(FETCH(AND, 0xff00ff, 0) == ((big + 2) & mask), "add");
    post(context, SHEAF_AMO_OR, bytes, object, 0xf0);
    uint64_t was = FETCH(OR, 0x0c, 0);
    REQUIRE(was == ((big + 2) & 0xff00ff) + 0xf0, "and, or: %lx %u %d", was, bytes, nbi);
    post(context, SHEAF_AMO_XOR, bytes, object, 0xff);
    REQUIRE(FETCH(XOR, 0x02, 0) == 0, "or, xor: %lx", FETCH(FETCH, 0, 0));
    post(context, SHEAF_AMO_AND, bytes, object, 0xfffe);
    REQUIRE(FETCH(SWAP, big, 0) == 2, "and, xor");
    REQUIRE(FETCH(COMPARE_SWAP, 5, big - 1) == big, "compare and swap that does not fit");
    REQUIRE(FETCH(COMPARE_SWAP, 5, big) == big, "compare and swap");
    REQUIRE(FETCH(FETCH, 0, 0) == 5, "after compare and swap");
    barrier();
    for (int i = 0; i < 8; i++)
        REQUIRE(at[i] == 0xff && at[8 + bytes + i] == 0xff, "an operation of %u bytes wrote more",
                bytes);
    barrier();
}

/* Puts and atomic operations may travel differently; behind a fence neither passes the other. */
static void test_fence(sheaf_engine_context *context)
{
    enum { ROUNDS = 50, BYTES = 40000 };
    uint64_t *flag = (uint64_t *)(heap + HEAP_BYTES - 128), *done = flag + 1;
    unsigned char *dest = heap + HEAP_BYTES / 2 - BYTES / 2;
    *flag = *done = 0;
    barrier();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        fill(private_memory, BYTES, (int)i);
        far_put_nbi(context, right(), dest, private_memory, BYTES);
        engine->fence(context);
        post(context, SHEAF_AMO_ADD, 8, flag, 1);
        engine->fence(context);
        far_put_nbi(context, right(), done, &i, 8);
        while (__atomic_load_n(done, __ATOMIC_ACQUIRE) != i)
            engine->progress(false);
        REQUIRE(__atomic_load_n(flag, __ATOMIC_ACQUIRE) == i, "round %lu: a put passed an addition", i);
        check(dest, BYTES, left(), (int)i, "put before an addition");
        far_quiet(context, SHEAF_EVERY_PE);
        barrier();
    }
}

static void test_messages(void)
{
    for (int i = 0; i < SIZES; i++) {
        size_t in = 0, out = 0;
        uint64_t tag = UINT64_MAX - (uint64_t)i;
        fill(data, sizes[i], i);
        engine->receive(left(), tag ^ (uint64_t)left(), 0, heap, sizes[i], &in);
        engine->send(right(), tag ^ (uint64_t)me, 0, data, sizes[i], &out);
        finish(NULL, &in);
        finish(NULL, &out);
        check(heap, sizes[i], left(), i, "message");
    }
    barrier();
}

/* In order with one tag, also when they come before the receive, and of very different sizes. */
static void test_message_order(void)
{
    enum { COUNT = 50 };
    size_t out[COUNT] = {0}, in = 0;
    for (int i = 0; i < COUNT; i++) {
        size_t bytes = i % 3 ? 8 : 100000;
        data[(size_t)i * 100000] = (unsigned char)i;
        if (i * 100000 + 100000 < (int)sizeof data)
            engine->send(right(), 77, 0, data + (size_t)i * 100000, bytes, &out[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        engine->receive(left(), 77, 0, heap, i % 3 ? 8 : 100000, &in);
        finish(NULL, &in);
        REQUIRE(heap[0] == i, "message %d", i);
    }
    for (int i = 0; i < COUNT; i++)
        finish(NULL, &out[i]);
    barrier();
}

static void test_context(sheaf_engine_context *context)
{
    for (int nbi = 0; nbi < 2; nbi++) {
        test_put(context, data, nbi);
        test_put(context, heap + 4096, nbi);
        test_get(context, data, nbi);
        test_get(context, heap + 8, nbi);
        test_signal(context, nbi);
        if (device_atomics() && device_atomics() != SHEAF_AMO_ALL) {
            test_few_amo(context, (uint64_t *)heap, nbi);
            continue;
        }
        test_amo(context, 4, heap, nbi);
        test_amo(context, 8, data, nbi);
    }
    test_many_nbi(context);
    test_blocks(context);
    test_fence(context);
}

/* More than have workers of their own: those that follow share the default context's. */
static void test_contexts(void)
{
    enum { COUNT = 18 };
    sheaf_engine_context *contexts[COUNT];
    uint64_t *counter = (uint64_t *)heap;
    *counter = 0;
    barrier();
    for (int i = 0; i < COUNT; i++) {
        contexts[i] = engine->context_create(true);
        post(contexts[i], SHEAF_AMO_ADD, 8, counter, 1);
    }
    REQUIRE(contexts[0] && !contexts[COUNT - 1], "contexts of their own");
    for (int i = 0; i < COUNT; i++) {
        far_quiet(contexts[i], SHEAF_EVERY_PE);
        if (contexts[i])
            engine->context_destroy(contexts[i]);
    }
    barrier();
    REQUIRE(*counter == COUNT, "%lu", *counter);
    barrier();
}

static void body(void)
{
    private_memory = malloc(5 << 20);
    test_context(NULL);
    test_reversed();
    sheaf_engine_context *context = engine->context_create(true);
    test_context(context);
    engine->context_destroy(context);
    test_contexts();
    test_messages();
    test_message_order();
    free(private_memory);
}

int main(int argc, char **argv)
{
    return run_pes(argc > 1 ? atoi(argv[1]) : 2, body);
}

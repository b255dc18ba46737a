/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What must hold while PEs, their threads and their processors' own instructions work on the same
 * memory: nothing is lost from counters, order is kept, words are whole, and a PE that computes does
 * not keep the others waiting.
 */
#include "harness.h"

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 3000, THREADS = 4 };

/* Symmetric: in the data that the engine is told of. */
struct words {
    uint64_t sum, bits, swapped, compared;
    uint32_t half, done;
    uint64_t data, flag;
};

/* The same place in every PE's data. */
static struct words *words(void)
{
    return (void *)(data + 4096);
}

static void post(sheaf_engine_context *context, int pe, enum sheaf_amo operation, unsigned bytes,
                 void *object, uint64_t operand)
{
    struct sheaf_amo_call call = {operation, bytes, object, operand, 0, false};
    far_amo(context, pe, &call, NULL);
}

static uint64_t fetch(sheaf_engine_context *context, int pe, enum sheaf_amo operation,
                      void *object, uint64_t operand, uint64_t compare)
{
    struct sheaf_amo_call call = {operation, 8, object, operand, compare, false};
    uint64_t result;
    far_amo(context, pe, &call, &result);
    return result;
}

static void add_by_compare_swap(int pe)
{
    uint64_t seen = fetch(NULL, pe, SHEAF_AMO_FETCH, &words()->compared, 0, 0), before;
    while ((before = fetch(NULL, pe, SHEAF_AMO_COMPARE_SWAP, &words()->compared, seen + 1,
                           seen)) != seen)
        seen = before;
}

/* PE 0's words, by everybody; PE 0 itself uses its processor's instructions. */
static void hammer_far(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        post(NULL, 0, SHEAF_AMO_ADD, 8, &words()->sum, 1);
        post(NULL, 0, SHEAF_AMO_ADD, 4, &words()->half, 1);
        fetch(NULL, 0, SHEAF_AMO_ADD, &words()->sum, 1, 0);
        post(NULL, 0, SHEAF_AMO_XOR, 8, &words()->bits, UINT64_C(1) << me);
        if (i % 10 == 0)
            add_by_compare_swap(0);
    }
}

static void hammer_near(void)
{
    while (__atomic_load_n(&words()->done, __ATOMIC_ACQUIRE) < (uint32_t)npes - 1) {
        for (int i = 0; i < 100; i++) {
            __atomic_fetch_add(&words()->sum, 2, __ATOMIC_RELAXED);
            __atomic_fetch_add(&words()->half, 2, __ATOMIC_RELAXED);
            __atomic_fetch_add(&words()->compared, 2, __ATOMIC_RELAXED);
            __atomic_fetch_xor(&words()->bits, 3, __ATOMIC_RELAXED);
            words()->flag++;
        }
    }
}

static void test_amo(void)
{
    memset(words(), 0, sizeof *words());
    barrier();
    if (me == 0) {
        hammer_near();
    } else {
        hammer_far();
        far_quiet(NULL, SHEAF_EVERY_PE);
        post(NULL, 0, SHEAF_AMO_ADD, 4, &words()->done, 1);
    }
    barrier();
    if (me == 0) {
        uint64_t far = (uint64_t)(npes - 1) * ROUNDS, near = words()->flag;
        REQUIRE(words()->sum == 2 * far + 2 * near, "%lu", words()->sum);
        REQUIRE(words()->half == (uint32_t)(far + 2 * near), "%u", words()->half);
        REQUIRE(words()->compared == far / 10 + 2 * near, "%lu", words()->compared);
        REQUIRE(words()->bits == (near % 2 ? 3 : 0), "%lx", words()->bits);
    }
    barrier();
}

/* Large, fence, small: the small one is never seen before the end of the large one. PE 1 looks at
 * its own memory and does not call the engine meanwhile. */
static void test_fence(void)
{
    enum { BYTES = 300000, TIMES = 50 };
    volatile uint64_t *flag = (uint64_t *)data;
    unsigned char *last = heap + BYTES - 1;
    *flag = 0;
    barrier();
    for (uint64_t i = 1; i <= TIMES; i++) {
        if (me == 0) {
            memset(heap, (int)i, BYTES);
            far_put_nbi(NULL, 1, heap, heap, BYTES);
            engine->fence(NULL);
            far_put(NULL, 1, (void *)flag, &i, 8);
            far_quiet(NULL, SHEAF_EVERY_PE);
        } else if (me == 1) {
            while (*flag != i)
                continue;
            REQUIRE(*(volatile unsigned char *)last == i && heap[0] == i && heap[BYTES / 2] == i,
                    "round %lu: %d", i, *last);
        }
        barrier();
    }
}

/* PE 1 sees every 8-byte value whole. */
static void test_whole_words(void)
{
    volatile uint64_t *word = (uint64_t *)(data + 8), seen;
    *word = 0;
    barrier();
    if (me == 0) {
        for (int i = 0; i < 20000; i++) {
            uint64_t value = i % 2 ? UINT64_MAX : 0;
            far_put(NULL, 1, (void *)word, &value, 8);
        }
        uint64_t end = 1;
        far_put(NULL, 1, (void *)word, &end, 8);
        far_quiet(NULL, SHEAF_EVERY_PE);
    } else if (me == 1) {
        while ((seen = *word) != 1)
            REQUIRE(seen == 0 || seen == UINT64_MAX, "%lx", seen);
    }
    barrier();
}

static void test_signal_order(void)
{
    enum { TIMES = 200 };
    volatile uint64_t *signal = (uint64_t *)data;
    *signal = 0;
    barrier();
    for (uint64_t i = 1; i <= TIMES; i++) {
        size_t bytes = i % 4 == 0 ? 200000 : 8 * i;
        struct sheaf_signal_call call = {(uint64_t *)data, 1, true};
        if (me == 0) {
            memset(heap, (int)i, bytes);
            far_put_signal(NULL, 1, heap, heap, bytes, &call, i % 2);
            far_quiet(NULL, SHEAF_EVERY_PE);
        } else if (me == 1) {
            while (*signal != i)
                continue;
            REQUIRE(heap[0] == (unsigned char)i && heap[bytes - 1] == (unsigned char)i, "%lu", i);
        }
        barrier();
    }
}

/* The target computes and never calls the engine until the last operation tells it to: an operation that
 * needed such a call would never end. How soon they end is counted in looks, by engine/pace. */
static void test_computing_target(void)
{
    enum { TIMES = 101 };
    barrier();
    if (me == 0) {
        for (int i = 0; i < TIMES; i++) {
            uint64_t value = fetch(NULL, 1, SHEAF_AMO_ADD, heap, 1, 0);
            far_put(NULL, 1, heap + 8, &value, 8);
            far_quiet(NULL, SHEAF_EVERY_PE);
        }
        post(NULL, 1, SHEAF_AMO_SET, 8, data, 1);
    } else if (me == 1) {
        while (!*(volatile uint64_t *)data)
            compute(0.001);
    }
    barrier();
}

static void *thread_body(void *argument)
{
    int number = (int)(intptr_t)argument, peer = (me + 1) % npes;
    sheaf_engine_context *context = number % 2 ? engine->context_create(true) : NULL;
    uint64_t *mine = (uint64_t *)heap + 1024 * number, value, copy;
    for (uint64_t i = 1; i <= 500; i++) {
        value = i << 8 | (uint64_t)number;
        far_put_nbi(context, peer, &mine[i], &value, 8);
        far_quiet(context, SHEAF_EVERY_PE);
        far_get(context, peer, &copy, &mine[i], 8);
        REQUIRE(copy == value, "thread %d, round %lu", number, i);
        post(context, peer, SHEAF_AMO_ADD, 8, heap, 1);
        if (i % 50 == 0)
            far_get(context, peer, data + (1 << 20) * number, heap + (1 << 20), 100000);
    }
    far_quiet(context, SHEAF_EVERY_PE);
    if (context)
        engine->context_destroy(context);
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    memset(heap, 0, 1 << 20);
    barrier();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread_body, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    barrier();
    uint64_t *counter = (uint64_t *)heap;
    REQUIRE(*counter == THREADS * 500, "%lu", *counter);
    barrier();
}

/* Sleeping ends when something arrives, and at the latest after the time given. */
static void test_sleep(void)
{
    volatile uint64_t *flag = (uint64_t *)data;
    *flag = 0;
    barrier();
    if (me == 0) {
        compute(0.05);
        post(NULL, 1, SHEAF_AMO_SET, 8, (void *)flag, 1);
        far_quiet(NULL, SHEAF_EVERY_PE);
    } else if (me == 1) {
        double begin = now();
        int sleeps = 0;
        for (engine->progress(false); !*flag; engine->progress(false), sleeps++)
            engine->sleep(NULL, false, 5000000000);
        REQUIRE(now() - begin < 4 && sleeps < 1000, "%g s, %d sleeps", now() - begin, sleeps);
    }
    barrier();
    double begin = now();
    engine->progress(false);
    engine->sleep(NULL, false, 1000000);
    REQUIRE(now() - begin < 4, "%g s", now() - begin);
    barrier();
}

static void body(void)
{
    test_amo();
    test_threads();
    test_sleep();
    if (npes == 1)
        return;
    test_fence();
    test_whole_words();
    test_signal_order();
    memset(data, 0, 64);
    test_computing_target();
}

int main(int argc, char **argv)
{
    return run_pes(argc > 1 ? atoi(argv[1]) : 2, body);
}

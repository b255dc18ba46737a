/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that share a processor hand a token round a ring and poll for it, in every way that calls the
 * library: each must let the others run. One that does not takes a slice of the scheduler per hop, a
 * thousand times as long as shmem_wait_until; the test allows 30 times, in the best of several tries.
 */
#include "check.h"

#include <time.h>

#define ROUNDS 60
#define TRIES  5
#define WORDS  3

static long words[WORDS]; /* the token comes to the last */
static double others[WORDS];
static int me, next, last;
static long passed; /* the token that this PE has passed on */
static uint64_t signals;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void wait_until(long old)
{
    shmem_long_wait_until(&words[2], SHMEM_CMP_NE, old);
}

static void test_unmet(long old)
{
    while (!shmem_long_test(&words[2], SHMEM_CMP_NE, old))
        ;
}

static void test_met(long old)
{
    while (shmem_long_test(&words[2], SHMEM_CMP_EQ, old))
        ;
}

static void test_all_met(long old)
{
    while (shmem_long_test_all(&words[2], 1, NULL, SHMEM_CMP_EQ, old))
        ;
}

static void test_any_met(long old)
{
    while (shmem_long_test_any(&words[2], 1, NULL, SHMEM_CMP_EQ, old) == 0)
        ;
}

static void test_some_met(long old)
{
    size_t found;
    while (shmem_long_test_some(&words[2], 1, &found, NULL, SHMEM_CMP_EQ, old) == 1)
        ;
}

static void get_word(long old)
{
    while (shmem_long_g(&words[2], me) == old)
        ;
}

static void get_words(long old)
{
    for (int i = 0; shmem_long_g(&words[2], me) == old; i = (i + 1) % (WORDS - 1))
        if (shmem_long_g(&words[i], me) != 0 || shmem_double_g(&others[i], me) != 0)
            return;
}

static void get_memory(long old)
{
    long read;
    do
        shmem_getmem(&read, &words[2], sizeof read, me);
    while (read == old);
}

static void fetch(long old)
{
    while (shmem_long_atomic_fetch(&words[2], me) == old)
        ;
}

static void compare(long old)
{
    while (shmem_long_atomic_compare_swap(&words[2], -1, -1, me) == old)
        ;
}

static void fetch_signal(long old)
{
    while (shmem_signal_fetch(&signals) == (uint64_t)old)
        ;
}

static void get_of_previous(long old)
{
    while (shmem_long_g(&passed, last) == old)
        ;
}

static const struct {
    const char *name;
    void (*poll)(long old);
} ways[] = {
    {"wait_until", wait_until},
    {"test until met", test_unmet},
    {"test until unmet", test_met},
    {"test_all", test_all_met},
    {"test_any", test_any_met},
    {"test_some", test_some_met},
    {"g", get_word},
    {"g of several words", get_words},
    {"g of another PE's word", get_of_previous},
    {"getmem", get_memory},
    {"atomic_fetch", fetch},
    {"atomic_compare_swap", compare},
    {"signal_fetch", fetch_signal},
};

static void pass(long token)
{
    shmem_long_p(&passed, token, me);
    shmem_long_p(&words[2], token, next);
    shmem_signal_set(&signals, (uint64_t)token, next);
}

/* Microseconds of a hop. */
static double go_round(void (*poll)(long old))
{
    static long token;
    shmem_barrier_all();
    double begin = now_us();
    for (int i = 0; i < ROUNDS; i++, token++) {
        if (me == 0)
            pass(token + 1);
        poll(token);
        if (me != 0)
            pass(token + 1);
    }
    return (now_us() - begin) / ROUNDS / shmem_n_pes();
}

static double best_of_tries(void (*poll)(long old))
{
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double took = go_round(poll);
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    next = (me + 1) % shmem_n_pes();
    last = (me + shmem_n_pes() - 1) % shmem_n_pes();
    double waited = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double took = best_of_tries(ways[i].poll);
        waited = i == 0 ? took : waited;
        if (me == 0)
            printf("%s: %.1f us a hop\n", ways[i].name, took);
        if (me == 0)
            CHECK(took < 30 * waited);
    }
    return test_finish();
}

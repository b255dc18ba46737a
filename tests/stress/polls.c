/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that share a processor hand a token round a ring and poll for it, in every way that calls the
 * library: each must let the others run. One that does not polls for a slice of the scheduler per hop,
 * some 100,000 times. Polls are counted, not time: what else the processor does makes no difference.
 */
#include "check.h"

#define ROUNDS 30
#define WORDS  3

/* 3 to 200 were seen with 2 and 4 PEs, alone and beside other programs. */
#define MOST_POLLS 2000

static long words[WORDS]; /* the token comes to the last */
static double others[WORDS];
static int me, next, last;
static long passed; /* the token that this PE has passed on */
static uint64_t signals;
static long polls; /* calls of this PE that found the old token */

static void wait_until(long old)
{
    shmem_long_wait_until(&words[2], SHMEM_CMP_NE, old);
}

static void test_unmet(long old)
{
    while (!shmem_long_test(&words[2], SHMEM_CMP_NE, old))
        polls++;
}

static void test_met(long old)
{
    while (shmem_long_test(&words[2], SHMEM_CMP_EQ, old))
        polls++;
}

static void test_all_met(long old)
{
    while (shmem_long_test_all(&words[2], 1, NULL, SHMEM_CMP_EQ, old))
        polls++;
}

static void test_any_met(long old)
{
    while (shmem_long_test_any(&words[2], 1, NULL, SHMEM_CMP_EQ, old) == 0)
        polls++;
}

static void test_some_met(long old)
{
    size_t found;
    while (shmem_long_test_some(&words[2], 1, &found, NULL, SHMEM_CMP_EQ, old) == 1)
        polls++;
}

static void get_word(long old)
{
    while (shmem_long_g(&words[2], me) == old)
        polls++;
}

static void get_words(long old)
{
    for (int i = 0; shmem_long_g(&words[2], me) == old; i = (i + 1) % (WORDS - 1), polls++)
        if (shmem_long_g(&words[i], me) != 0 || shmem_double_g(&others[i], me) != 0)
            return;
}

static void get_memory(long old)
{
    long read = old;
    for (shmem_getmem(&read, &words[2], sizeof read, me); read == old; polls++)
        shmem_getmem(&read, &words[2], sizeof read, me);
}

static void fetch(long old)
{
    while (shmem_long_atomic_fetch(&words[2], me) == old)
        polls++;
}

static void compare(long old)
{
    while (shmem_long_atomic_compare_swap(&words[2], -1, -1, me) == old)
        polls++;
}

static void fetch_signal(long old)
{
    while (shmem_signal_fetch(&signals) == (uint64_t)old)
        polls++;
}

static void get_of_previous(long old)
{
    while (shmem_long_g(&passed, last) == old)
        polls++;
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

/* Polls of this PE for a hop. */
static long go_round(void (*poll)(long old))
{
    static long token;
    shmem_barrier_all();
    polls = 0;
    for (int i = 0; i < ROUNDS; i++, token++) {
        if (me == 0)
            pass(token + 1);
        poll(token);
        if (me != 0)
            pass(token + 1);
    }
    return polls / ROUNDS;
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    next = (me + 1) % shmem_n_pes();
    last = (me + shmem_n_pes() - 1) % shmem_n_pes();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        long made = go_round(ways[i].poll);
        if (me == 0)
            printf("%s: %ld polls a hop\n", ways[i].name, made);
        CHECK(made < MOST_POLLS);
    }
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A token round a ring: each PE polls a word of its own until the one before it has written there, in
 * every way in which programs poll. A hop is reported: from one PE to the next. With more PEs than
 * CPUs it tells what a PE that polls leaves to the others.
 */
#include "../bench.h"

struct token {
    long word; /* of the PE itself */
    long read; /* what a get brought */
};

/* Returns once the word is no longer old. */
typedef void poll_way(struct token *token, long old);

static void wait_until(struct token *token, long old)
{
    shmem_long_wait_until(&token->word, SHMEM_CMP_NE, old);
}

static void test_unmet(struct token *token, long old)
{
    while (!shmem_long_test(&token->word, SHMEM_CMP_NE, old))
        ;
}

static void test_met(struct token *token, long old)
{
    while (shmem_long_test(&token->word, SHMEM_CMP_EQ, old))
        ;
}

static void get_word(struct token *token, long old)
{
    while (shmem_long_g(&token->word, bench_me) == old)
        ;
}

static void get_memory(struct token *token, long old)
{
    do
        shmem_getmem(&token->read, &token->word, sizeof token->word, bench_me);
    while (token->read == old);
}

static void fetch(struct token *token, long old)
{
    while (shmem_long_atomic_fetch(&token->word, bench_me) == old)
        ;
}

static void load(struct token *token, long old)
{
    while (*(volatile long *)&token->word == old)
        ;
}

#if BENCH_HAS(1, 5)
static void fetch_signal(struct token *token, long old)
{
    while (shmem_signal_fetch((uint64_t *)&token->word) == (uint64_t)old)
        ;
}
#endif

static const struct {
    const char *name;
    poll_way *poll;
} ways[] = {
    {"hop, wait_until", wait_until},
    {"hop, test until met", test_unmet},
    {"hop, test until unmet", test_met},
    {"hop, g", get_word},
    {"hop, getmem", get_memory},
    {"hop, atomic_fetch", fetch},
#if BENCH_HAS(1, 5)
    {"hop, signal_fetch", fetch_signal},
#endif
    {"hop, volatile load", load},
};

/* PE 0 begins; the token counts its rounds. */
static void go_round(struct bench_run *run, struct token *token, poll_way *poll, long *round)
{
    for (long i = 0; i < run->count; i++, ++*round) {
        if (bench_me == 0)
            shmem_long_p(&token->word, *round + 1, bench_partner());
        poll(token, *round);
        if (bench_me != 0)
            shmem_long_p(&token->word, *round + 1, bench_partner());
    }
}

int main(void)
{
    bench_start();
    struct token *token = bench_memory(4096);
    struct bench_run run;
    long round = 0;
    token->word = 0;
    bench_barrier();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (bench_begin(&run, ways[i].name, sizeof token->word), run.parts = bench_pes; bench_batch(&run);)
            go_round(&run, token, ways[i].poll, &round);
    bench_end();
}

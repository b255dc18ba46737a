/* SPDX-License-Identifier: BSD-3-Clause
 *
 * HPC Challenge's RandomAccess: words of a table over all PEs are combined with random numbers by exclusive
 * or. See README.md.
 */
#include "app.h"
#include "sequence.h"
#include "way.h"

struct settings {
    long bits;      /* the table has 2^bits words */
    long per_word;  /* updates of all PEs, for each word */
    long lookahead; /* updates of a PE under way at most */
    int way;
};

/* Word i is word i % per_pe of PE i / per_pe. */
struct table {
    uint64_t *word; /* symmetric */
    uint64_t words, per_pe;
};

/* This PE's part of the updates: their numbers are first .. first + count - 1 of the sequence, counted from
 * 1. */
struct updates {
    long first, count;
};

static struct updates my_updates(const struct settings *settings, const struct table *table)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long all = (long)table->words * settings->per_word, first = app_block_first(all, me, npes);
    return (struct updates){first + 1, app_block_first(all, me + 1, npes) - first};
}

/* Reads, changes and writes: what another PE changes in between is lost. */
static void update_by_put(const struct table *table, struct updates updates)
{
    uint64_t a = sequence_at((uint64_t)updates.first);
    for (long i = 0; i < updates.count; i++, a = sequence_next(a)) {
        const uint64_t place = a & (table->words - 1);
        uint64_t *word = &table->word[place % table->per_pe];
        const int pe = (int)(place / table->per_pe);
        shmem_uint64_p(word, shmem_uint64_g(word, pe) ^ a, pe);
    }
}

static void update_by_atomic(const struct table *table, struct updates updates, int way, long lookahead)
{
    const shmem_ctx_t ctx = way_open(way);
    uint64_t a = sequence_at((uint64_t)updates.first);
    for (long i = 0; i < updates.count; i++, a = sequence_next(a)) {
        const uint64_t place = a & (table->words - 1);
        shmem_ctx_uint64_atomic_xor(ctx, &table->word[place % table->per_pe], a,
                                    (int)(place / table->per_pe));
        if ((i + 1) % lookahead == 0)
            shmem_ctx_quiet(ctx);
    }
    way_close(way, ctx);
}

/* The number of this PE's words: the last PE's block, and blocks behind it, may be shorter. */
static uint64_t my_words(const struct table *table)
{
    const uint64_t begin = (uint64_t)shmem_my_pe() * table->per_pe;
    const uint64_t left = begin < table->words ? table->words - begin : 0;
    return left < table->per_pe ? left : table->per_pe;
}

static void fill(const struct table *table)
{
    for (uint64_t i = 0; i < my_words(table); i++)
        table->word[i] = (uint64_t)shmem_my_pe() * table->per_pe + i;
    shmem_barrier_all();
}

/* The same updates once more, none of which is lost, leave every word as it was at first. */
static int verify(const struct settings *settings, const struct table *table)
{
    update_by_atomic(table, my_updates(settings, table), WAY_SESSION, settings->lookahead);
    shmem_barrier_all();
    long wrong = 0;
    for (uint64_t i = 0; i < my_words(table); i++)
        wrong += table->word[i] != (uint64_t)shmem_my_pe() * table->per_pe + i;
    wrong = app_sum_long(wrong);
    const double allowed = settings->way == WAY_PLAIN ? 0.01 : 0;
    if ((double)wrong > allowed * (double)table->words)
        return app_fail("%ld of %lu words are wrong; at most %g %% may be", wrong,
                        (unsigned long)table->words,
                        allowed * 100);
    app_say("verified: %ld of %lu words are wrong, at most %g %% may be", wrong,
            (unsigned long)table->words, allowed * 100);
    return 0;
}

static int update_and_verify(const struct settings *settings, const struct table *table)
{
    const struct updates updates = my_updates(settings, table);
    fill(table);
    const double begin = app_seconds();
    if (settings->way == WAY_PLAIN)
        update_by_put(table, updates);
    else
        update_by_atomic(table, updates, settings->way, settings->lookahead);
    shmem_barrier_all();
    const double seconds = app_max_double(app_seconds() - begin);
    const long all = (long)table->words * settings->per_word;
    app_report(seconds, (double)all, "%ld updates of 2^%ld words, %.6f GUPS,", all, settings->bits,
               (double)all / seconds * 1e-9);
    return verify(settings, table);
}

static int run(int argc, char **argv)
{
    struct settings settings = {.bits = 20, .per_word = 4, .lookahead = 1024, .way = WAY_NBI};
    const struct app_option options[] = {
        {"--bits", APP_COUNT, &settings.bits, "the table of all PEs has 2^N words", 0, 40, NULL},
        {"--per-word", APP_COUNT, &settings.per_word, "updates of all PEs, for each word", 1, 1000, NULL},
        {"--lookahead", APP_COUNT, &settings.lookahead,
         "updates of a PE under way at most; the rules' limit is 1024", 1,
         1e9, NULL},
        WAY_OPTION(&settings.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Updates random words of a table over all PEs.", options);
    if (status != APP_RUN)
        return status;
    const uint64_t npes = (uint64_t)shmem_n_pes();
    struct table table = {.words = UINT64_C(1) << settings.bits};
    table.per_pe = (table.words + npes - 1) / npes;
    table.word = app_allocate(table.per_pe, sizeof *table.word, "the table");
    if (table.word == NULL)
        return 1;
    status = update_and_verify(&settings, &table);
    shmem_free(table.word);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A random permutation of 0 .. n - 1 by throwing darts: every number is thrown at random slots, more of
 * them than numbers, until it hits a free one; the numbers in the order of their slots are the permutation.
 * See README.md.
 */
#include "app.h"
#include "way.h"

#include <stdlib.h>

struct settings {
    long count; /* numbers of all PEs */
    long seed;
    int way;
};

/* Darts under way at most. */
#define STRETCH 65536

struct board {
    long slots;       /* of all PEs: slot i is slot i / npes of PE i % npes */
    long *slot;       /* symmetric: a number, or FREE */
    long *found;      /* symmetric: how many numbers each PE's slots hold */
    long per_pe;      /* the permutation's entry i is entry i % per_pe of PE i / per_pe */
    long *entry;      /* symmetric */
    long *seen;       /* symmetric: how often number i is in the permutation; i / npes of PE i % npes */
    long *number;     /* private: mine that have not hit yet */
    long waiting;
};

#define FREE (-1L)

/* Throws so many numbers, and keeps those that did not hit. */
static void throw_some(struct board *board, shmem_ctx_t ctx, int way, uint64_t *random, long count)
{
    static long hit[STRETCH];
    const int npes = shmem_n_pes();
    long *const number = board->number + board->waiting - count;
    for (long i = 0; i < count; i++) {
        const long place = app_random_below(random, board->slots);
        long *slot = &board->slot[place / npes];
        const int pe = (int)(place % npes);
        if (way == WAY_PLAIN)
            hit[i] = shmem_ctx_long_atomic_compare_swap(ctx, slot, FREE, number[i], pe);
        else
            shmem_ctx_long_atomic_compare_swap_nbi(ctx, &hit[i], slot, FREE, number[i], pe);
    }
    shmem_ctx_quiet(ctx);
    long kept = 0;
    for (long i = 0; i < count; i++)
        if (hit[i] != FREE)
            number[kept++] = number[i];
    board->waiting -= count - kept;
}

static void throw_all(const struct settings *settings, struct board *board)
{
    uint64_t random = (uint64_t)settings->seed << 32 | (uint64_t)shmem_my_pe();
    random = app_random(&random);
    const shmem_ctx_t ctx = way_open(settings->way);
    while (board->waiting > 0)
        throw_some(board, ctx, settings->way, &random, board->waiting < STRETCH ? board->waiting : STRETCH);
    way_close(settings->way, ctx);
    shmem_barrier_all();
}

/* Brings this PE's numbers together; returns how many lie on PEs before it. */
static long compact(struct board *board, long *count)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    static long mine;
    *count = 0;
    for (long place = me; place < board->slots; place += npes)
        if (board->slot[place / npes] != FREE)
            board->slot[(*count)++] = board->slot[place / npes];
    mine = *count;
    shmem_long_fcollect(SHMEM_TEAM_WORLD, board->found, &mine, 1);
    long before = 0;
    for (int pe = 0; pe < me; pe++)
        before += board->found[pe];
    return before;
}

/* Consecutive entries: one put for each PE that holds some of them. */
static void write_entries(struct board *board, long first, long count)
{
    for (long done = 0, part; done < count; done += part) {
        const long at = (first + done) % board->per_pe;
        part = board->per_pe - at < count - done ? board->per_pe - at : count - done;
        shmem_long_put_nbi(board->entry + at, board->slot + done, (size_t)part,
                           (int)((first + done) / board->per_pe));
    }
    shmem_barrier_all();
}

static long my_entries(const struct settings *settings, const struct board *board)
{
    const long left = settings->count - shmem_my_pe() * board->per_pe;
    return left < 0 ? 0 : left < board->per_pe ? left : board->per_pe;
}

/* Every number is there once. */
static int verify(const struct settings *settings, struct board *board)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    long outside = 0, wrong = 0;
    for (long i = 0; i < my_entries(settings, board); i++) {
        const long number = board->entry[i];
        if (number < 0 || number >= settings->count)
            outside++;
        else
            shmem_long_atomic_inc(&board->seen[number / npes], (int)(number % npes));
    }
    shmem_barrier_all();
    for (long number = me; number < settings->count; number += npes)
        wrong += board->seen[number / npes] != 1;
    wrong = app_sum_long(wrong);
    outside = app_sum_long(outside);
    if (wrong != 0 || outside != 0)
        return app_fail("%ld numbers are not there once, %ld entries are no numbers of the permutation",
                        wrong, outside);
    app_say("verified: each of %ld numbers is there once", settings->count);
    return 0;
}

static int permute(const struct settings *settings, struct board *board)
{
    long count;
    for (long i = 0; i < (board->slots + shmem_n_pes() - 1) / shmem_n_pes(); i++)
        board->slot[i] = FREE;
    shmem_barrier_all();
    const double begin = app_seconds();
    throw_all(settings, board);
    const long before = compact(board, &count);
    write_entries(board, before, count);
    const double seconds = app_max_double(app_seconds() - begin);
    app_report(seconds, (double)settings->count, "%ld numbers", settings->count);
    return verify(settings, board);
}

static int allocate(const struct settings *settings, struct board *board)
{
    const long npes = shmem_n_pes();
    const long first = app_block_first(settings->count, shmem_my_pe(), shmem_n_pes());
    *board = (struct board){.slots = 2 * settings->count, .per_pe = (settings->count + npes - 1) / npes};
    board->waiting = app_block_first(settings->count, shmem_my_pe() + 1, shmem_n_pes()) - first;
    board->number = calloc((size_t)board->waiting + 1, sizeof(long));
    if (app_agree(board->number == NULL) != 0)
        return app_fail("not enough memory for %ld numbers", settings->count);
    for (long i = 0; i < board->waiting; i++)
        board->number[i] = first + i;
    const struct {
        long **block;
        long count;
        const char *what;
    } blocks[] = {{&board->slot, (board->slots + npes - 1) / npes, "the slots"},
                  {&board->entry, board->per_pe, "the permutation"},
                  {&board->seen, board->per_pe, "the check"},
                  {&board->found, npes, "the PEs' counts"}};
    for (int i = 0; i < 4; i++)
        if ((*blocks[i].block = app_allocate((size_t)blocks[i].count, sizeof(long),
                                             blocks[i].what)) == NULL)
            return 1;
    return 0;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.count = 1000000, .seed = 1, .way = WAY_NBI};
    const struct app_option options[] = {
        {"--count", APP_COUNT, &settings.count, "numbers of all PEs", 1, 2e9, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random slots", 0, 1e9, NULL},
        WAY_OPTION(&settings.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Makes a random permutation over all PEs.", options);
    if (status != APP_RUN)
        return status;
    struct board board;
    status = allocate(&settings, &board);
    if (status == 0)
        status = permute(&settings, &board);
    shmem_free(board.found);
    shmem_free(board.seen);
    shmem_free(board.entry);
    shmem_free(board.slot);
    free(board.number);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}

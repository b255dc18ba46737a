/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transpose of a random sparse matrix that lies by rows on all PEs. See README.md.
 */
#include "app.h"
#include "lists.h"
#include "way.h"

#include <stdlib.h>

struct settings {
    long rows, columns;
    long per_row; /* entries */
    long seed;
    int way;
};

/* What the entry in a row and column holds: a whole number below 2^40, with all of a place's bits in it. */
static double entry(long row, long column)
{
    uint64_t state = (uint64_t)row << 32 ^ (uint64_t)column;
    return (double)(app_random(&state) >> 24);
}

/* Distinct columns, drawn without those that the row has. */
static void make_row(const struct settings *settings, uint64_t *random, long row, struct pair *pairs)
{
    for (long i = 0; i < settings->per_row; i++) {
        long column, same = 0;
        do {
            column = app_random_below(random, settings->columns);
            for (same = 0; same < i && pairs[same].row != column; same++)
                ;
        } while (same < i);
        /* What is a column here is a row of the transpose. */
        pairs[i] = (struct pair){column, row, entry(row, column)};
    }
}

static struct pair *make_matrix(const struct settings *settings, long *count)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long first = app_block_first(settings->rows, me, npes);
    const long end = app_block_first(settings->rows, me + 1, npes);
    uint64_t random = (uint64_t)settings->seed << 32 | (uint64_t)me;
    random = app_random(&random);
    *count = (end - first) * settings->per_row;
    struct pair *pairs = malloc(((size_t)*count + 1) * sizeof *pairs);
    for (long row = first; pairs != NULL && row < end; row++)
        make_row(settings, &random, row, pairs + (row - first) * settings->per_row);
    return pairs;
}

static int compare_longs(const void *left, const void *right)
{
    const long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

/* Entries that do not belong where they are, and those that are there twice. */
static long count_wrong(const struct lists *transposed)
{
    const long first = lists_first(transposed, shmem_my_pe());
    long wrong = 0;
    for (long row = 0; row < transposed->count; row++) {
        const long begin = transposed->start[row], end = transposed->start[row + 1];
        for (long i = begin; i < end; i++)
            wrong += transposed->value[i] != entry(transposed->column[i], first + row);
        qsort(transposed->column + begin, (size_t)(end - begin), sizeof(long), compare_longs);
        for (long i = begin + 1; i < end; i++)
            wrong += transposed->column[i] == transposed->column[i - 1];
    }
    return app_sum_long(wrong);
}

static int verify(const struct settings *settings, const struct lists *transposed)
{
    const long expected = settings->rows * settings->per_row, wrong = count_wrong(transposed);
    if (wrong != 0 || transposed->all != expected)
        return app_fail("the transpose has %ld entries instead of %ld, %ld of them wrong", transposed->all,
                        expected, wrong);
    app_say("verified: %ld entries, each once and where it belongs", expected);
    return 0;
}

static int transpose(const struct settings *settings)
{
    long count;
    struct pair *pairs = make_matrix(settings, &count);
    if (app_agree(pairs == NULL) != 0) {
        free(pairs);
        return app_fail("not enough memory for the matrix");
    }
    struct lists transposed;
    shmem_barrier_all();
    const double begin = app_seconds();
    int status = lists_build(&transposed, settings->way, settings->columns, pairs, count, true);
    const double seconds = app_max_double(app_seconds() - begin);
    free(pairs);
    if (status == 0) {
        app_report(seconds, (double)transposed.all, "%ld x %ld, %ld entries,", settings->rows,
                   settings->columns, transposed.all);
        status = verify(settings, &transposed);
    }
    lists_free(&transposed);
    return status;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.rows = 100000, .columns = 100000, .per_row = 10, .seed = 1,
                                .way = WAY_NBI};
    const struct app_option options[] = {
        {"--rows", APP_COUNT, &settings.rows, "of the matrix", 1, 4e9, NULL},
        {"--columns", APP_COUNT, &settings.columns, "of the matrix", 1, 4e9, NULL},
        {"--per-row", APP_COUNT, &settings.per_row, "entries in each row", 0, 1000, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random columns", 0, 1e9, NULL},
        WAY_OPTION(&settings.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Transposes a random sparse matrix over all PEs.", options);
    if (status != APP_RUN)
        return status;
    if (settings.per_row > settings.columns)
        return app_fail("--per-row: %ld entries do not fit into %ld columns", settings.per_row,
                        settings.columns);
    return transpose(&settings);
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds an order of rows and one of columns that make a shuffled matrix upper triangular again: a row with
 * one column left is the last one of those that remain, and its column leaves all other rows. See
 * README.md.
 */
#include "app.h"
#include "lists.h"
#include "matrix.h"
#include "way.h"

#include <stdlib.h>

struct settings {
    long order, extra, seed;
    int way;
};

/* A row's state is one word: how many columns it has left, above COLUMN_BITS bits with the sum of their
 * numbers, so that one fetch-and-add takes a column away and tells which one remains. */
#define COLUMN_BITS 44

/* Columns of other rows that are taken away at a time. */
#define STRETCH 16384

struct found {
    long row, column;
};

struct sort {
    struct matrix matrix;
    struct lists rows_of;  /* of each column */
    long *state;           /* symmetric, by rows as rows_of has columns */
    long *row_place;       /* symmetric */
    long *column_place;    /* symmetric */
    long *taken;           /* symmetric: PE 0's counts places that have been given */
    struct found *level;   /* private: rows with one column left, found by this PE */
    struct found *next;
    long count, next_count; /* no more than the order */
    long levels;
};

static void append(struct sort *sort, long row, long state)
{
    if (state >> COLUMN_BITS == 1)
        sort->next[sort->next_count++] = (struct found){row, state & ((1L << COLUMN_BITS) - 1)};
}

/* What was found becomes what is looked at. */
static void begin_level(struct sort *sort)
{
    struct found *level = sort->level;
    sort->level = sort->next;
    sort->next = level;
    sort->count = sort->next_count;
    sort->next_count = 0;
}

/* Rows that wait for the answer to the fetch-and-add that takes a column away from them. */
struct removal {
    struct sort *sort;
    shmem_ctx_t ctx;
    int way;
    const struct found *found; /* whose columns are being taken away */
    long column[LISTS_READ];   /* those */
    long count;
    long row[STRETCH], taken[STRETCH], before[STRETCH];
};

static void look(struct removal *removal)
{
    shmem_ctx_quiet(removal->ctx);
    for (long i = 0; i < removal->count; i++)
        append(removal->sort, removal->row[i], removal->before[i] - removal->taken[i]);
    removal->count = 0;
}

/* Of the row that a column's list has, unless it is the one found with the column. */
static void take_away(void *state_of_all, int index, long row)
{
    struct removal *removal = state_of_all;
    struct sort *sort = removal->sort;
    if (row == removal->found[index].row)
        return;
    const long column = removal->column[index];
    const long i = removal->count++, taken = (1L << COLUMN_BITS) + column, per_pe = sort->rows_of.per_pe;
    const int pe = (int)(row / per_pe);
    long *state = &sort->state[row % per_pe];
    removal->row[i] = row;
    removal->taken[i] = taken;
    if (removal->way == WAY_PLAIN)
        removal->before[i] = shmem_ctx_long_atomic_fetch_add(removal->ctx, state, -taken, pe);
    else
        shmem_ctx_long_atomic_fetch_add_nbi(removal->ctx, &removal->before[i], state, -taken, pe);
    if (removal->way == WAY_PLAIN || removal->count == STRETCH)
        look(removal);
}

static void remove_columns(struct sort *sort, struct removal *removal, const struct found *found, int count)
{
    removal->found = found;
    for (int i = 0; i < count; i++)
        removal->column[i] = found[i].column;
    lists_read(&sort->rows_of, removal->ctx, removal->column, count, take_away, removal);
}

/* Gives this level's rows and columns their places, from the end of what is left. */
static void place_level(struct sort *sort, shmem_ctx_t ctx)
{
    const long per_pe = sort->rows_of.per_pe, order = sort->matrix.order;
    const long taken = sort->count > 0 ? shmem_long_atomic_fetch_add(sort->taken, sort->count, 0) : 0;
    for (long i = 0; i < sort->count; i++) {
        const struct found *found = &sort->level[i];
        const long place = order - 1 - (taken + i);
        shmem_ctx_long_p(ctx, &sort->row_place[found->row % per_pe], place, (int)(found->row / per_pe));
        shmem_ctx_long_p(ctx, &sort->column_place[found->column % per_pe], place,
                         (int)(found->column / per_pe));
    }
}

static void sort_levels(struct sort *sort, int way)
{
    static struct removal removal;
    removal = (struct removal){.sort = sort, .ctx = way_open(way), .way = way};
    while (app_sum_long(sort->count) > 0) {
        const int step = way == WAY_PLAIN ? 1 : LISTS_READ;
        sort->levels++;
        place_level(sort, removal.ctx);
        for (long done = 0; done < sort->count; done += step)
            remove_columns(sort, &removal, sort->level + done,
                           sort->count - done < step ? (int)(sort->count - done) : step);
        look(&removal);
        begin_level(sort);
    }
    way_close(way, removal.ctx);
    shmem_barrier_all();
}

/* Every place of 0 .. order - 1 is there once. Returns a private copy of all of them, or NULL. */
static long *collect(const struct sort *sort, const long *places, long *wrong)
{
    const long order = sort->matrix.order, per_pe = sort->rows_of.per_pe;
    long *all = malloc((size_t)order * sizeof *all);
    char *seen = calloc((size_t)order, 1);
    for (int pe = 0; all != NULL && pe < shmem_n_pes(); pe++) {
        const long first = lists_first(&sort->rows_of, pe), end = lists_first(&sort->rows_of, pe + 1);
        if (end > first)
            shmem_long_get(all + pe * per_pe, places, (size_t)(end - first), pe);
    }
    for (long i = 0; all != NULL && seen != NULL && i < order; i++)
        if (all[i] < 0 || all[i] >= order || seen[all[i]]++)
            (*wrong)++;
    if (seen == NULL) {
        free(all);
        all = NULL;
    }
    free(seen);
    return all;
}

/* Entries of my rows below the diagonal, and rows without one on it. */
static long count_below(const struct sort *sort, const long *row_place, const long *column_place,
                        long *column)
{
    const int me = shmem_my_pe();
    long wrong = 0;
    for (long row = lists_first(&sort->rows_of, me); row < lists_first(&sort->rows_of, me + 1); row++) {
        const long count = matrix_row(&sort->matrix, row, column);
        bool diagonal = false;
        for (long i = 0; i < count; i++) {
            wrong += column_place[column[i]] < row_place[row];
            diagonal = diagonal || column_place[column[i]] == row_place[row];
        }
        wrong += !diagonal;
    }
    return wrong;
}

static int verify(const struct sort *sort, long *column)
{
    long wrong = 0;
    long *rows = collect(sort, sort->row_place, &wrong);
    long *columns = collect(sort, sort->column_place, &wrong);
    int status = app_agree(rows == NULL || columns == NULL);
    if (status != 0)
        app_fail("not enough memory for the check");
    else
        wrong = app_sum_long(wrong + count_below(sort, rows, columns, column));
    free(columns);
    free(rows);
    if (status == 0 && wrong != 0)
        return app_fail("the matrix is not upper triangular: %ld entries or places are wrong", wrong);
    if (status == 0)
        app_say("verified: every one of %ld entries is on or above the diagonal, none of which is empty",
                sort->rows_of.all);
    return status;
}

/* The shuffled matrix, as state of its rows and as pairs of its columns. */
static struct pair *make_pairs(struct sort *sort, long *column, long *count)
{
    const int me = shmem_my_pe();
    const long npes = shmem_n_pes(), order = sort->matrix.order, per_pe = (order + npes - 1) / npes;
    const long first = me * per_pe < order ? me * per_pe : order;
    const long end = first + per_pe < order ? first + per_pe : order;
    const size_t most = (size_t)(end - first) * (size_t)(sort->matrix.extra + 1);
    struct pair *pairs = malloc((most + 1) * sizeof *pairs);
    *count = 0;
    for (long row = first; pairs != NULL && row < end; row++) {
        const long columns = matrix_row(&sort->matrix, row, column);
        sort->state[row - first] = columns << COLUMN_BITS;
        for (long i = 0; i < columns; i++) {
            sort->state[row - first] += column[i];
            pairs[(*count)++] = (struct pair){.row = column[i], .column = row};
        }
        append(sort, row, sort->state[row - first]);
    }
    return pairs;
}

static int sort_and_verify(const struct settings *settings, struct sort *sort, long *column)
{
    long count;
    struct pair *pairs = make_pairs(sort, column, &count);
    int status = app_agree(pairs == NULL);
    if (status != 0)
        app_fail("not enough memory for the matrix");
    else
        status = lists_build(&sort->rows_of, settings->way, settings->order, pairs, count, false);
    free(pairs);
    if (status != 0)
        return status;
    begin_level(sort);
    const double begin = app_seconds();
    sort_levels(sort, settings->way);
    const double seconds = app_max_double(app_seconds() - begin);
    app_report(seconds, (double)sort->rows_of.all, "order %ld, %ld entries, %ld levels,", settings->order,
               sort->rows_of.all, sort->levels);
    return verify(sort, column);
}

static int allocate(const struct settings *settings, struct sort *sort, long **column)
{
    const size_t npes = (size_t)shmem_n_pes(), per_pe = ((size_t)settings->order + npes - 1) / npes;
    sort->level = malloc((size_t)settings->order * sizeof *sort->level);
    sort->next = malloc((size_t)settings->order * sizeof *sort->next);
    *column = malloc(((size_t)settings->extra + 1) * sizeof **column);
    if (app_agree(sort->level == NULL || sort->next == NULL || *column == NULL) != 0)
        return app_fail("not enough memory for a matrix of order %ld", settings->order);
    return (sort->state = app_allocate(per_pe, sizeof(long), "the rows")) == NULL ||
           (sort->row_place = app_allocate(per_pe, sizeof(long), "the rows' places")) == NULL ||
           (sort->column_place = app_allocate(per_pe, sizeof(long), "the columns' places")) == NULL ||
           (sort->taken = app_allocate(1, sizeof(long), "the count of places")) == NULL;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.order = 100000, .extra = 4, .seed = 1, .way = WAY_NBI};
    const struct app_option options[] = {
        {"--order", APP_COUNT, &settings.order, "of the matrix", 1, 1e8, NULL},
        {"--extra", APP_COUNT, &settings.extra, "entries in a row beside the diagonal, at most", 0, 1000,
         NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the matrix", 0, 1e9, NULL},
        WAY_OPTION(&settings.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Makes a shuffled triangular matrix triangular again.", options);
    if (status != APP_RUN)
        return status;
    struct sort sort = {0};
    long *column = NULL;
    matrix_make(&sort.matrix, settings.order, settings.extra, settings.seed);
    status = allocate(&settings, &sort, &column);
    if (status == 0)
        status = sort_and_verify(&settings, &sort, column);
    lists_free(&sort.rows_of);
    shmem_free(sort.taken);
    shmem_free(sort.column_place);
    shmem_free(sort.row_place);
    shmem_free(sort.state);
    free(column);
    free(sort.next);
    free(sort.level);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}

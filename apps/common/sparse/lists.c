/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists out of pairs, in two passes: the lengths of all lists, then their contents.
 */
#include "lists.h"

#include "app.h"
#include "way.h"

/* Pairs whose places are asked for at a time. */
#define STRETCH 16384

static void count_columns(const struct lists *lists, int way, const struct pair *pairs, long count)
{
    const shmem_ctx_t ctx = way_open(way);
    for (long i = 0; i < count; i++)
        shmem_ctx_long_atomic_inc(ctx, &lists->place[pairs[i].row % lists->per_pe],
                                  lists_owner(lists, pairs[i].row));
    way_close(way, ctx);
    shmem_barrier_all();
}

/* Counts become places. */
static void add_up(struct lists *lists)
{
    for (long row = 0; row < lists->count; row++) {
        lists->start[row + 1] = lists->start[row] + lists->place[row];
        lists->place[row] = lists->start[row];
    }
    lists->all = app_sum_long(lists->start[lists->count]);
}

static void put_columns(const struct lists *lists, shmem_ctx_t ctx, int way, const struct pair *pairs,
                        long count)
{
    static long place[STRETCH];
    for (long i = 0; i < count; i++) {
        long *next = &lists->place[pairs[i].row % lists->per_pe];
        const int pe = lists_owner(lists, pairs[i].row);
        if (way == WAY_PLAIN)
            place[i] = shmem_ctx_long_atomic_fetch_inc(ctx, next, pe);
        else
            shmem_ctx_long_atomic_fetch_inc_nbi(ctx, &place[i], next, pe);
    }
    shmem_ctx_quiet(ctx);
    for (long i = 0; i < count; i++) {
        const int pe = lists_owner(lists, pairs[i].row);
        shmem_ctx_long_p(ctx, &lists->column[place[i]], pairs[i].column, pe);
        if (lists->value != NULL)
            shmem_ctx_double_p(ctx, &lists->value[place[i]], pairs[i].value, pe);
    }
}

static void fill(const struct lists *lists, int way, const struct pair *pairs, long count)
{
    const shmem_ctx_t ctx = way_open(way);
    for (long done = 0, part; done < count; done += part) {
        part = count - done < STRETCH ? count - done : STRETCH;
        put_columns(lists, ctx, way, pairs + done, part);
    }
    way_close(way, ctx);
    shmem_barrier_all();
}

int lists_build(struct lists *lists, int way, long rows, const struct pair *pairs, long count, bool values)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    *lists = (struct lists){.rows = rows, .per_pe = (rows + npes - 1) / npes};
    lists->count = lists_first(lists, me + 1) - lists_first(lists, me);
    if ((lists->start = app_allocate((size_t)lists->per_pe + 1, sizeof(long),
                                     "the rows' places")) == NULL ||
        (lists->place = app_allocate((size_t)lists->per_pe, sizeof(long), "the rows' lengths")) == NULL)
        return 1;
    count_columns(lists, way, pairs, count);
    add_up(lists);
    const size_t most = (size_t)app_max_double((double)lists->start[lists->count]);
    if ((lists->column = app_allocate(most, sizeof(long), "the matrix's columns")) == NULL ||
        (values && (lists->value = app_allocate(most, sizeof(double), "the matrix's values")) == NULL))
        return 1;
    fill(lists, way, pairs, count);
    return 0;
}

struct reader {
    long ends[LISTS_READ][2]; /* where the rest of each list lies on its owner */
    long column[STRETCH];
};

/* Asks for lists, whole ones while there is room, or a part of a long one. Returns the list after the last
 * of them. */
static int ask_for_lists(const struct lists *lists, shmem_ctx_t ctx, struct reader *reader, const long *row,
                         int from, int count)
{
    long used = 0;
    int to = from;
    for (; to < count; to++) {
        const long length = reader->ends[to][1] - reader->ends[to][0];
        const long part = length <= STRETCH ? length : STRETCH;
        if (used + part > STRETCH)
            break;
        if (part > 0)
            shmem_ctx_long_get_nbi(ctx, reader->column + used, &lists->column[reader->ends[to][0]],
                                   (size_t)part, lists_owner(lists, row[to]));
        used += part;
    }
    shmem_ctx_quiet(ctx);
    return to;
}

void lists_read(const struct lists *lists, shmem_ctx_t ctx, const long *row, int count,
                void (*each)(void *state, int index, long column), void *state)
{
    static struct reader reader;
    for (int i = 0; i < count; i++)
        shmem_ctx_long_get_nbi(ctx, reader.ends[i], &lists->start[row[i] % lists->per_pe], 2,
                               lists_owner(lists, row[i]));
    shmem_ctx_quiet(ctx);
    for (int from = 0; from < count;) {
        const int to = ask_for_lists(lists, ctx, &reader, row, from, count);
        long at = 0;
        for (int i = from; i < to; i++)
            for (; reader.ends[i][0] < reader.ends[i][1] && at < STRETCH; at++, reader.ends[i][0]++)
                each(state, i, reader.column[at]);
        from = reader.ends[to - 1][0] < reader.ends[to - 1][1] ? to - 1 : to;
    }
}

void lists_free(struct lists *lists)
{
    shmem_free(lists->value);
    shmem_free(lists->column);
    shmem_free(lists->place);
    shmem_free(lists->start);
    *lists = (struct lists){0};
}

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
        shmem_ctx_long_atomic_inc(ctx, &lists->place[pairs[i].row % lists->per_pe], lists_owner(lists, pairs[i].row));
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

static void put_columns(const struct lists *lists, shmem_ctx_t ctx, int way, const struct pair *pairs, long count)
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
    if ((lists->start = app_allocate((size_t)lists->per_pe + 1, sizeof(long), "the rows' places")) == NULL ||
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

void lists_free(struct lists *lists)
{
    shmem_free(lists->value);
    shmem_free(lists->column);
    shmem_free(lists->place);
    shmem_free(lists->start);
    *lists = (struct lists){0};
}

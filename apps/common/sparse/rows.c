/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hands a matrix out: PE 0 puts each PE's block into that PE's symmetric memory.
 */
#include "rows.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* A row weighs its entries and one more, so that empty rows are shared out too. */
static long weight_before(const struct rows *rows, long row)
{
    return rows->start[row] + row;
}

/* Every PE computes the same blocks. */
static void choose_blocks(struct rows *rows, int npes)
{
    long total = weight_before(rows, rows->order), row = 0;
    for (int pe = 0; pe < npes; pe++) {
        while (weight_before(rows, row) < app_block_first(total, pe, npes))
            row++;
        rows->block[pe] = row;
    }
    rows->block[npes] = rows->order;
}

static void measure(struct rows *rows, int npes)
{
    rows->most = rows->longest = 0;
    for (int pe = 0; pe < npes; pe++) {
        long entries = rows->start[rows->block[pe + 1]] - rows->start[rows->block[pe]];
        rows->most = entries > rows->most ? entries : rows->most;
    }
    for (long r = 0; r < rows->order; r++) {
        long entries = rows->start[r + 1] - rows->start[r];
        rows->longest = entries > rows->longest ? entries : rows->longest;
    }
}

static void put_blocks(const struct csr *whole, struct rows *rows, int npes)
{
    for (int pe = 0; pe < npes; pe++) {
        long begin = rows->start[rows->block[pe]], end = rows->start[rows->block[pe + 1]];
        size_t entries = (size_t)(end - begin);
        shmem_long_put_nbi(rows->column, whole->column + begin, entries, pe);
        if (rows->value != NULL)
            shmem_double_put_nbi(rows->value, whole->value + begin, entries, pe);
    }
}

static int give_up(struct rows *rows)
{
    rows_free(rows);
    return 1;
}

int rows_scatter(const struct csr *whole, struct rows *rows)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    struct {
        long order;
        int values;
    } shape = {0, 0};
    if (me == 0) {
        shape.order = whole->order;
        shape.values = whole->value != NULL;
    }
    app_share(&shape, sizeof shape);

    *rows = (struct rows){.order = shape.order};
    rows->block = calloc((size_t)npes + 1, sizeof *rows->block);
    if (app_agree(rows->block == NULL) != 0)
        return app_fail("not enough memory");
    rows->start = app_allocate((size_t)shape.order + 1, sizeof(long), "the rows' places");
    if (rows->start == NULL)
        return give_up(rows);
    if (me == 0)
        memcpy(rows->start, whole->start, ((size_t)shape.order + 1) * sizeof(long));
    shmem_barrier_all();
    if (me != 0)
        shmem_long_get(rows->start, rows->start, (size_t)shape.order + 1, 0);

    choose_blocks(rows, npes);
    measure(rows, npes);
    rows->entries = rows->start[rows->order];
    rows->first = rows->block[me];
    rows->count = rows->block[me + 1] - rows->first;
    rows->column = app_allocate((size_t)rows->most, sizeof(long), "the matrix's columns");
    if (rows->column == NULL)
        return give_up(rows);
    if (shape.values) {
        rows->value = app_allocate((size_t)rows->most, sizeof(double), "the matrix's values");
        if (rows->value == NULL)
            return give_up(rows);
    }
    if (me == 0)
        put_blocks(whole, rows, npes);
    shmem_barrier_all();
    return 0;
}

int rows_owner(const struct rows *rows, long row)
{
    int low = 0, high = shmem_n_pes() - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (rows->block[middle] <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void rows_free(struct rows *rows)
{
    shmem_free(rows->value);
    shmem_free(rows->column);
    shmem_free(rows->start);
    free(rows->block);
    *rows = (struct rows){0};
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compressed sparse rows out of sorted entries.
 */
#include "csr.h"

#include <stdlib.h>

int csr_create(struct csr *matrix, long order, long entries, bool values)
{
    matrix->order = order;
    matrix->start = calloc((size_t)order + 1, sizeof *matrix->start);
    matrix->column = calloc((size_t)entries + 1, sizeof *matrix->column);
    matrix->value = values ? calloc((size_t)entries + 1, sizeof *matrix->value) : NULL;
    if (matrix->start != NULL && matrix->column != NULL && (!values || matrix->value != NULL))
        return 0;
    csr_free(matrix);
    return -1;
}

void csr_free(struct csr *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
    *matrix = (struct csr){0};
}

/* Counts in start[r + 1] become positions: start[r] is where row r begins. */
static void add_up(struct csr *matrix)
{
    for (long r = 0; r < matrix->order; r++)
        matrix->start[r + 1] += matrix->start[r];
}

/* Moves each start[r], which has run on to row r's end, back to its beginning. */
static void rewind_starts(struct csr *matrix)
{
    for (long r = matrix->order; r > 0; r--)
        matrix->start[r] = matrix->start[r - 1];
    matrix->start[0] = 0;
}

static void append(struct csr *matrix, long row, long column, double value)
{
    long position = matrix->start[row]++;
    matrix->column[position] = column;
    if (matrix->value != NULL)
        matrix->value[position] = value;
}

int csr_from_mtx(const struct mtx *source, struct csr *matrix)
{
    bool mirrored = source->symmetry != MTX_GENERAL;
    if (csr_create(matrix, source->rows, source->count * (mirrored ? 2 : 1), true) != 0)
        return -1;
    for (long i = 0; i < source->count; i++) {
        const struct mtx_entry *entry = &source->entry[i];
        matrix->start[entry->row + 1]++;
        if (mirrored && entry->row != entry->column)
            matrix->start[entry->column + 1]++;
    }
    add_up(matrix);
    /* Row r's own entries (columns up to r) all come before any row below r adds a mirror image
     * (columns beyond r, ascending): the columns end up sorted. */
    for (long i = 0; i < source->count; i++) {
        const struct mtx_entry *entry = &source->entry[i];
        append(matrix, entry->row, entry->column, entry->value);
        if (mirrored && entry->row != entry->column)
            append(matrix, entry->column, entry->row,
                   source->symmetry == MTX_SKEW ? -entry->value : entry->value);
    }
    rewind_starts(matrix);
    return 0;
}

static int compare_longs(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

/* Sorts each row and keeps one of equal columns: a general matrix may hold both (i, j) and
 * (j, i), which are one edge. */
static void sort_rows(struct csr *graph)
{
    long kept = 0, begin = 0;
    for (long r = 0; r < graph->order; r++) {
        long end = graph->start[r + 1], first = kept;
        qsort(graph->column + begin, (size_t)(end - begin), sizeof(long), compare_longs);
        for (long k = begin; k < end; k++)
            if (kept == first || graph->column[kept - 1] != graph->column[k])
                graph->column[kept++] = graph->column[k];
        graph->start[r + 1] = kept;
        begin = end;
    }
}

int csr_graph_from_mtx(const struct mtx *source, struct csr *graph)
{
    if (csr_create(graph, source->rows, source->count, false) != 0)
        return -1;
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < source->count; i++) {
            long row = source->entry[i].row, column = source->entry[i].column;
            long larger = row > column ? row : column, smaller = row > column ? column : row;
            if (larger == smaller)
                continue;
            if (pass == 0)
                graph->start[larger + 1]++;
            else
                append(graph, larger, smaller, 1.0);
        }
        if (pass == 0)
            add_up(graph);
    }
    rewind_starts(graph);
    sort_rows(graph);
    return 0;
}

long csr_find(const struct csr *matrix, long row, long column)
{
    long low = matrix->start[row], high = matrix->start[row + 1];
    while (low < high) {
        long middle = low + (high - low) / 2;
        if (matrix->column[middle] == column)
            return middle;
        if (matrix->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

bool csr_is_symmetric(const struct csr *matrix)
{
    for (long r = 0; r < matrix->order; r++)
        for (long k = matrix->start[r]; k < matrix->start[r + 1]; k++) {
            long mirror = csr_find(matrix, matrix->column[k], r);
            if (mirror < 0 || matrix->value[mirror] != matrix->value[k])
                return false;
        }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See view.h.
 */
#include "view.h"

#include "die.h"

#include <stdlib.h>
#include <string.h>

/* Negative where a comes first. Figures: the largest first. */
typedef int compare_pes(const struct top_pe *a, const struct top_pe *b);

static int larger(double a, double b)
{
    return (a < b) - (a > b);
}

static int by_pe(const struct top_pe *a, const struct top_pe *b)
{
    return (a->pe > b->pe) - (a->pe < b->pe);
}

static int by_host(const struct top_pe *a, const struct top_pe *b)
{
    return strcmp(a->host, b->host);
}

static int by_state(const struct top_pe *a, const struct top_pe *b)
{
    return strcmp(a->row.state, b->row.state);
}

static int by_since(const struct top_pe *a, const struct top_pe *b)
{
    return larger(a->wait, b->wait);
}

static int by_cpu(const struct top_pe *a, const struct top_pe *b)
{
    return larger(a->cpu, b->cpu);
}

static int by_heap(const struct top_pe *a, const struct top_pe *b)
{
    return larger(a->heap, b->heap);
}

static int by_near(const struct top_pe *a, const struct top_pe *b)
{
    return larger(a->near.bytes, b->near.bytes);
}

static int by_far(const struct top_pe *a, const struct top_pe *b)
{
    return larger(a->far.bytes, b->far.bytes);
}

static int by_call(const struct top_pe *a, const struct top_pe *b)
{
    int order = strcmp(a->row.call, b->row.call);
    return order ? order : strcmp(a->row.site, b->row.site);
}

static const struct column {
    const char *name;
    compare_pes *compare;
} columns[] = {{"pe", by_pe},     {"host", by_host}, {"state", by_state},
               {"since", by_since}, {"cpu", by_cpu},   {"heap", by_heap},
               {"near", by_near}, {"far", by_far},   {"call", by_call}};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))
const char top_columns[] = "pe, host, state, since, cpu, heap, near, far or call";

int top_view_column(const char *name)
{
    for (int i = 0; i < COLUMNS; i++)
        if (!strcmp(columns[i].name, name))
            return i;
    return -1;
}

const char *top_view_column_name(int column)
{
    return columns[column].name;
}

int top_view_next_column(int column)
{
    return (column + 1) % COLUMNS;
}

static bool is_shown(const struct top_view *view, const struct top_pe *pe)
{
    return !view->filter || strcasestr(pe->host, view->filter) ||
           strcasestr(pe->row.state, view->filter) || strcasestr(pe->row.call, view->filter) ||
           strcasestr(pe->row.site, view->filter);
}

struct order {
    const struct top_view *view;
    const struct top_pe *pes;
};

/* PEs that are equal stay in the order of their numbers. */
static int compare(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    const struct top_pe *first = &order->pes[*(const int *)a], *second = &order->pes[*(const int *)b];
    int result = columns[order->view->column].compare(first, second);
    if (order->view->is_reversed)
        result = -result;
    return result ? result : by_pe(first, second);
}

int top_view_apply(const struct top_view *view, const struct top_job *job, int **places)
{
    struct order order = {view, job->pes};
    int count = 0;
    *places = calloc((size_t)job->npes, sizeof **places);
    if (!*places)
        top_die(1, "SH904 out of memory");
    for (int i = 0; i < job->npes; i++)
        if (is_shown(view, &job->pes[i]))
            (*places)[count++] = i;
    qsort_r(*places, (size_t)count, sizeof **places, compare, &order);
    return count;
}

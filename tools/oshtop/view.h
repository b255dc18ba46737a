/* SPDX-License-Identifier: BSD-3-Clause
 * Which PEs are shown, and in which order.
 */
#ifndef SHEAF_OSHTOP_VIEW_H
#define SHEAF_OSHTOP_VIEW_H

#include "job.h"

struct top_view {
    int column;         /* by which is sorted */
    bool is_reversed;
    const char *filter; /* a text that host, state, call or place of a PE holds; NULL: all are shown */
};

extern const char top_columns[]; /* their names, for messages */

/* The number of the column of that name; -1: there is none. */
int top_view_column(const char *name);
const char *top_view_column_name(int column);
int top_view_next_column(int column);

/* The PEs of a job that are shown, in order: places in job->pes, in an array to be freed. */
int top_view_apply(const struct top_view *view, const struct top_job *job, int **places);

#endif

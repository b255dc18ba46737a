/* SPDX-License-Identifier: BSD-3-Clause
 * A snapshot as text: of each job a line about it, a heading, and a line for each PE.
 */
#ifndef SHEAF_OSHTOP_TABLE_H
#define SHEAF_OSHTOP_TABLE_H

#include "view.h"

#include <stdio.h>

void top_table_print(const struct top_jobs *jobs, const struct top_view *view, FILE *out);

/* The same as one JSON object on a line. What is not known is null. */
void top_json_print(const struct top_jobs *jobs, const struct top_view *view, FILE *out);

#endif

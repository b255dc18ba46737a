/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the PEs of other hosts do. The lowest PE of this host asks the others' (boot/job_report), and
 * gives the answer as an open file of its own.
 */
#ifndef SHEAF_TOOLS_COMMON_ASK_H
#define SHEAF_TOOLS_COMMON_ASK_H

#include "report/report.h"

#include <stdbool.h>

/* report: as taken of the job. In its place comes the one of all hosts. Within 2 s; false: nobody answers,
 * and the report is as it was. */
bool sheaf_ask_for_all(struct sheaf_report *report, const struct sheaf_report_job *job);

/* The stacks of the other hosts' PEs, lines of text in an open file. Within 25 s; -1: nobody answers. */
int sheaf_ask_for_stacks(const struct sheaf_report *report, const struct sheaf_report_job *job);

#endif

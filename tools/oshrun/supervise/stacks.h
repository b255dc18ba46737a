/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stacks of every thread of the PEs.
 */
#ifndef SHEAF_OSHRUN_STACKS_H
#define SHEAF_OSHRUN_STACKS_H

#include "report/report.h"

#include <stdio.h>

/* Prints the stacks of the PEs on this host; prints a line where no debugger is installed, or the
 * debugger has no permission. */
void sheaf_stacks_print(const struct sheaf_report *report, FILE *out);

/* Prints the stacks of PEs on the job's other hosts, each of which is asked; prints which hosts do not
 * answer. */
void sheaf_stacks_print_elsewhere(const struct sheaf_report *report, const struct sheaf_report_job *job,
                                  FILE *out);

#endif

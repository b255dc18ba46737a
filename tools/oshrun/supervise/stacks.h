/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where every thread of the PEs is.
 */
#ifndef SHEAF_OSHRUN_STACKS_H
#define SHEAF_OSHRUN_STACKS_H

#include "report/report.h"

#include <stdio.h>

/* Of those PEs that live here; says so where no debugger is installed, or it may not look. */
void sheaf_stacks_print(const struct sheaf_report *report, FILE *out);

/* Of those of the job's other hosts, each of which is asked; which, where they do not answer. */
void sheaf_stacks_print_elsewhere(const struct sheaf_report *report, const struct sheaf_report_job *job,
                                  FILE *out);

#endif

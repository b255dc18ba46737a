/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a report goes: standard error, or a file that the one who asked reads.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_TELL_H
#define SHEAF_BOOT_JOB_REPORT_TELL_H

#include "report/report.h"

/* Each a sheaf_gather_done. write: an anonymous file, named in the control area. */
void sheaf_tell_print(struct sheaf_report *report);
void sheaf_tell_write(struct sheaf_report *report);

/* The same of the other hosts' stacks, as lines of text. */
void sheaf_tell_write_stacks(struct sheaf_report *report);

/* With a line before it. */
void sheaf_tell_print_after(struct sheaf_report *report, const char *line);

/* The folder of SHEAF_RECORD; NULL where it is not set. */
const char *sheaf_tell_folder(void);

/* Keeps it in the folder of SHEAF_RECORD, where there is one. */
void sheaf_tell_keep(struct sheaf_report *report);

/* The same of this node's PEs, once. is_here: this node is the one to say so, on standard error. */
void sheaf_tell_keep_node(bool is_here);

/* What this node's PEs do, without the others. */
void sheaf_tell_node(void);

#endif

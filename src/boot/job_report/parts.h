/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts that other hosts have sent, as they came, until the report is made of them. For gather.c.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_PARTS_H
#define SHEAF_BOOT_JOB_REPORT_PARTS_H

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

void sheaf_parts_clear(void);

/* Keeps a copy, unless that node has one already or all parts together are too much. */
void sheaf_parts_keep(int node, const char *bytes, size_t length);

/* Whether every other node has one. */
bool sheaf_parts_are_complete(void);

/* A node's, as it came: NULL where it has sent none. */
const char *sheaf_parts_of(int node, size_t *length);

/* Adds the PEs of all other nodes to this node's: those without a sound part as unknown. */
void sheaf_parts_join(struct sheaf_report *report);

#endif

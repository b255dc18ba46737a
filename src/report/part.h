/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host's part of a job's report, as bytes that travel to another host. Nothing that has travelled is
 * believed: a part is taken whole or not at all.
 */
#ifndef SHEAF_REPORT_PART_H
#define SHEAF_REPORT_PART_H

#include "report/report.h"

/* Who a part is of: the numbers of its PEs, ascending, and its host's name, as the reader knows them. */
struct sheaf_report_part {
    int npes;
    const int32_t *pes;
    const char *host;
};

/* The report, of one host, as bytes that are the caller's to free; of each PE so many calls, the last. NULL
 * without memory. Its length is no more than most for as many PEs. Sentences are made of
 * SHEAF_REPORT_CALLS, and of what the PE waits in. */
#define SHEAF_REPORT_CALLS 8
char *sheaf_report_pack(const struct sheaf_report *report, uint32_t calls, size_t *length);
size_t sheaf_report_most(int npes);

/* Adds a part to the report, which has at least one PE of this host. -1: it is none, or there is no
 * memory; nothing was added. Call places are looked up in files that PEs of this host run too, in no
 * others. */
int sheaf_report_unpack(struct sheaf_report *report, const struct sheaf_report_part *of,
                        const char *bytes, size_t length);

/* Adds PEs of which nothing is known, because their host does not answer. */
int sheaf_report_add_unknown(struct sheaf_report *report, const struct sheaf_report_part *of);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host's part of a job's report, as bytes that travel to another host. The receiver checks all of it,
 * and takes a part completely or not at all.
 */
#ifndef SHEAF_REPORT_PART_H
#define SHEAF_REPORT_PART_H

#include "report/report.h"

/* The PEs of a part, by ascending number, and its host's name, as the reader knows them. */
struct sheaf_report_part {
    int npes;
    const int32_t *pes;
    const char *host;
};

/* Packs the report of one host into bytes, which the caller frees; it contains the last calls of each
 * PE, this many. NULL without memory. The length is at most sheaf_report_most() of as many PEs.
 * Sentences use SHEAF_REPORT_CALLS calls and the PE's wait. */
#define SHEAF_REPORT_CALLS 8
char *sheaf_report_pack(const struct sheaf_report *report, uint32_t calls, size_t *length);
size_t sheaf_report_most(int npes);

/* Adds a part to the report, which has at least one PE of this host. Returns -1, with nothing added,
 * where it is not valid or there is no memory. Source lines of calls are looked up only in files that
 * PEs of this host run too. */
int sheaf_report_unpack(struct sheaf_report *report, const struct sheaf_report_part *of,
                        const char *bytes, size_t length);

/* Adds PEs about which nothing is known, because their host does not answer. */
int sheaf_report_add_unknown(struct sheaf_report *report, const struct sheaf_report_part *of);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process that serves PMIx: a fork of oshrun that has libpmix loaded, so that oshrun has neither
 * libpmix's threads nor its faults. It reports to oshrun, and ends when oshrun's end of the channel is
 * closed, for whatever reason: then it removes the job's folder.
 *
 *   oshrun <--(ready or failed; connected, finalized, aborted, spawning)-- PMIx process <--TCP-- a PE's MPI
 */
#ifndef SHEAF_OSHRUN_PMIX_PROCESS_H
#define SHEAF_OSHRUN_PMIX_PROCESS_H

#include "oshrun/hosts/proxy.h"

enum pmix_reported {
    REPORT_READY,
    REPORT_FAILED,
    REPORT_CONNECTED,
    REPORT_FINALIZED,
    REPORT_ABORTING,
    REPORT_SPAWNING
};

/* The words of READY: the folder, then "NAME=VALUE" for all PEs, each with a NUL behind it. The words
 * of FAILED: the reason. */
#define REPORT_WORDS 16384

struct pmix_report {
    int news; /* enum pmix_reported */
    int pe;
    int status; /* ABORTING */
    char words[REPORT_WORDS];
};

/* The bytes of a report before its words. */
#define REPORT_HEAD offsetof(struct pmix_report, words)

_Noreturn void sheaf_pmix_process_run(const struct options *options, int channel);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process that serves PMIx: a fork of oshrun that has libpmix loaded, so that oshrun has neither its
 * threads nor its faults. It reports to oshrun, and ends when oshrun's end of the channel is closed, by
 * whatever: then it removes the job's folder.
 *
 *   oshrun <--(ready or failed; connected, finalized, aborted, spawning)-- PMIx process <--TCP-- a PE's MPI
 */
#ifndef SHEAF_OSHRUN_PMIX_PROCESS_H
#define SHEAF_OSHRUN_PMIX_PROCESS_H

#include "oshrun/hosts/keeper.h"

enum pmix_reported {
    REPORT_READY,
    REPORT_FAILED,
    REPORT_CONNECTED,
    REPORT_FINALIZED,
    REPORT_ABORTING,
    REPORT_SPAWNING
};

/* The words of READY: the folder, then "NAME=VALUE" for all PEs, a NUL behind each. Of FAILED: why. */
#define REPORT_WORDS 16384

struct pmix_report {
    int news; /* enum pmix_reported */
    int pe;
    int status; /* ABORTING */
    char words[REPORT_WORDS];
};

/* What of a report travels. */
#define REPORT_HEAD offsetof(struct pmix_report, words)

_Noreturn void sheaf_pmix_process_run(const struct options *options, int channel);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job's health, for programs that watch it (oshtop --serve): which PEs others wait for, and whether PEs
 * are certain never to go on. The judgement needs no limit on times, so a PE that is slow is never taken
 * for one that hangs. It is made of two copies, of which each PE's second one is taken after all first
 * ones. A PE that is in the same wait in both has waited at the moment between the copies; all such PEs
 * have waited then, together.
 */
#ifndef SHEAF_REPORT_HEALTH_H
#define SHEAF_REPORT_HEALTH_H

#include "report/report.h"

enum sheaf_health_verdict {
    SHEAF_HEALTH_GOES_ON, /* nothing is known that keeps it from going on */
    SHEAF_HEALTH_CIRCLE,  /* PEs wait for each other */
    SHEAF_HEALTH_DIFFERS, /* PEs have made calls that do not match */
    SHEAF_HEALTH_ENDED    /* PEs wait for one that has ended */
};

/* Of one PE, by its index in the report. */
struct sheaf_health_pe {
    bool is_stuck;       /* it is certain not to go on */
    bool is_straggler;   /* others wait for it, and it does not wait for others */
    bool is_missing;     /* it has ended without shmem_finalize, or its host does not answer */
    int waiters;         /* how many PEs wait for it */
    uint64_t awaited_ns; /* the longest of their waits */
};

struct sheaf_health {
    enum sheaf_health_verdict verdict;
    char text[SHEAF_REPORT_MISMATCH]; /* of two calls that do not match; else "" */
    uint64_t all_wait_ns;             /* since the last PE began to wait; 0 while one does not wait */
    struct sheaf_health_pe *pes;
};

/* Judges the copies before and now of a job; is_survived: the death of a PE does not end it, so that those
 * who wait for the dead go on. Returns -1 without memory. */
int sheaf_health_judge(struct sheaf_health *health, const struct sheaf_report *before,
                       const struct sheaf_report *now, bool is_survived);
void sheaf_health_free(struct sheaf_health *health);

/* The next team that PEs of the report are members of, as the first of them lists it; NULL: there are no
 * more. *position is 0 for the first, and the function's own then. */
const struct sheaf_team_line *sheaf_health_next_team(const struct sheaf_report *report, int *position);

/* How many collective calls of the team a PE has begun; -1: it is no member. */
long sheaf_health_calls(const struct sheaf_report_pe *pe, uint64_t team);

#endif

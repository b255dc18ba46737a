/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The jobs that are shown: of each a snapshot, and what has changed since the last one. Figures are
 * per second; a negative one is not known.
 */
#ifndef SHEAF_OSHTOP_JOB_H
#define SHEAF_OSHTOP_JOB_H

#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct top_rate {
    double operations, bytes;
};

struct top_pe {
    int pe, pid;
    char host[64];
    struct sheaf_report_row row;
    double wait;  /* seconds */
    double cpu;   /* percent of one processor */
    double heap;  /* bytes; below 0: no counter is known */
    struct sheaf_usage usage;
    struct top_rate near, far;
};

struct top_past;
struct top_job {
    struct sheaf_report_job source;
    char name[160];
    int npes, world_npes;
    bool has_ended;
    struct top_pe *pes; /* of the last snapshot */
    struct top_past *past;
    bool *is_near; /* by number in the world; of PEs that are apart none is */
    bool is_apart, has_far; /* there are PEs that are reached by the network */
    uint64_t ask_from_ns;   /* other hosts, not before that */
    uint64_t launcher_started;
};

struct top_jobs {
    int count;
    struct top_job *jobs;
};

/* pid: of oshrun or of a PE; 0: all jobs of this user. Ends the program where there is none. */
void top_jobs_open(struct top_jobs *jobs, int pid);
void top_jobs_close(struct top_jobs *jobs);

/* A new snapshot; with rates where there was one before. */
void top_jobs_take(struct top_jobs *jobs);

/* Whether one of them goes on. */
bool top_jobs_run(const struct top_jobs *jobs);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a job does not go on: what its PEs' boards and flight recorders say, put together and in
 * words. For oshrun, which has the job's control area, and for oshwhy, which has what was kept of
 * one that has ended; and for the library under other launchers, whose hosts send each other their
 * parts (part.h). It reads a copy, taken once; it prints nothing but to the stream that it is given.
 */
#ifndef SHEAF_REPORT_REPORT_H
#define SHEAF_REPORT_REPORT_H

#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is known of a PE's process. */
enum sheaf_report_life {
    SHEAF_LIFE_RUNS,
    SHEAF_LIFE_STOPPED, /* by a signal; it may go on */
    SHEAF_LIFE_EXITED,  /* status: its exit status */
    SHEAF_LIFE_KILLED,  /* status: the signal */
    SHEAF_LIFE_GONE,    /* nobody knows how */
    SHEAF_LIFE_UNKNOWN  /* its host does not answer: nothing else is known */
};

/* One PE as it was when the copy was taken. */
struct sheaf_report_pe {
    int32_t pe; /* its number in the world */
    int32_t pid;
    int32_t life; /* enum sheaf_report_life */
    int32_t status;
    uint32_t state;   /* enum sheaf_pe_state */
    uint32_t is_here; /* whether /proc/pid is this PE's */
    uint64_t wait_ns; /* how long it has waited; 0 where the board shows no wait */
    uint64_t cpu_ns;  /* for which its threads have run; 0 where nobody can tell */
    uint64_t is_polling; /* it is in a loop of tests or reads that finds nothing new */
    char host[64];
    struct sheaf_board board;
    struct sheaf_usage usage;
    struct sheaf_recorder recorder;
};

struct sheaf_report {
    int npes; /* that are known, ascending by number */
    int world_npes;
    struct sheaf_report_pe *pes;
    char *names; /* of calls */
    size_t names_length;
    const char *prefix; /* of every line: "oshrun: " */
};

/* A job of this host: its control area, mapped for reading up to its arena. */
struct sheaf_report_job {
    struct sheaf_control *control;
    size_t length;
    int fd;
};

/* The job of a process, oshrun or a PE, which the kernel lets its user alone (and root) see: 0, or
 * -1. */
int sheaf_report_open_job(struct sheaf_report_job *job, int pid);
void sheaf_report_close_job(struct sheaf_report_job *job);

/* All jobs of this user that run here, in an array to be freed; how many. */
int sheaf_report_find_jobs(struct sheaf_report_job **jobs);

/* "job of oshrun 123: 8 PEs" */
void sheaf_report_name_job(const struct sheaf_control *control, char *text, size_t size);

/* Takes the copy; the control area is mapped up to its arena. Without memory it returns -1. */
int sheaf_report_take(struct sheaf_report *report, struct sheaf_control *control);

/* Looks again, 10 ms later, at those PEs of the copy that wait for nobody: which of them poll. Before
 * anything is added to the copy. */
void sheaf_report_see_polls(struct sheaf_report *report, struct sheaf_control *control);
void sheaf_report_free(struct sheaf_report *report);

/* What the caller knows of the process of the PE in this place. */
void sheaf_report_set_life(struct sheaf_report *report, int place, enum sheaf_report_life life,
                           int status);

/* How long the PE has been in a wait that is on the board; 0 when it is in none. */
uint64_t sheaf_report_wait_ns(const struct sheaf_pe *entry);

/* The report: first sentences, who waits for whom and what the missing ones do instead; then a row
 * for each group of PEs that do the same. */
void sheaf_report_print(const struct sheaf_report *report, FILE *out);

/* Whether PEs wait for each other so that none of them can go on: for members of teams, for holders of
 * locks. */
bool sheaf_report_has_circle(const struct sheaf_report *report);

/* The same as one JSON object, with the last calls of every PE. */
void sheaf_report_print_json(const struct sheaf_report *report, FILE *out);

/* One PE for a table. */
struct sheaf_report_row {
    const char *state; /* "waits", "computes", ... */
    char call[64];     /* that the PE is in, or "" */
    char site[160];    /* of that call, or of the last collective, wait or allocation; or "" */
};
void sheaf_report_row(const struct sheaf_report *report, int place, struct sheaf_report_row *row);

/* Whether PEs have made calls that do not fit together, such as can never end well: the first two in words,
 * "PE 0 calls shmem_barrier_all at heat.c:40, and PE 3 calls ...". */
#define SHEAF_REPORT_MISFIT 700
bool sheaf_report_misfit(const struct sheaf_report *report, char text[SHEAF_REPORT_MISFIT]);

/* "PEs 0-2 wait in shmem_barrier_all at heat.c:40", for all that wait and have not ended. */
void sheaf_report_print_waits(const struct sheaf_report *report, FILE *out);

/* Keeps the copy in the folder, in a file named after the job, and after the node whose part it is, for
 * oshwhy. text: the line that says so, or why it cannot be; returns -1 then. */
#define SHEAF_REPORT_KEPT  700
#define SHEAF_REPORT_WHOLE (-1)
int sheaf_report_keep(const struct sheaf_report *report, const char *folder, uint64_t job_id, int node,
                      char text[SHEAF_REPORT_KEPT]);

/* Writes the copy to an open file, and reads one, of which nothing is believed before it is
 * checked: 0, or -1, which of read may be with what was read before. read adds to what the report
 * has the PEs of which nothing is known yet. */
int sheaf_report_write(const struct sheaf_report *report, int fd);
int sheaf_report_read(struct sheaf_report *report, int fd);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a job does not go on: the explanation of its PEs' status boards and flight recorders, in words. It
 * is used by oshrun, which has the job's control area; by oshwhy, which has a file about a job that has
 * ended; and by the library under other launchers, whose hosts send each other their parts (part.h). It
 * reads a copy, taken once, and prints only to the stream that it is given.
 */
#ifndef SHEAF_REPORT_REPORT_H
#define SHEAF_REPORT_REPORT_H

#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The state of a PE's process. */
enum sheaf_report_life {
    SHEAF_LIFE_RUNS,
    SHEAF_LIFE_STOPPED, /* by a signal; it may continue */
    SHEAF_LIFE_EXITED,  /* status: its exit status */
    SHEAF_LIFE_KILLED,  /* status: the signal */
    SHEAF_LIFE_GONE,    /* it has ended, how is not known */
    SHEAF_LIFE_UNKNOWN  /* its host does not answer, so nothing is known */
};

#define SHEAF_CPU_UNKNOWN UINT64_MAX

/* One PE at the time of the copy. */
struct sheaf_report_pe {
    int32_t pe; /* its number in the world */
    int32_t pid;
    int32_t life; /* enum sheaf_report_life */
    int32_t status;
    uint32_t state;   /* enum sheaf_pe_state */
    uint32_t is_here; /* whether /proc/pid is this PE's */
    uint64_t wait_ns; /* how long it has waited; 0 where the board shows no wait */
    uint64_t cpu_ns;  /* that its threads have run; SHEAF_CPU_UNKNOWN where it is not known */
    uint64_t is_polling; /* it is in a loop of tests or reads without a new value */
    char host[64];
    struct sheaf_board board;
    struct sheaf_usage usage;
    struct sheaf_recorder recorder;
};

struct sheaf_report {
    int npes; /* in pes, ascending by number */
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

/* Opens the job of a process, of oshrun or a PE, which the kernel shows only to its user and root.
 * Returns 0 or -1. */
int sheaf_report_open_job(struct sheaf_report_job *job, int pid);
void sheaf_report_close_job(struct sheaf_report_job *job);

/* All jobs of this user on this host, in an array that the caller frees; returns their number. */
int sheaf_report_find_jobs(struct sheaf_report_job **jobs);

/* "job of oshrun 123: 8 PEs"; "job of 4 PEs in several containers" */
void sheaf_report_name_job(const struct sheaf_control *control, char *text, size_t size);

/* Takes the copy; the control area must be mapped up to its arena. Returns -1 without memory. */
int sheaf_report_take(struct sheaf_report *report, struct sheaf_control *control);

/* The same, for who is no PE of the job. Where its PEs are in several containers, the processes that can be
 * seen from here are found among all of this user's. */
int sheaf_report_take_job(struct sheaf_report *report, const struct sheaf_report_job *job);

/* Reads again, after 10 ms, those PEs of the copy that do not wait, and finds which of them poll.
 * Called before parts are added to the copy. */
void sheaf_report_see_polls(struct sheaf_report *report, struct sheaf_control *control);
void sheaf_report_free(struct sheaf_report *report);

/* Sets the state of the process of the PE at index, as the caller knows it. */
void sheaf_report_set_life(struct sheaf_report *report, int index, enum sheaf_report_life life,
                           int status);

/* The time in ns that the PE has been in a wait that is on the board; 0 when it is in none. */
uint64_t sheaf_report_wait_ns(const struct sheaf_pe *entry);

/* Prints the report: first sentences about which PEs wait for which, and what the awaited ones do; then
 * a row for each group of PEs in the same state. */
void sheaf_report_print(const struct sheaf_report *report, FILE *out);

/* Whether PEs wait for each other in a cycle, for members of teams or holders of locks, so that none
 * can go on. */
bool sheaf_report_has_circle(const struct sheaf_report *report);

/* The same as one JSON object, with the last calls of every PE. */
void sheaf_report_print_json(const struct sheaf_report *report, FILE *out);

/* Parts of JSON: a text as a string; the lines of the report as strings with commas between them. */
void sheaf_report_print_text(const char *text, FILE *out);
void sheaf_report_print_lines(const struct sheaf_report *report, FILE *out);

/* One PE for a table. */
struct sheaf_report_row {
    const char *state; /* "waits", "computes", ... */
    char call[64];     /* the call that the PE is in, or "" */
    char site[160];    /* of that call, or of the last collective, wait or allocation; or "" */
};
void sheaf_report_row(const struct sheaf_report *report, int index, struct sheaf_report_row *row);

/* A text of the PE's current activity: "waits in shmem_barrier_all at heat.c:40 (...)". */
void sheaf_report_describe(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                           char *text, size_t size);

/* Whether PEs have made calls that do not match, so that the job cannot succeed. text: the first two,
 * "PE 0 calls shmem_barrier_all at heat.c:40, and PE 3 calls ...". */
#define SHEAF_REPORT_MISMATCH 700
bool sheaf_report_first_mismatch(const struct sheaf_report *report, char text[SHEAF_REPORT_MISMATCH]);

/* Prints "PEs 0-2 wait in shmem_barrier_all at heat.c:40", for all live PEs that wait. */
void sheaf_report_print_waits(const struct sheaf_report *report, FILE *out);

/* Writes the copy to a file in the folder, for oshwhy. The file is named after the job, and after the
 * node whose part it is. text: the line that names the file, or why it cannot be written; then it
 * returns -1. */
#define SHEAF_REPORT_SAVED     700
#define SHEAF_REPORT_ALL_NODES (-1)
int sheaf_report_save(const struct sheaf_report *report, const char *folder, uint64_t job_id, int node,
                      char text[SHEAF_REPORT_SAVED]);

/* write: writes the copy to an open file. read: adds to the report those PEs of the file about which
 * nothing is known yet; it uses nothing from the file before it has checked it. Both return 0 or -1;
 * read may return -1 with the part that it had read before. */
int sheaf_report_write(const struct sheaf_report *report, int fd);
int sheaf_report_read(struct sheaf_report *report, int fd);

#endif

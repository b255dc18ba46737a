/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user reads: one line on standard error, in one write, that names the PE. The function
 * that first knows of a failure prints it; callers pass the code on.
 */
#ifndef SHEAF_BASE_LOG_H
#define SHEAF_BASE_LOG_H

#include "base/atomic.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One cause, one line: where all PEs of a node come to the same error, the first of them says it, with
 * how many agree: "sheaf: PE 0 (and 31 others): error: ...". The addresses in it may differ. What they
 * say alike stands in memory that they share, zero at first. */
#define SHEAF_LOG_CAUSES 32
struct sheaf_log_cause {
    uint64_t hash;    /* of the line; 0: free */
    uint64_t said_ns; /* CLOCK_MONOTONIC; 0: not yet */
    uint32_t pes;     /* that came to it */
    uint32_t unused;
};
struct sheaf_log_board {
    struct sheaf_log_cause causes[SHEAF_LOG_CAUSES];
};
void sheaf_log_share(struct sheaf_log_board *board, int pes);

/* An error between the two is said at release, when the PEs may share a board. The first one alone: what
 * follows it is said at once. */
void sheaf_log_hold(void);
void sheaf_log_release(void);

/* The number that later lines carry as "sheaf: PE n: "; -1, the start value, leaves it out. */
void sheaf_log_set_pe(int pe);

/* Whether SHMEM_DEBUG is set: sheaf_debug() prints, and calls check their arguments. */
void sheaf_log_set_debug(bool on);
bool sheaf_log_debug(void);

/* Finds where the program called the library, "heat.c:40". Returns whether it is known. */
typedef bool sheaf_log_place(char *text, size_t size);
/* From now on fatal lines name that place. */
void sheaf_log_set_place(sheaf_log_place *place);

/* The texts below begin with an id that oshinfo --explain knows, "SH101 %s: ...", which the line has at its
 * end. tools/oshinfo/messages.c has a row for each. */

/* Prints the line and ends this PE with status 1, which ends the job. */
void sheaf_log_set_end(void (*end)(int status)); /* called before that: ends the others too */
_Noreturn void sheaf_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* The same for a line that names its places itself. */
_Noreturn void sheaf_fatal_placed(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* The same line without ending anything, for a caller that returns the failure. */
void sheaf_error(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* Likewise, with the place of the call. */
void sheaf_error_of_call(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* The end that sheaf_fatal() makes, of one whose line has been said. */
_Noreturn void sheaf_end_job(void) __attribute__((cold));
void sheaf_warn(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
void sheaf_debug(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

#endif

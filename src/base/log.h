/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user reads: one line on standard error, in one write, that names the PE. The function
 * that first knows of a failure prints it; callers pass the code on.
 */
#ifndef SHEAF_BASE_LOG_H
#define SHEAF_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

/* The number that later lines carry as "sheaf: PE n: "; -1, the start value, leaves it out. */
void sheaf_log_set_pe(int pe);

/* Whether SHMEM_DEBUG is set: sheaf_debug() prints, and calls check their arguments. */
void sheaf_log_set_debug(bool on);
bool sheaf_log_debug(void);

/* Prints the line and ends this PE with status 1, which ends the job. */
void sheaf_log_set_end(void (*end)(int status)); /* called before that: ends the others too */
_Noreturn void sheaf_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* The same line without ending anything, for a caller that returns the failure. */
void sheaf_error(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
void sheaf_warn(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
void sheaf_debug(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

#endif

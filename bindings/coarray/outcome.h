/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a statement says when something is wrong: STAT= and ERRMSG=, or a line and the end of the
 * job.
 */
#ifndef SHEAF_COARRAY_OUTCOME_H
#define SHEAF_COARRAY_OUTCOME_H

#include <shmemx.h>

#include <stdbool.h>
#include <stddef.h>

/* Status values, as ISO_FORTRAN_ENV of gfortran has them; flang's are others. */
enum {
    SHEAF_STAT_LOCKED = 1,
    SHEAF_STAT_LOCKED_OTHER = 2,
    SHEAF_STAT_UNLOCKED = 3, /* gfortran 12 has 0, which is success */
    SHEAF_STAT_TWICE = 4,
    SHEAF_STAT_STOPPED = 6000,
    SHEAF_STAT_FAILED = 6001,
    SHEAF_STAT_NO_MEMORY = 5014,
};

/* STAT= and ERRMSG= of a statement; stat NULL: it has none, and an error ends the job. */
struct sheaf_outcome {
    const char *statement;
    int *stat;
    char *text;
    size_t length;
};

void sheaf_outcome_good(const struct sheaf_outcome *outcome);
/* Gives stat and the text; without STAT= it ends the job with the text as a line. */
void sheaf_outcome_bad(const struct sheaf_outcome *outcome, int stat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In the initial team; 0 before there is one. */
extern int sheaf_this_image;

/* The place of the last read or write, which take nanoseconds: for errors alone. */
extern __thread const void *sheaf_access_site __attribute__((tls_model("initial-exec")));
#define SHEAF_ACCESS() (sheaf_access_site = __builtin_return_address(0))

/* Whether a profile or the race checker looks on: then reads and writes are calls, which have a
 * statement too. */
extern bool sheaf_is_observed;
static inline void sheaf_access_end(void)
{
    if (sheaf_is_observed && sheaf_access_site)
        shmemx_call_for(NULL, NULL);
}

/* The statement that the rest of the block is, and the place of the program's call: for reports of
 * hangs, and for errors. */
#define SHEAF_STATEMENT(name)                                                                      \
    __attribute__((cleanup(sheaf_statement_end))) const char *statement_of_program = (name);       \
    (sheaf_access_site = NULL, shmemx_call_for(statement_of_program, __builtin_return_address(0)))
static inline void sheaf_statement_end(const char **unused)
{
    (void)unused;
    shmemx_call_for(NULL, NULL);
}

/* One line with image and statement, then the end of the job. */
_Noreturn void sheaf_outcome_refuse(const char *statement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes what the program's units hold back: each compiler's own. */
void sheaf_flush_units(void);

#endif

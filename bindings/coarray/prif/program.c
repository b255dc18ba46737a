/* SPDX-License-Identifier: BSD-3-Clause
 * How images begin and end; see prif.h. flang 22 calls its own run-time library for STOP and ERROR
 * STOP, which ends one process: the linker's --wrap brings its calls here.
 */
#include "prif.h"

#include "../sync.h"
#include "../team.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const int sheaf_thread_level = SHMEM_THREAD_SINGLE;

/* The compilers' run-time libraries: write what units hold back. -1, NULL: all. */
extern void _FortranAFlush(int unit) __attribute__((weak));
extern void _FortranAExit(int status) __attribute__((weak));
extern void _gfortran_flush_i4(const int *unit) __attribute__((weak));

void sheaf_flush_units(void)
{
    if (_FortranAFlush)
        _FortranAFlush(-1);
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
}

/* At exit, which STOP and the program's end come to. */
static void leave(void)
{
    shmemx_call_for("END PROGRAM", NULL);
    sheaf_leave();
}

PRIF(init)(int *stat)
{
    static bool is_begun;
    *stat = is_begun ? PRIF_STAT_ALREADY_INIT : 0;
    if (is_begun)
        return;
    is_begun = true;
    sheaf_start();
    if (atexit(leave) != 0)
        sheaf_outcome_refuse("start", "no memory for what is to be done at the end");
    sheaf_sync_team(sheaf_current);
}

PRIF_FLANG(init)(int *stat)
{
    prif_init(stat);
}

/* What STOP and ERROR STOP tell a program, the latest registered first. */
typedef void stop_callback(const bool *is_error, const bool *quiet, const int *status,
                           const char *text, size_t length);
static struct registered {
    struct registered *next;
    stop_callback *call;
} *callbacks;

/* Not BIND(C) in Fortran, since its argument is a procedure that is none: by both compilers' names. */
void sheaf_prif_register(stop_callback *const *callback)
{
    struct registered *one = malloc(sizeof *one);
    if (!one)
        sheaf_outcome_refuse("prif_register_stop_callback", "no memory for its record");
    *one = (struct registered){callbacks, *callback};
    callbacks = one;
}
PRIF_PUBLIC __prif_MOD_prif_register_stop_callback(stop_callback *const *callback)
    __attribute__((alias("sheaf_prif_register")));
PRIF_FLANG(register_stop_callback)(stop_callback *const *callback)
    __attribute__((alias("sheaf_prif_register")));

static _Noreturn void stop(int status, bool is_error)
{
    if (is_error)
        sheaf_stop_error(status);
    if (_FortranAExit)
        _FortranAExit(status); /* then the handler that init has registered */
    exit(status);
}

/* One line on standard error, as flang writes it. */
static void say_stop(bool is_error, const char *text, size_t length)
{
    dprintf(STDERR_FILENO, "Fortran %s%s%.*s\n", is_error ? "ERROR STOP" : "STOP",
            length > 0 ? ": " : "", (int)length, text);
}

static void say_status(bool is_error, int status)
{
    char text[24];
    int length = status ? snprintf(text, sizeof text, "code %d", status) : 0;
    say_stop(is_error, text, (size_t)length);
}

PRIF_PUBLIC __wrap__FortranAStopStatement(int status, bool is_error, bool is_quiet)
{
    SHEAF_STATEMENT("STOP");
    if (!is_quiet && !getenv("NO_STOP_MESSAGE"))
        say_status(is_error, status);
    stop(status, is_error);
}

PRIF_PUBLIC __wrap__FortranAStopStatementText(const char *text, size_t length, bool is_error,
                                              bool is_quiet)
{
    SHEAF_STATEMENT("STOP");
    if (!is_quiet && !getenv("NO_STOP_MESSAGE"))
        say_stop(is_error, text, length);
    stop(is_error ? 1 : 0, is_error);
}

PRIF(fail_image)(void)
{
    raise(SIGKILL);
}

PRIF_FLANG(fail_image)(void)
{
    prif_fail_image();
}

PRIF_PUBLIC __wrap__FortranAFailImageStatement(void)
{
    prif_fail_image();
}

static _Noreturn void stop_by_procedure(const bool *quiet, const int *status, const char *text,
                                        size_t length, bool is_error)
{
    int code = status ? *status : is_error ? 1 : 0;
    if (!is_error)
        sheaf_sync_all(&(struct sheaf_outcome){"STOP", &(int){0}, NULL, 0});
    for (const struct registered *one = callbacks; one; one = one->next)
        one->call(&is_error, quiet, status, text, length);
    if (!*quiet && status)
        say_status(is_error, code);
    else if (!*quiet)
        say_stop(is_error, text, text ? length : 0);
    stop(code, is_error);
}

PRIF_FLANG(stop)(const bool *quiet, const int *status, const char *text, size_t length)
{
    SHEAF_STATEMENT("STOP");
    stop_by_procedure(quiet, status, text, length, false);
}

PRIF_FLANG(error_stop)(const bool *quiet, const int *status, const char *text, size_t length)
{
    SHEAF_STATEMENT("ERROR STOP");
    stop_by_procedure(quiet, status, text, length, true);
}

PRIF(stop)(const bool *quiet, const int *status, const struct prif_array *text)
{
    SHEAF_STATEMENT("STOP");
    stop_by_procedure(quiet, status, text ? text->base : NULL, text ? text->length : 0, false);
}

PRIF(error_stop)(const bool *quiet, const int *status, const struct prif_array *text)
{
    SHEAF_STATEMENT("ERROR STOP");
    stop_by_procedure(quiet, status, text ? text->base : NULL, text ? text->length : 0, true);
}

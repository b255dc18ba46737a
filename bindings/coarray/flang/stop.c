/* SPDX-License-Identifier: BSD-3-Clause
 * How a program of flang ends; see prif.h. flang 22 calls its own run-time library for STOP and
 * ERROR STOP, which ends one process: the linker's --wrap brings its calls here.
 */
#include "prif.h"

#include "../team.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* flang's run-time library: -1 is all units. */
extern void _FortranAFlush(int unit) __attribute__((weak));
extern void _FortranAExit(int status) __attribute__((weak));

void sheaf_flush_units(void)
{
    if (_FortranAFlush)
        _FortranAFlush(-1);
    fflush(NULL);
}

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

void __wrap__FortranAStopStatement(int status, bool is_error, bool is_quiet)
{
    SHEAF_STATEMENT("STOP");
    if (!is_quiet && !getenv("NO_STOP_MESSAGE"))
        say_status(is_error, status);
    stop(status, is_error);
}

void __wrap__FortranAStopStatementText(const char *text, size_t length, bool is_error,
                                       bool is_quiet)
{
    SHEAF_STATEMENT("STOP");
    if (!is_quiet && !getenv("NO_STOP_MESSAGE"))
        say_stop(is_error, text, length);
    stop(is_error ? 1 : 0, is_error);
}

void __wrap__FortranAFailImageStatement(void)
{
    PRIF(fail_image)();
}

void PRIF(fail_image)(void)
{
    raise(SIGKILL);
}

static _Noreturn void stop_by_procedure(const bool *quiet, const int *status, const char *text,
                                        size_t length, bool is_error)
{
    int code = status ? *status : is_error ? 1 : 0;
    if (!*quiet && status)
        say_status(is_error, code);
    else if (!*quiet)
        say_stop(is_error, text, text ? length : 0);
    stop(code, is_error);
}

void PRIF(stop)(const bool *quiet, const int *status, const char *text, size_t length)
{
    SHEAF_STATEMENT("STOP");
    stop_by_procedure(quiet, status, text, length, false);
}

void PRIF(error_stop)(const bool *quiet, const int *status, const char *text, size_t length)
{
    SHEAF_STATEMENT("ERROR STOP");
    stop_by_procedure(quiet, status, text, length, true);
}

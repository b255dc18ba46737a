/* SPDX-License-Identifier: BSD-3-Clause
 * See log.h.
 */
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int log_pe = -1;
static bool debug_on;
static void (*end_job)(int status);

void sheaf_log_set_pe(int pe)
{
    log_pe = pe;
}

void sheaf_log_set_end(void (*end)(int status))
{
    end_job = end;
}

void sheaf_log_set_debug(bool on)
{
    debug_on = on;
}

bool sheaf_log_debug(void)
{
    return debug_on;
}

/* One write: lines of several PEs never mix. Uses no stdio stream, whose lock a fault handler
 * may find taken. */
static void print_line(const char *kind, const char *format, va_list arguments)
{
    char line[1024];
    int used = log_pe >= 0 ? snprintf(line, sizeof line, "sheaf: PE %d: %s", log_pe, kind)
                           : snprintf(line, sizeof line, "sheaf: %s", kind);
    int rest = vsnprintf(line + used, sizeof line - 1 - (size_t)used, format, arguments);
    size_t length = strlen(line);
    if (rest < 0)
        return;
    line[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}

void sheaf_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("error: ", format, arguments);
    va_end(arguments);
    if (end_job)
        end_job(1);
    _exit(1);
}

void sheaf_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("error: ", format, arguments);
    va_end(arguments);
}

void sheaf_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("warning: ", format, arguments);
    va_end(arguments);
}

void sheaf_debug(const char *format, ...)
{
    if (!debug_on)
        return;
    va_list arguments;
    va_start(arguments, format);
    print_line("debug: ", format, arguments);
    va_end(arguments);
}

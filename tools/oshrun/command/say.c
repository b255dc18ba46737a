/* SPDX-License-Identifier: BSD-3-Clause
 * See say.h.
 */
#include "oshrun/command/say.h"

#include "base/sanitize.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sheaf_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheaf_print_sanitized(stderr, "oshrun: ", format, arguments);
    va_end(arguments);
}

/* The message id for a status, for a line that does not begin with an id such as "SH402 ". */
static const char *id_of(int status)
{
    switch (status) {
    case STATUS_USAGE: return "SH901";
    case STATUS_NOT_FOUND: return "SH902";
    case STATUS_NOT_EXECUTABLE: return "SH903";
    default: return "SH904";
    }
}

_Noreturn void sheaf_die(int status, const char *format, ...)
{
    char *text, id[SHEAF_ID_ROOM];
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        exit(status);
    va_end(arguments);
    sheaf_sanitize(text, 0);
    const char *said = sheaf_take_id(text, id);
    if (!*id)
        snprintf(id, sizeof id, " [%s]", id_of(status));
    fprintf(stderr, "oshrun: %s%s\n", said, id);
    exit(status);
}

const char *sheaf_limit_of(int error)
{
    switch (error) {
    case EMFILE: return "; raise the limit on open files (ulimit -n)";
    case EAGAIN: return "; raise the limit on processes (ulimit -u)";
    default: return "";
    }
}

_Noreturn void sheaf_die_at_start(void)
{
    sheaf_die(1, "cannot start: %s%s", strerror(errno), sheaf_limit_of(errno));
}

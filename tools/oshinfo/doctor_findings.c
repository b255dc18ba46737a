/* SPDX-License-Identifier: BSD-3-Clause
 * See doctor_findings.h.
 */
#include "doctor_findings.h"

#include "base/sanitize.h"

#include <stdarg.h>

static void say(struct visit *visit, const char *kind, const char *subject, const char *format,
                va_list rest)
{
    char begin[80];
    snprintf(begin, sizeof begin, "%s: %s: ", kind, subject);
    sheaf_print_sanitized(visit->out, begin, format, rest);
}

void sheaf_doctor_wrong(struct visit *visit, const char *subject, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    say(visit, "wrong", subject, format, rest);
    va_end(rest);
    visit->wrong++;
}

void sheaf_doctor_note(struct visit *visit, const char *subject, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    say(visit, "note", subject, format, rest);
    va_end(rest);
    visit->notes++;
}

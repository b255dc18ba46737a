/* SPDX-License-Identifier: BSD-3-Clause
 * See outcome.h.
 */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sheaf_this_image;
__thread const void *sheaf_access_site;
bool sheaf_is_observed;

static _Noreturn void refuse(const char *statement, const char *text)
{
    char line[640];
    snprintf(line, sizeof line, "image %d: %s", sheaf_this_image, text);
    sheaf_flush_units();
    if (sheaf_access_site)
        shmemx_call_for(statement, sheaf_access_site);
    shmemx_fail("SH161", statement, line);
    abort(); /* it does not return */
}

void sheaf_outcome_refuse(const char *statement, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    refuse(statement, text);
}

void sheaf_outcome_good(const struct sheaf_outcome *outcome)
{
    if (outcome->stat)
        *outcome->stat = 0;
}

void sheaf_outcome_bad(const struct sheaf_outcome *outcome, int stat, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (!outcome->stat)
        refuse(outcome->statement, text);
    *outcome->stat = stat;
    if (!outcome->text)
        return;
    size_t used = strnlen(text, outcome->length);
    memcpy(outcome->text, text, used);
    memset(outcome->text + used, ' ', outcome->length - used);
}

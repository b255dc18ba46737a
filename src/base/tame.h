/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of programs, files and hosts may hold any bytes, among them some that a terminal obeys. Every line
 * that the library or a tool prints goes through here.
 */
#ifndef SHEAF_BASE_TAME_H
#define SHEAF_BASE_TAME_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Control characters become '?', UTF-8's too, but for kept: '\n' in a text of several lines, else 0. */
static inline void sheaf_tame(char *text, char kept)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
            at[0] = at[1] = '?';
        else if ((*at < 0x20 && *at != (unsigned char)kept) || *at == 0x7f)
            *at = '?';
}

/* One line, which begins with this. */
__attribute__((format(printf, 3, 0))) static inline void
sheaf_tame_print(FILE *out, const char *begin, const char *format, va_list values)
{
    char *text;
    if (vasprintf(&text, format, values) < 0)
        return;
    sheaf_tame(text, 0);
    fprintf(out, "%s%s\n", begin, text);
    free(text);
}

#endif

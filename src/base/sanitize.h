/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of programs, files and hosts may hold any bytes, among them some that a terminal obeys. Every line
 * that the library or a tool prints goes through here.
 */
#ifndef SHEAF_BASE_SANITIZE_H
#define SHEAF_BASE_SANITIZE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Control characters become '?', UTF-8's too, but for kept: '\n' in a text of several lines, else 0. */
static inline void sheaf_sanitize(char *text, char kept)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
            at[0] = at[1] = '?';
        else if ((*at < 0x20 && *at != (unsigned char)kept) || *at == 0x7f)
            *at = '?';
}

/* A message begins with its id in the source, "SH101 text", and ends with it where it is printed: returns
 * text, with " [SH101]" in id, which is "" where there is none. tools/oshinfo/messages.c explains ids. */
#define SHEAF_ID_LENGTH (sizeof "SH101" - 1)
#define SHEAF_ID_ROOM   (SHEAF_ID_LENGTH + sizeof " []")
static inline const char *sheaf_take_id(const char *text, char id[SHEAF_ID_ROOM])
{
    id[0] = '\0';
    if (strncmp(text, "SH", 2) != 0 || strspn(text + 2, "0123456789") != SHEAF_ID_LENGTH - 2 ||
        text[SHEAF_ID_LENGTH] != ' ')
        return text;
    snprintf(id, SHEAF_ID_ROOM, " [%.*s]", (int)SHEAF_ID_LENGTH, text);
    return text + SHEAF_ID_LENGTH + 1;
}

/* One line, which begins with this. */
__attribute__((format(printf, 3, 0))) static inline void
sheaf_print_sanitized(FILE *out, const char *begin, const char *format, va_list values)
{
    char *text, id[SHEAF_ID_ROOM];
    if (vasprintf(&text, format, values) < 0)
        return;
    sheaf_sanitize(text, 0);
    const char *said = sheaf_take_id(text, id);
    fprintf(out, "%s%s%s\n", begin, said, id);
    free(text);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * See refuse.h.
 */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ID " [SH132]\n" /* oshinfo --explain knows it */

void sheaf_refuse(const char *call, const char *format, ...)
{
    int is_up;
    shmem_query_initialized(&is_up);
    if (!is_up)
        return;
    char line[512];
    int length = snprintf(line, sizeof line, "sheaf: PE %d: %s: ", shmem_my_pe(), call);
    va_list values;
    va_start(values, format);
    const int most = sizeof line - sizeof ID;
    length += vsnprintf(line + length, (size_t)(most - length), format, values);
    va_end(values);
    length = length > most ? most : length;
    memcpy(line + length, ID, sizeof ID - 1);
    length += (int)sizeof ID - 2; /* to its end of the line */
    /* One write, so that lines of several PEs do not mix. */
    if (write(STDERR_FILENO, line, (size_t)length + 1) < 0)
        shmem_global_exit(2);
    shmem_global_exit(1);
}

void sheaf_give_text(const char *from, char *to, size_t length)
{
    size_t used = strnlen(from, length);
    memcpy(to, from, used);
    memset(to + used, ' ', length - used);
}

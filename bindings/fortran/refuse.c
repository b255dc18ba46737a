/* SPDX-License-Identifier: BSD-3-Clause
 * See refuse.h.
 */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, values);
    va_end(values);
    if (length > (int)sizeof line - 2)
        length = sizeof line - 2;
    line[length] = '\n';
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

/* SPDX-License-Identifier: BSD-3-Clause
 * See refuse.h.
 */
#include "refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sheaf_refuse(const char *call, const char *format, ...)
{
    int is_up;
    shmem_query_initialized(&is_up);
    if (!is_up)
        return;
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    shmemx_fail("SH132", call, text);
}

void sheaf_give_text(const char *from, char *to, size_t length)
{
    size_t used = strnlen(from, length);
    memcpy(to, from, used);
    memset(to + used, ' ', length - used);
}

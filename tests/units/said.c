/* SPDX-License-Identifier: BSD-3-Clause
 * See unit.h.
 */
#include "unit.h"

#include "base/log.h"

char unit_said[1024];
bool unit_debug;
jmp_buf unit_end;

static void keep(const char *format, va_list arguments)
{
    bool has_id = strncmp(format, "SH", 2) == 0 && format[2] >= '0' && format[2] <= '9';
    vsnprintf(unit_said, sizeof unit_said, format + (has_id ? sizeof "SH101" : 0), arguments);
}

void sheaf_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
    longjmp(unit_end, 1);
}

void sheaf_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
}

void sheaf_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
}

bool sheaf_log_debug(void)
{
    return unit_debug;
}

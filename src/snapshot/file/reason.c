/* SPDX-License-Identifier: BSD-3-Clause
 * See reason.h.
 */
#include "snapshot/file/reason.h"

#include <stdarg.h>
#include <stdio.h>

int sheaf_snapshot_explain(struct sheaf_snapshot_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return -1;
}

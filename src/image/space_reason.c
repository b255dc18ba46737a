/* SPDX-License-Identifier: BSD-3-Clause
 * The reason why there is no memory space, as text: see space.h.
 */
#include "image/space.h"

#include <stdarg.h>
#include <stdio.h>

int sheaf_space_explain(struct sheaf_space_reason *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return -1;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See die.h.
 */
#include "die.h"

#include "screen.h"

#include "base/sanitize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void top_die(int status, const char *format, ...)
{
    va_list arguments;
    top_screen_close();
    va_start(arguments, format);
    sheaf_print_sanitized(stderr, "oshtop: ", format, arguments);
    va_end(arguments);
    exit(status);
}

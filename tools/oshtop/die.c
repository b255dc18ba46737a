/* SPDX-License-Identifier: BSD-3-Clause
 * See die.h.
 */
#include "die.h"

#include "screen.h"

#include "base/tame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void top_die(int status, const char *format, ...)
{
    va_list arguments;
    top_screen_close();
    va_start(arguments, format);
    sheaf_tame_print(stderr, "oshtop: ", format, arguments);
    va_end(arguments);
    exit(status);
}

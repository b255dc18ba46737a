/* SPDX-License-Identifier: BSD-3-Clause
 * See say.h.
 */
#include "oshrun/command/say.h"

#include "base/tame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sheaf_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheaf_tame_print(stderr, "oshrun: ", format, arguments);
    va_end(arguments);
}

_Noreturn void sheaf_die(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheaf_tame_print(stderr, "oshrun: ", format, arguments);
    va_end(arguments);
    exit(status);
}

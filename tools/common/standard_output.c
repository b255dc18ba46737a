/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See standard_output.h.
 */
#include "standard_output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void finish_output(void)
{
    bool had_failed = ferror(stdout) != 0; /* the reason is no longer known */
    bool fails = fflush(stdout) != 0;
    if (!had_failed && !fails)
        return;
    fprintf(stderr, "%s: cannot write the output%s%s [SH904]\n", program_invocation_short_name,
            fails ? ": " : "", fails ? strerror(errno) : "");
    _exit(1);
}

void sheaf_standard_output_watch(void)
{
    atexit(finish_output);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See limit.h.
 */
#include "boot/job_report/limit.h"

#include "base/clock.h"
#include "base/settings/env.h"
#include "boot/job_report/finish.h"
#include "boot/job_report/gather.h"
#include "boot/job_report/tell.h"
#include "boot/world/world.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define STATUS 124 /* as oshrun's */

static uint64_t limit_ns, due_ns; /* due_ns 0: there is no limit, or it is over */

/* A value that is no number of seconds is refused in shmem_init. */
void sheaf_limit_start(void)
{
    limit_ns = sheaf_settings_seconds("SHEAF_TIMEOUT", 0);
    if (sheaf_boot.pe == 0 && limit_ns != 0)
        due_ns = sheaf_clock_ns() + limit_ns;
}

static void say(struct sheaf_report *report)
{
    char line[80];
    snprintf(line, sizeof line, "the time limit of %g s is over [SH906]", (double)limit_ns / 1e9);
    sheaf_tell_print_after(report, line);
    sheaf_tell_keep(report);
    sheaf_finish(STATUS);
}

void sheaf_limit_begin(void)
{
    if (due_ns != 0 && sheaf_clock_ns() >= due_ns && sheaf_gather_begin(SHEAF_GATHER_QUIET, say))
        due_ns = 0;
}

int sheaf_limit_due_ms(void)
{
    uint64_t now = sheaf_clock_ns();
    if (due_ns == 0)
        return -1;
    uint64_t ms = due_ns > now ? (due_ns - now) / SHEAF_MILLISECOND + 1 : 0;
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in which every PE waits for another gets no further by itself, unless something outside of it
 * writes or answers: so it is told, once, and left alone. A PE that computes, has been stopped or has
 * exited keeps it quiet: the others then wait for that one (stuck.c).
 */
#include "supervise.h"

#include "base/clock.h"
#include "base/settings/env.h"
#include "process.h"

#include <stdlib.h>

#define BETWEEN_LOOKS (100 * SHEAF_MILLISECOND)

/* A value that is no number of seconds is the library's to refuse. */
static uint64_t limit_ns(void)
{
    const char *text = getenv("SHEAF_STALL");
    uint64_t ns = SHEAF_STALL_NS;
    if (text && sheaf_parse_seconds(text, &ns) != 0)
        return 0;
    return ns;
}

/* The time since the last PE came to wait; 0 while one does not. */
static uint64_t all_wait_ns(const struct supervisor *supervisor)
{
    uint64_t shortest = UINT64_MAX;
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        uint64_t ns = sheaf_board_wait_ns(supervisor->job, pe);
        if (ns == 0 || supervisor->pes[pe].exited || sheaf_process_is_stopped(supervisor->pes[pe].pid))
            return 0;
        shortest = ns < shortest ? ns : shortest;
    }
    return shortest;
}

static void say(struct supervisor *supervisor, uint64_t limit)
{
    char text[200];
    snprintf(text, sizeof text,
             "oshrun: every PE has waited for %g s, and the job goes on waiting (SHEAF_STALL)\n",
             (double)limit / 1e9);
    sheaf_output_message(supervisor->output, text);
    sheaf_message_board(supervisor);
}

void sheaf_stall_check(struct supervisor *supervisor)
{
    uint64_t now = sheaf_clock_ns(), limit;
    if (supervisor->phase != RUNNING || supervisor->options->quiet || now < supervisor->stall_look_ns)
        return;
    supervisor->stall_look_ns = now + BETWEEN_LOOKS;
    if ((limit = limit_ns()) == 0)
        return;
    bool is_stalled = all_wait_ns(supervisor) >= limit;
    if (is_stalled && !supervisor->stall_told)
        say(supervisor, limit);
    supervisor->stall_told = is_stalled;
}

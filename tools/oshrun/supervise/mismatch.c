/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mismatched collective calls of PEs that share no memory (SHEAF_ONNODE=off): from a message its receiver
 * knows only that the calls do not match. Each PE's call is in the control area, and only oshrun sees all
 * of them. So oshrun compares the calls when a PE reports a mismatch, or has waited in a collective for a
 * second. PEs that share memory find a mismatch themselves, and hosts ask each other
 * (boot/job_report/judge.h).
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"
#include "base/times.h"
#include "report/report.h"

#include <stdlib.h>

/* Whether a PE has been in a collective for so long that the calls must be compared. */
static bool waits_long(const struct supervisor *supervisor)
{
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        const struct sheaf_pe *entry = sheaf_control_pe(supervisor->job->control, pe);
        if (sheaf_load_acquire(&entry->board.kind) == SHEAF_WAIT_COLLECTIVE &&
            sheaf_report_wait_ns(entry) >= sheaf_times.call_wait_first)
            return true;
    }
    return false;
}

static void print_mismatch(struct supervisor *supervisor, const char *mismatch)
{
    char *text;
    if (supervisor->options->quiet || asprintf(&text, "oshrun: error: %s [SH120]\n", mismatch) < 0)
        return;
    sheaf_output_message(supervisor->output, text);
    free(text);
}

void sheaf_mismatch_check(struct supervisor *supervisor)
{
    uint64_t now = sheaf_clock_ns();
    struct sheaf_report report;
    char text[SHEAF_REPORT_MISMATCH];
    if (!supervisor->job->control->is_apart || supervisor->phase != RUNNING ||
        now < supervisor->mismatch_look_ns)
        return;
    supervisor->mismatch_look_ns = now + sheaf_times.mismatch_look;
    bool is_told = sheaf_load_acquire(&supervisor->job->control->calls_differ) != 0;
    if ((!is_told && !waits_long(supervisor)) || sheaf_report_take(&report, supervisor->job->control) != 0)
        return;
    if (sheaf_report_first_mismatch(&report, text)) {
        print_mismatch(supervisor, text);
        supervisor->is_explained = true;
        sheaf_supervise_end(supervisor, 1, -1, 0);
    }
    sheaf_report_free(&report);
}

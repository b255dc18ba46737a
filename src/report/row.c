/* SPDX-License-Identifier: BSD-3-Clause
 * One PE for a table: its state in a word, its call, and the call's source line.
 */
#include "report/internal.h"

#include <string.h>

static const char *name_state(const struct sheaf_report_pe *pe)
{
    if (pe->life == SHEAF_LIFE_KILLED)
        return "killed";
    if (pe->life == SHEAF_LIFE_UNKNOWN)
        return "unknown";
    if (!sheaf_report_is_alive(pe))
        return "ended";
    if (pe->life == SHEAF_LIFE_STOPPED)
        return "stopped";
    if (pe->state < SHEAF_PE_INITIALIZED)
        return "starts";
    if (pe->state > SHEAF_PE_INITIALIZED)
        return "ends";
    if (sheaf_report_waits(pe))
        return "waits";
    return sheaf_report_open_call(pe) ? "in call" : "computes";
}

/* For a PE that waits, the board has more than the recorder: which of several threads waits, and
 * operations on another host. */
void sheaf_report_row(const struct sheaf_report *report, int index, struct sheaf_report_row *row)
{
    const struct sheaf_report_pe *pe = &report->pes[index];
    const struct sheaf_record *open = sheaf_report_open_call(pe),
                              *last = sheaf_report_last_call(pe), *call = open ? open : last;
    *row = (struct sheaf_report_row){.state = name_state(pe)};
    if (!sheaf_report_is_alive(pe) || pe->state != SHEAF_PE_INITIALIZED)
        return;
    if (sheaf_report_waits(pe)) {
        snprintf(row->call, sizeof row->call, "%s", pe->board.call);
        sheaf_report_wait_site(pe, row->site, sizeof row->site);
        return;
    }
    if (open)
        snprintf(row->call, sizeof row->call, "%s", sheaf_report_call_name(report, pe, open));
    if (call && !sheaf_report_call_site(pe, call, row->site, sizeof row->site))
        row->site[0] = '\0';
}

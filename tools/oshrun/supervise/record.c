/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_RECORD=DIR: when a job fails, or its time limit is reached, the PEs' records of themselves are
 * saved there, before the PEs are ended.
 */
#include "oshrun/supervise/supervise.h"

#include "base/settings/env.h"

#include <stdlib.h>

void sheaf_record_keep(struct supervisor *supervisor)
{
    struct sheaf_report report;
    char text[SHEAF_REPORT_SAVED];
    const char *folder = sheaf_settings_text("SHEAF_RECORD");
    if (!folder || !*folder)
        return;
    sheaf_board_take(&report, supervisor->job, supervisor->pes);
    sheaf_report_save(&report, folder, supervisor->job->control->job_id, SHEAF_REPORT_ALL_NODES, text);
    sheaf_report_free(&report);
    if (!supervisor->options->quiet)
        sheaf_output_message(supervisor->output, text);
}

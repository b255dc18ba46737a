/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes the report of a job (report/report.h), and adds what oshrun knows of the processes.
 */
#include "oshrun/supervise/board.h"

#include "oshrun/command/say.h"

#include <stdlib.h>
#include <sys/wait.h>

uint64_t sheaf_board_wait_ns(const struct job *job, int pe)
{
    return sheaf_report_wait_ns(sheaf_control_pe(job->control, pe));
}

void sheaf_board_take(struct sheaf_report *report, const struct job *job,
                      const struct pe_process *processes)
{
    if (sheaf_report_take(report, job->control) != 0)
        sheaf_die(1, "out of memory");
    for (int pe = 0; processes && pe < report->npes; pe++) {
        const struct pe_process *process = &processes[pe];
        if (process->exited && WIFSIGNALED(process->status))
            sheaf_report_set_life(report, pe, SHEAF_LIFE_KILLED, WTERMSIG(process->status));
        else if (process->exited)
            sheaf_report_set_life(report, pe, SHEAF_LIFE_EXITED, WEXITSTATUS(process->status));
    }
}

void sheaf_board_print(FILE *out, const struct job *job, const struct pe_process *processes)
{
    struct sheaf_report report;
    sheaf_board_take(&report, job, processes);
    sheaf_report_see_polls(&report, job->control);
    sheaf_report_print(&report, out);
    sheaf_report_free(&report);
}

void sheaf_board_print_waits(FILE *out, const struct job *job, const struct pe_process *processes)
{
    struct sheaf_report report;
    sheaf_board_take(&report, job, processes);
    sheaf_report_print_waits(&report, out);
    sheaf_report_free(&report);
}

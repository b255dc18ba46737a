/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why the job does not go on, told by the PEs themselves where another launcher than oshrun has started
 * them: when one of them gets SIGQUIT, when every PE has waited for SHEAF_STALL seconds, when
 * SHEAF_TIMEOUT is over, and to oshrun --why. The thread that watches over the job's end
 * (boot/end/watch.h) does it.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_JOB_REPORT_H
#define SHEAF_BOOT_JOB_REPORT_JOB_REPORT_H

/* Before that thread starts, with the control area mapped. end ends the job with a status; it may
 * wait. */
void sheaf_job_report_start(void (*end)(int status));

/* By a PE that dies of a signal: gives all hosts the time to keep what their PEs did (SHEAF_RECORD). */
void sheaf_job_report_keep(void);

#endif

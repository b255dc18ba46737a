/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ending a job by force, where it cannot end in order (end.h): through the launcher, and by killing.
 */
#ifndef SHEAF_BOOT_END_ABORT_H
#define SHEAF_BOOT_END_ABORT_H

/* Ends all processes of the job through the launcher, everywhere; returns when there is none
 * that could. The reason has been printed. */
void sheaf_boot_abort(int status);

/* Ends the job everywhere, through the launcher and without: this node's other PEs are killed. */
_Noreturn void sheaf_abort_job(void);

#endif

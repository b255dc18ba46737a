/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of the job, decided on by the watching thread, which is needed for that end: so another thread
 * waits for it.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_FINISH_H
#define SHEAF_BOOT_JOB_REPORT_FINISH_H

/* end ends the job with a status; it may wait. */
void sheaf_finish_set_end(void (*end)(int status));

/* Returns at once. */
void sheaf_finish(int status);

#endif

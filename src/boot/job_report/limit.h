/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_TIMEOUT: so long after shmem_init the job says why it is not done, and ends. The lowest PE of the
 * first node sees to it.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_LIMIT_H
#define SHEAF_BOOT_JOB_REPORT_LIMIT_H

void sheaf_limit_start(void);

/* Asks the other hosts, where it is time. */
void sheaf_limit_begin(void);

/* In how many ms to begin; -1: never. */
int sheaf_limit_due_ms(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in which every PE waits for another gets no further by itself, unless something outside of it
 * writes or answers: so it is told, once, and left alone. The lowest PE of the first node looks. Where one
 * of them has exited without shmem_finalize the job ends instead: the lowest PE of its node looks at that.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_STALL_H
#define SHEAF_BOOT_JOB_REPORT_STALL_H

void sheaf_stall_start(void);

/* Asks the other hosts, where it is time and this node's PEs have all waited. */
void sheaf_stall_begin(void);

/* In how many ms to begin again; -1: never. */
int sheaf_stall_due_ms(void);

#endif

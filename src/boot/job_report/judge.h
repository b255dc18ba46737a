/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs of several hosts that have made calls which do not fit together: another collective, root, size, or
 * order of teams. A message that meets the wrong call tells its receiver, and this finds the other call;
 * where the messages go astray, the PEs wait, and this finds out. The job ends with a line that names both
 * calls. The lowest PE of each node sees to it.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_JUDGE_H
#define SHEAF_BOOT_JOB_REPORT_JUDGE_H

void sheaf_judge_start(void);

/* By a PE whose call does not fit another host's: asks the node's lowest PE to compare all PEs' calls, and
 * waits for the end of the job; where PEs are apart (SHEAF_ONNODE=off) oshrun compares. Returns where the
 * end does not come. */
void sheaf_judge_ask(void);

/* That question, at the lowest PE. */
void sheaf_judge_soon(void);

/* Asks the other hosts, where it is time. */
void sheaf_judge_begin(void);

/* In how many ms to begin; -1: never. */
int sheaf_judge_due_ms(void);

#endif

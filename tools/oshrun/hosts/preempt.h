/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preemption of PEs, for programs that poll in loops unknown to the library, such as while (flag == 0) on a
 * volatile variable. Where PEs outnumber their processors, such a loop keeps its processor for a slice of
 * the scheduler, 3 to 4 ms, while the PE that it waits for is in the run queue. While PEs do that, one
 * thread per processor wakes up at intervals and makes the scheduler choose again. The threads are in the
 * proxy and know only processes and the control area.
 */
#ifndef SHEAF_OSHRUN_PREEMPT_H
#define SHEAF_OSHRUN_PREEMPT_H

#include "image/control.h"

/* Starts the watching thread in the calling process, where there are more PEs than processors to run on
 * and SHEAF_PREEMPT is not off. Its threads end with the process. control stays mapped. */
void sheaf_preempt_start(struct sheaf_control *control);

#endif

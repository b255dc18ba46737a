/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread that dies of a signal has to say is found out by a copy of the process: whatever it finds
 * broken, or locked by a thread that it has no copy of, is its own trouble, and its time is short. The
 * process itself waits, so that a core that is written afterwards is that of the fault.
 */
#ifndef SHEAF_CORE_FAULT_COPY_H
#define SHEAF_CORE_FAULT_COPY_H

#include <signal.h>
#include <ucontext.h>

/* Returns what its caller is to know, 0 to 127. */
typedef int sheaf_fault_work(const siginfo_t *info, const ucontext_t *context);

/* From the handler of the signal. Returns what the work has, or -1 where it has not ended within three
 * seconds. A program that is linked with a static libc has no copies. */
int sheaf_fault_in_copy(sheaf_fault_work *work, const siginfo_t *info, const ucontext_t *context);

#endif

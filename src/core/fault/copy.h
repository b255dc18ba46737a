/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread that dies of a signal has to say is found out by a copy of the process: whatever it finds
 * broken, or locked by a thread that it has no copy of, is its own trouble, and its time is short. The
 * process itself waits, so that a core that is written afterwards is that of the fault.
 */
#ifndef SHEAF_CORE_FAULT_COPY_H
#define SHEAF_CORE_FAULT_COPY_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

typedef void sheaf_fault_work(const siginfo_t *info, const ucontext_t *context);

/* From the handler of the signal. Returns whether the copy has done its work, within three seconds. A
 * program that is linked with a static libc has no copies. */
bool sheaf_fault_in_copy(sheaf_fault_work *work, const siginfo_t *info, const ucontext_t *context);

#endif

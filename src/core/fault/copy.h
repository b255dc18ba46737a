/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A copy of the process explains why a thread dies of a signal. Broken data, or a lock held by a thread
 * that the copy does not have, harm the copy alone, and its time is limited. The process itself waits, so
 * that a core file written afterwards shows the fault.
 */
#ifndef SHEAF_CORE_FAULT_COPY_H
#define SHEAF_CORE_FAULT_COPY_H

#include <signal.h>
#include <ucontext.h>

/* Returns a number for its caller, 0 to 127. */
typedef int sheaf_fault_work(const siginfo_t *info, const ucontext_t *context);

/* Called in the handler of the signal. Returns the work's result, or -1 where it has not ended within 3
 * s. A program that is linked with a static libc has no copies. */
int sheaf_fault_in_copy(sheaf_fault_work *work, const siginfo_t *info, const ucontext_t *context);

#endif

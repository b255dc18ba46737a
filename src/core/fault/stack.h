/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stack of a thread that dies of a signal, in words: functions, files and lines.
 */
#ifndef SHEAF_CORE_FAULT_STACK_H
#define SHEAF_CORE_FAULT_STACK_H

#include <signal.h>
#include <ucontext.h>

/* One error line with a line per function below it. From the handler of the signal; changes nothing in this
 * process and takes three seconds at most. A program that is linked with a static libc has none. */
void sheaf_fault_stack(const siginfo_t *info, const ucontext_t *context);

/* This thread's handlers that ask for it get a stack of their own, where it has none: its own may be what
 * has run over. */
void sheaf_fault_stack_prepare(void);

#endif

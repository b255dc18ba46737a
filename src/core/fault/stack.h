/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stack of a thread that dies of a signal, as functions, files and lines.
 */
#ifndef SHEAF_CORE_FAULT_STACK_H
#define SHEAF_CORE_FAULT_STACK_H

#include <signal.h>
#include <ucontext.h>

/* Prints one error line, and a line for each function below it. Called in the handler of the signal; it
 * changes nothing in this process and takes 3 s at most. Not for a program that is linked with a static
 * libc. */
void sheaf_fault_stack(const siginfo_t *info, const ucontext_t *context);

/* Gives this thread's handlers that ask for it a stack of their own, where they have none: the thread's
 * own stack may be the one that overflowed. */
void sheaf_fault_stack_prepare(void);

#endif

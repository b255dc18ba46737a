/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process tree, from /proc. The caller is a subreaper: processes that its children leave behind stay
 * below it, so that the processes below it are exactly those of the job.
 */
#ifndef SHEAF_OSHRUN_PROCESS_H
#define SHEAF_OSHRUN_PROCESS_H

#include <stdbool.h>

/* Whether the process sleeps: it does not run, is not in the run queue, and is not stopped. Returns
 * true where /proc does not tell. */
bool sheaf_process_is_asleep(int pid);

/* Whether the process has been stopped, by a signal or a debugger. */
bool sheaf_process_is_stopped(int pid);

/* Closes the descriptors first to last. */
void sheaf_process_close_between(unsigned first, unsigned last);

/* Sends the signal to every process below this one except spare (0: none). Returns how many. */
int sheaf_process_signal_below(int signal, int spare);

#endif

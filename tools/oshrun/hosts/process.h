/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process tree, from /proc. The caller is a subreaper: whatever its children leave behind
 * stays below it, so that below it is exactly what belongs to the job.
 */
#ifndef SHEAF_OSHRUN_PROCESS_H
#define SHEAF_OSHRUN_PROCESS_H

#include <stdbool.h>

/* Whether it sleeps: neither runs, nor stands in line for a processor, nor is stopped. True where /proc
 * does not tell. */
bool sheaf_process_is_asleep(int pid);

/* Whether it has been stopped, by a signal or a debugger. */
bool sheaf_process_is_stopped(int pid);

/* Closes the descriptors first to last. */
void sheaf_process_close_between(unsigned first, unsigned last);

/* Sends the signal to every process below this one but for spare (0: none). Returns how many. */
int sheaf_process_signal_below(int signal, int spare);

#endif

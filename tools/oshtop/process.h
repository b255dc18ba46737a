/* SPDX-License-Identifier: BSD-3-Clause
 * What /proc says of a process.
 */
#ifndef SHEAF_OSHTOP_PROCESS_H
#define SHEAF_OSHTOP_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct top_process {
    uint64_t cpu_ns;  /* for which its threads have run */
    uint64_t started; /* clock ticks from the machine's start */
};

/* False for one that has ended. */
bool top_process_read(int pid, struct top_process *process);

#endif

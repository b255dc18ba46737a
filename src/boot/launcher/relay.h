/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-1 beside an MPI that speaks it on the same descriptor, where the launcher takes one greeting only:
 * Slurm's, which leaves a second one without an answer. An MPI that has begun has greeted for both. One
 * that has not gets a connection to this process in its place, and a thread passes on what it says, but for
 * the greeting and the farewell.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RELAY_H
#define SHEAF_BOOT_LAUNCHER_RELAY_H

#include <stdbool.h>

/* Whether the launcher is such a one, and an MPI is in the process that speaks PMI-1 to it. */
bool sheaf_relay_is_needed(void);

/* Whether that MPI has greeted the launcher already. */
bool sheaf_relay_has_greeted(void);

/* With the conversation open: from now on PMI_FD leads to this process. 0, or -1 with the reason printed.
 * The descriptor is not inherited. */
int sheaf_relay_start(void);

#endif

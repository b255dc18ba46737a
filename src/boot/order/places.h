/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The places of the node's PEs, in the keeper: their memory, which it holds on to, and who starts a new
 * process in a dead one's place (stand_in.h). keeper.c alone calls this.
 */
#ifndef SHEAF_BOOT_ORDER_PLACES_H
#define SHEAF_BOOT_ORDER_PLACES_H

#include "image/control.h"

#include <poll.h>
#include <stdbool.h>

void sheaf_places_begin(struct sheaf_control *control);

/* Once the PEs have mapped their memory: holds on to it, and to their stand-ins. False: no new processes
 * can be had here, since one has none. */
bool sheaf_places_open(void);

/* Asks the stand-in of a slot for a process; what comes of it is heard. */
void sheaf_places_start(int slot);

/* What to poll for, one for each slot. False: some need not be polled for, hear them now. */
bool sheaf_places_watch(struct pollfd *fds);

/* After that: the process that has been started; -1: none could be; 0: nothing was said. */
int32_t sheaf_places_hear(int slot);

/* The job has ended, with that status. */
void sheaf_places_end(int status);

#endif

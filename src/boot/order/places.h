/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The places of the node's PEs, in the agent: their memory, which it holds on to, and who starts a new
 * process in a dead one's place (stand_in.h). agent.c alone calls this.
 */
#ifndef SHEAF_BOOT_ORDER_PLACES_H
#define SHEAF_BOOT_ORDER_PLACES_H

#include "base/os/process.h"
#include "image/control.h"

#include <poll.h>
#include <stdbool.h>

void sheaf_places_begin(struct sheaf_control *control);

/* Once the PEs have mapped their memory: holds on to it, and to their stand-ins. False: no new processes
 * can be had here, since one has none. */
bool sheaf_places_open(void);

/* Asks a stand-in for a process in the place of a PE, of which that is the area: the place's own; any where
 * that is gone, and where this host has taken the PE in. What comes of it is heard. */
void sheaf_places_start(struct sheaf_control *area, int pe);

/* The stand-ins' descriptors, for poll: at most as many as the own area has PEs. Returns how many.
 * !*all_wait: some have news already, hear them now. */
size_t sheaf_places_watch(struct pollfd *fds, bool *all_wait);

/* After that, of a stand-in: whether it has said something: which PE's process it has started; -1: none. */
struct sheaf_started {
    int pe;
    struct sheaf_process process; /* pid -1: it could not be started */
};
bool sheaf_places_hear(int stand_in, struct sheaf_started *started);

/* The job has ended, with that status. */
void sheaf_places_end(int status);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The respawn slots of a node: for each of its PEs, the file with the PE's memory, which outlives the PE in
 * the agent, and the respawn agent that starts a new process for it (respawn_agent.h). agent.c alone calls
 * this.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_RESPAWN_SLOTS_H
#define SHEAF_BOOT_REPLICATED_LOG_RESPAWN_SLOTS_H

#include "base/os/process.h"
#include "image/control.h"

#include <poll.h>
#include <stdbool.h>

void sheaf_respawn_slots_begin(struct sheaf_control *control);

/* Once the PEs have mapped their memory: opens their files, and the pipes of their respawn agents. False:
 * no new process can be started here, since a PE has no respawn agent. */
bool sheaf_respawn_slots_open(void);

/* Asks for a new process of a PE whose node has that area: the PE's own respawn agent, or another of this
 * host where that has ended or the PE's node is adopted. sheaf_respawn_slots_hear() gives the result. */
void sheaf_respawn_slots_start(struct sheaf_control *area, int pe);

/* The descriptors of respawn agents that were asked, for poll: at most as many as the own area has PEs.
 * Returns how many. !*all_wait: some have a result already, so hear all before the poll. */
size_t sheaf_respawn_slots_watch(struct pollfd *fds, bool *all_wait);

/* After that: whether the respawn agent of that slot has started a process, or failed to. */
struct sheaf_started {
    int pe; /* whose process */
    struct sheaf_process process; /* pid -1: it could not be started */
};
bool sheaf_respawn_slots_hear(int respawn_agent, struct sheaf_started *started);

/* The job has ended, with that status. */
void sheaf_respawn_slots_end(int status);

#endif

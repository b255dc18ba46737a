/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where deaths are reported in a job of several nodes: this node's agent (agent.h), as its PEs see
 * it. Calls by boot/start.c and, for votes, by core.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_AGENT_CLIENT_H
#define SHEAF_BOOT_REPLICATED_LOG_AGENT_CLIENT_H

#include "boot/replicated_log/locks.h"
#include "boot/replicated_log/respawn_log.h"
#include "boot/replicated_log/votes.h"
#include "boot/launcher/launcher.h"

#define SHEAF_AGENT_MOST_VOTE 4096 /* bytes of a vote at most */

/* Whether this job has agents. */
bool sheaf_agent_is_used(void);

/* Collective, once, with the control area there: the lowest PE of each node starts the agent. 0, or
 * -1 with the reason printed. */
int sheaf_agent_launch(void);

/* At the first initialization, before a fence of all PEs and after it: agents learn of each other,
 * and the caller returns when all are connected. 0, or -1 with the reason printed. */
int sheaf_agent_publish(void);
int sheaf_agent_connect(void);

/* Hands a vote, or a call about a lock, to the agent; where the answer will lie is its own matter.
 * From any thread. */
void sheaf_agent_vote(const struct sheaf_vote *vote);
void sheaf_agent_lock(const struct sheaf_lock_call *call);

/* The same for a rejoin. respawn: asks for a new process. say_address, by the new process: where it is
 * reached; -1: that is too long. begin_rejoin, by one of the others: what the allocator of the heap knows,
 * for all. settle, by the new process: it is there. */
void sheaf_agent_respawn(const struct sheaf_respawn *call);
int sheaf_agent_say_address(const void *address, size_t bytes);
void sheaf_agent_begin_rejoin(uint32_t deaths, const void *heap, size_t bytes);
void sheaf_agent_settle(uint32_t deaths);

/* The address that a PE has said last, malloc'ed, where new processes may be started; -1: there is none. At
 * start slot 0's PE writes them all down. */
bool sheaf_agent_has_addresses(void);
int sheaf_agent_address(int pe, void **address, size_t *bytes);
int sheaf_agent_note_address(int pe, const void *address, size_t bytes);

/* Copies the list of the heap's blocks that the log has for the rejoin; malloc'ed. -1 and errno. */
int sheaf_agent_heap(void **heap, size_t *bytes);

/* PE pe of this node ends the job with this status: the agents end all other processes, whatever the
 * launcher does. */
void sheaf_agent_end_job(int pe, int status);

/* The agent of a process that has taken a dead one's place, as a launcher: it has nothing to say but who
 * this is. */
extern const struct sheaf_launcher sheaf_launcher_respawned;

#endif

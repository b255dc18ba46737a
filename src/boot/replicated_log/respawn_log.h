/* SPDX-License-Identifier: BSD-3-Clause
 *
 * New processes in dead PEs' places, which follow from the replicated log (journal.h): which calls for
 * one are granted, the addresses of the new processes, and the rejoin of all PEs with them. Every agent
 * applies the entries to the control areas of its areas. agent.c passes the entries on.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_RESPAWN_LOG_H
#define SHEAF_BOOT_REPLICATED_LOG_RESPAWN_LOG_H

#include "image/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bodies of entries. A PE calls for a process; its node writes the answer into the box. */
struct sheaf_respawn {
    int32_t pe;
    int32_t asker;
    uint64_t box;
    uint32_t number; /* of the asker's, in the answer */
    uint32_t unused;
};
enum {
    SHEAF_RESPAWN_REFUSED,
    SHEAF_RESPAWN_GRANTED,
    SHEAF_RESPAWN_IS_LOST, /* its host is, and no other has processes in reserve */
    SHEAF_RESPAWN_DIFFERS  /* its host is, and respawn agents elsewhere start other programs */
};
struct sheaf_respawn_answer {
    uint32_t is_granted; /* one of these */
    uint32_t number; /* the last field to be written */
};

/* The network address of the new process; its bytes follow. */
struct sheaf_said_address {
    int32_t pe;
    uint32_t incarnation; /* see struct sheaf_pe_location */
};

/* A part of the list of the heap's blocks; its bytes follow. The rejoin of the PEs that have met so many
 * deaths begins with the part at 0. */
struct sheaf_heap_part {
    uint32_t deaths;
    uint32_t unused;
    uint64_t offset;
};

/* All parts are there: the PEs rejoin. */
struct sheaf_rejoin {
    uint32_t deaths;
    uint32_t unused;
    uint64_t heap_bytes;
};

/* A new process has come, in the place of a PE that was dead by then. */
struct sheaf_arrival {
    int32_t pe;
    uint32_t deaths;
};

/* A PE ends the job. */
struct sheaf_job_end {
    int32_t pe;
    int32_t status;
};

/* After sheaf_node_areas_begin(). False: no memory. */
bool sheaf_respawn_log_create(struct sheaf_control *own);

/* How many processes a node can start: alike on all nodes, once all agents are connected. */
void sheaf_respawn_log_count_spares(int node, uint32_t count);

/* The next entry of the log. False: no agent or PE of the job submits such a one. */
bool sheaf_respawn_log_note_address(const struct sheaf_said_address *said, size_t bytes);
bool sheaf_respawn_log_keep(const struct sheaf_heap_part *part, size_t bytes);
bool sheaf_respawn_log_rejoin(const struct sheaf_rejoin *rejoin);
bool sheaf_respawn_log_settle(const struct sheaf_arrival *arrival);

/* The next entry, a call for a process. Returns the answer. The PE counts as started where it is granted.
 * Where the host of its node is lost the node gets another host: the next node that can start processes,
 * which has the copies of its PEs' snapshots (SHEAF_BUDDY). The node keeps that host until it is lost
 * too. */
uint32_t sheaf_respawn_log_grant(const struct sheaf_respawn *call);

/* The node on whose host the PE is. */
int sheaf_respawn_log_host_node(int pe);

/* The node is lost, or has left: nobody is started there any more. */
void sheaf_respawn_log_forget(int node);

/* This node could not write a part down, and so cannot go on. */
bool sheaf_respawn_log_has_failed(void);

/* How many processes this node can still start. */
int sheaf_respawn_log_spares(void);

/* Whether a PE of another host lives, who might call for one of this host. */
bool sheaf_respawn_log_has_callers(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent: a process of each node, beside the PEs, where deaths are reported in a job of several
 * nodes. It sees its node's PEs die, tells the other nodes' agents, and writes what all have put into
 * one order into the control area: deaths, and what the living agree on. It outlives every PE of its
 * node, and ends with the last. It is a program of its own (tools/agent), which agent_start.c starts;
 * agent_client.c talks to it through a pipe.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_AGENT_H
#define SHEAF_BOOT_REPLICATED_LOG_AGENT_H

#include "image/control.h"

#include <stdint.h>

/* Written into the pipe whole: at most 4096 bytes, which the kernel does not mix with another's. */
enum sheaf_request_kind {
    SHEAF_REQUEST_REACH = 1, /* node; text: where that node's agent is */
    SHEAF_REQUEST_VOTE,      /* a sheaf_vote */
    SHEAF_REQUEST_LOCK,      /* a sheaf_lock_call */
    SHEAF_REQUEST_RESPAWN,   /* these: respawn_log.h */
    SHEAF_REQUEST_ADDRESS,
    SHEAF_REQUEST_HEAP,
    SHEAF_REQUEST_REJOIN,
    SHEAF_REQUEST_SETTLE,
    SHEAF_REQUEST_END,
    SHEAF_REQUESTS
};
struct sheaf_agent_request {
    uint32_t bytes; /* with this */
    uint16_t kind;
    uint16_t node;
};
#define SHEAF_REQUEST_MOST 4096

/* Does not return. The control area, mapped for writing, and the pipe's reading end; the mesh is open. */
_Noreturn void sheaf_agent_run(struct sheaf_control *area, int pipe);

#endif

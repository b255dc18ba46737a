/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent: a process of each node, beside the PEs, where deaths are reported in a job of several
 * nodes. It sees its node's PEs die, tells the other nodes' agents, and writes what all have put into
 * one order into the control area: deaths, and what the living agree on. It outlives every PE of its
 * node, and ends with the last. It is a program of its own (tools/agent), which agent_start.c starts;
 * order.c talks to it through a pipe.
 */
#ifndef SHEAF_BOOT_ORDER_AGENT_H
#define SHEAF_BOOT_ORDER_AGENT_H

#include "image/control.h"

#include <stdint.h>

/* Written into the pipe whole: at most 4096 bytes, which the kernel does not mix with another's. */
enum sheaf_errand_kind {
    SHEAF_ERRAND_REACH = 1, /* node; text: where that node's agent is */
    SHEAF_ERRAND_VOTE,      /* a sheaf_vote */
    SHEAF_ERRAND_LOCK,      /* a sheaf_lock_call */
    SHEAF_ERRAND_RESPAWN,   /* these: rebirth.h */
    SHEAF_ERRAND_ADDRESS,
    SHEAF_ERRAND_HEAP,
    SHEAF_ERRAND_MEET,
    SHEAF_ERRAND_SETTLE,
    SHEAF_ERRAND_END,
    SHEAF_ERRANDS
};
struct sheaf_errand {
    uint32_t bytes; /* with this */
    uint16_t kind;
    uint16_t node;
};
#define SHEAF_ERRAND_MOST 4096

/* Does not return. The control area, mapped for writing, and the pipe's reading end; the mesh is open. */
_Noreturn void sheaf_agent_run(struct sheaf_control *area, int pipe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the agent of this host (tools/agent), for the node's lowest PE. agent_client.c alone calls this.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_AGENT_START_H
#define SHEAF_BOOT_REPLICATED_LOG_AGENT_START_H

#include "boot/replicated_log/mesh.h"
#include "image/control.h"

/* file begins with the control area. *outbox: the writing end of the agent's pipe; address: where agents of
 * other hosts reach it. 0, or -1 with the reason printed. */
int sheaf_agent_start(const struct sheaf_control *area, int file, char address[SHEAF_MESH_ADDRESS],
                      int *outbox);

#endif

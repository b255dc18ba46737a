/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control areas that an agent writes. The first is its own node's. The others are those of adopted
 * nodes: their hosts are lost, and new processes of their PEs run on this host (respawn_log.h says
 * which). The area of an adopted node is made when the node is adopted, with the state that the log has
 * by then, and with empty memory for each PE. The PEs of an adopted node stay far to those of all other
 * nodes, also of this host.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_NODE_AREAS_H
#define SHEAF_BOOT_REPLICATED_LOG_NODE_AREAS_H

#include "image/control.h"

#include <stdbool.h>

/* False: no memory. */
bool sheaf_node_areas_begin(struct sheaf_control *own);

/* The areas: number 0 is the own node's. */
int sheaf_node_areas_count(void);
struct sheaf_control *sheaf_node_area(int number);

/* The area of the node of a PE of the world; NULL: this agent does not write that one. */
struct sheaf_control *sheaf_node_area_of(int pe);

/* A PE's entry there. */
struct sheaf_pe *sheaf_node_area_entry(struct sheaf_control *area, int pe);

/* Makes the area of a node whose host node this one is by now. NULL and errno: no memory. */
struct sheaf_control *sheaf_node_areas_adopt(int node);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The agent's wards: the nodes whose control areas it writes. The first is its own. The others are
 * adopted nodes: their hosts are lost, and new processes in the places of their PEs run on this host
 * (rebirth.h says which). An adopted node begins with a new area, which has what the log has led to by
 * then, and with empty memory for each PE. To all other nodes, and to this host's own, its PEs are far,
 * as before.
 */
#ifndef SHEAF_BOOT_ORDER_WARDS_H
#define SHEAF_BOOT_ORDER_WARDS_H

#include "image/control.h"

#include <stdbool.h>

/* False: no memory. */
bool sheaf_wards_begin(struct sheaf_control *own);

/* The areas, from 0, the own one, to the number of them. */
int sheaf_wards_count(void);
struct sheaf_control *sheaf_ward(int number);

/* The area of the node of a PE of the world; NULL: that is no ward. */
struct sheaf_control *sheaf_ward_of(int pe);

/* A PE's entry there. */
struct sheaf_pe *sheaf_ward_entry(struct sheaf_control *area, int pe);

/* Takes in a node whose home is this one by now. NULL and errno: there is no memory for it. */
struct sheaf_control *sheaf_wards_take_in(int node);

#endif

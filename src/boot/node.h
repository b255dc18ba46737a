/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Brings the PEs of a node together that a launcher started one by one: each has a file of its own,
 * and the lowest PE's gets the control area.
 */
#ifndef SHEAF_BOOT_NODE_H
#define SHEAF_BOOT_NODE_H

#include "boot/launcher/launcher.h"

/* Collective. sheaf_boot.pe and npes are set; sets the rest, and maps the control area. 0, or -1
 * after a PE has printed the reason. */
int sheaf_node_join(const struct sheaf_launcher *launcher);

#endif

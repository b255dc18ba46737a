/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command, environment, descriptors and CPUs that each PE is started with.
 */
#ifndef SHEAF_OSHRUN_SPAWN_H
#define SHEAF_OSHRUN_SPAWN_H

#include "oshrun/hosts/proxy.h"

/* Puts gdb or valgrind in front where options ask for it, and makes the environment. The caller sets
 * the PEs' descriptors, before or after. */
void sheaf_spawn_prepare(struct spawn *spawn);

/* Sets a variable, "NAME=VALUE", for the PEs of all programs; the text is copied. */
void sheaf_spawn_set_for_all(struct spawn *spawn, const char *setting);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each PE is started with: command, environment, descriptors, CPUs.
 */
#ifndef SHEAF_OSHRUN_SPAWN_H
#define SHEAF_OSHRUN_SPAWN_H

#include "oshrun/hosts/keeper.h"

/* Puts gdb or valgrind in front where that is wanted, and makes the environment. What the PEs'
 * descriptors are is the caller's to fill in, before or after. */
void sheaf_spawn_prepare(struct spawn *spawn);

/* Sets a variable for the PEs of all programs, "NAME=VALUE", which is copied. */
void sheaf_spawn_set_for_all(struct spawn *spawn, const char *setting);

#endif

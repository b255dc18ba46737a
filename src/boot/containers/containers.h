/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs of one machine in several containers become one node. Process numbers mean nothing between
 * containers, and /proc/PID/fd of another cannot be opened: so the PEs pass each other descriptors of
 * their memory, of their processes and of their wake pipes, over local sockets. A node of the job map
 * is a container here until it has joined another.
 */
#ifndef SHEAF_BOOT_CONTAINERS_CONTAINERS_H
#define SHEAF_BOOT_CONTAINERS_CONTAINERS_H

#include "base/os/process.h"
#include "boot/launcher/launcher.h"
#include "boot/world/pe_record.h"

/* Which containers may join: into[node] is the lowest that the node can join, or the node itself. The
 * same on all PEs that have read all PE records. False: none. */
bool sheaf_containers_find(const struct sheaf_job_map *map, int *into);

/* Collective over all PEs of the job, where find has told of any. Makes one node in the map of those that
 * have joined; the others stay nodes. 0, or the reason is printed: the launcher has failed. */
int sheaf_containers_join(struct sheaf_job_map *map, int *into, const struct sheaf_launcher *launcher);

/* How many PEs this PE's own container has, once it has joined others; else 0. */
int sheaf_containers_own_pes(void);

/* Whether PE pe is one of this PE's node that has joined by descriptors, and by which number it is known
 * then: this PE too, by the same on all. */
bool sheaf_containers_process(int pe, struct sheaf_process *process);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory spaces for programs: the members of a team create and destroy them, and allocate in them,
 * together.
 */
#ifndef SHEAF_CORE_SPACE_H
#define SHEAF_CORE_SPACE_H

#include "core/memory/space.h"

/* Collective over team, with sheaf_call: kind is "default", "huge", "numa:N", "interleave" or
 * "file:PATH", size in bytes. Returns 0, or -1 on all members with *space NULL, and one of them has
 * printed why. */
int sheaf_space_create(struct sheaf_team *team, const char *kind, size_t size, struct sheaf_space **space,
                       const char *call);
void sheaf_space_destroy(struct sheaf_space *space, const char *call);

/* Ends the program with a line that names the call, where the handle is that of no space. */
struct sheaf_space *sheaf_space_require(struct sheaf_space *handle, const char *call);

/* Collective over the space's team, with the barriers and null results of core/allocation.h. */
void *sheaf_space_allocate(struct sheaf_space *space, size_t size, size_t alignment, bool zeroed,
                           const char *call);
void sheaf_space_free(struct sheaf_space *space, void *block, const char *call);

/* A barrier of the space's members; completes their operations on the default context. */
void sheaf_space_barrier(struct sheaf_space *space);

/* At the last finalize, after a barrier of all PEs: each PE destroys all its spaces by itself. */
void sheaf_space_destroy_all(void);

#endif

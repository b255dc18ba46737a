/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See lock_internal.h: the variable of a lock of any kind.
 */
#include "core/lock_internal.h"

#include "base/log.h"
#include "core/access/route.h"
#include "core/memory/address_text.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "core/memory/symmetric.h"
#include "core/pe/job.h"
#include "core/team/team.h"

#include <stdio.h>

/* Locks are spread over the PEs that have them by their position in symmetric memory, which is the same
 * on all PEs. */
int sheaf_lock_home(const long *lock)
{
    size_t position = (size_t)sheaf_symmetric_position(lock) / (SHEAF_MOST_SEGMENTS * sizeof *lock);
    const struct sheaf_space *space = sheaf_space_of(lock);
    if (sheaf_unlikely(space))
        return sheaf_team_world_pe(space->team, (int)(position % (unsigned)space->team->size));
    if (sheaf_unlikely(sheaf_team_memory_holds(lock, 1)))
        return sheaf_team_blocks_member(lock, position);
    return (int)(position % (unsigned)sheaf_job.npes);
}

struct lock_word *sheaf_lock_home_word(long *lock, const char *call)
{
    return sheaf_route_to(lock, sizeof *lock, sheaf_lock_home(lock), call);
}

void sheaf_lock_describe(const void *lock, char *text, size_t size)
{
    char name[SHEAF_ADDRESS_NAME];
    sheaf_address_name(lock, name, sizeof name);
    snprintf(text, size, "the lock%s at %p", name, lock);
}

void sheaf_lock_refuse_value(const long *lock, const char *call)
{
    char what[SHEAF_LOCK_TEXT];
    sheaf_lock_describe(lock, what, sizeof what);
    sheaf_fatal("SH119 %s: %s has a value that no call leaves there: was it set to 0 on all PEs before its "
                "first use?", call, what);
}

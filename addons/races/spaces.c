/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of memory spaces: how they come and go, and whose members meet in them.
 */
#include "races/internal.h"

#define MOST_BYTES ((size_t)1 << (RACES_SPACE_SHIFT + RACES_PAGE_SHIFT)) /* more are not watched */

/* A first block, which goes back at once, says where it begins. Of all members, or of none. */
void races_space_made(const struct races_call *call, shmemx_space_t handle, size_t bytes)
{
    if (!call->team || !races_self || bytes >= MOST_BYTES)
        return;
    void *block = pshmemx_space_malloc(handle, 1);
    if (!block)
        return;
    pshmemx_space_free(handle, block);
    struct races_space *space = races_space_new();
    struct races_team *team = races_team_again(call->team);
    uintptr_t start = (uintptr_t)block & ~(RACES_PAGE - 1);
    if (space && team)
        *space = (struct races_space){handle, start, start + (bytes | (RACES_PAGE - 1)) + 1, team,
                                       races_team_number(team)};
}

void races_space_find(struct races_call *call, shmemx_space_t handle)
{
    const struct races_space *space = handle == SHMEMX_SPACE_INVALID ? NULL : races_space_of(handle);
    call->team = races.is_up && space ? space->team : NULL;
}

void races_block_find(struct races_call *call, const void *block)
{
    const struct races_space *space = races.is_up ? races_space_at((uintptr_t)block) : NULL;
    if (space)
        call->team = space->team;
    else
        races_team_find(call, SHMEM_TEAM_WORLD);
}

/* Its addresses may be those of something else next. */
void races_space_gone(shmemx_space_t handle)
{
    struct races_space *space = handle == SHMEMX_SPACE_INVALID ? NULL : races_space_of(handle);
    if (!space)
        return;
    races_forget_range(space->start, space->end - space->start);
    for (int pe = 0; pe < races.npes; pe++)
        races_pages_forget(space->start + (uintptr_t)races.distance[pe], space->end - space->start);
    races_team_drop(space->team);
    *space = (struct races_space){.handle = SHMEMX_SPACE_INVALID};
}

void races_spaces_prepare(void)
{
    struct races_space *spaces;
    int count = races_spaces(&spaces);
    for (int i = 0; i < count; i++)
        races_space_gone(spaces[i].handle);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory spaces: where each lies for this PE, and its members, who meet in its calls. Members have a copy
 * each at addresses of their own; a page of it has the same name for all of them, by the space's first
 * block.
 */
#include "races/internal.h"

#define MOST_SPACES 64
#define MOST_BYTES  ((size_t)1 << (RACES_SPACE_SHIFT + RACES_PAGE_SHIFT)) /* more are not watched */

static struct space {
    shmemx_space_t handle; /* SHMEMX_SPACE_INVALID: none */
    uintptr_t start, end;  /* whole pages, from that of the first block */
    struct races_team *team;
} spaces[MOST_SPACES];
static int space_count; /* up to the last one in use */

static struct space *space_of(shmemx_space_t handle)
{
    for (int i = 0; i < space_count; i++)
        if (spaces[i].handle == handle)
            return &spaces[i];
    return NULL;
}

/* Two that lie side by side: the one that begins nearer before it. */
static struct space *space_at(uintptr_t address)
{
    struct space *found = NULL;
    for (int i = 0; i < space_count; i++)
        if (address - spaces[i].start < spaces[i].end - spaces[i].start &&
            (!found || spaces[i].start > found->start))
            found = &spaces[i];
    return found;
}

bool races_space_page(uintptr_t address, uint64_t *page)
{
    const struct space *space = space_at(address);
    if (!space)
        return false;
    *page = (uint64_t)races_team_number(space->team) << RACES_SPACE_SHIFT |
            (address - space->start) >> RACES_PAGE_SHIFT;
    return true;
}

bool races_is_in_space(uintptr_t address)
{
    return space_count > 0 && space_at(address) != NULL;
}

/* A first block, which goes back at once, says where it begins. Of all members, or of none. */
void races_space_made(const struct races_call *call, shmemx_space_t handle, size_t bytes)
{
    struct space *space = space_of(SHMEMX_SPACE_INVALID);
    if (!call->team || !races_self || bytes >= MOST_BYTES)
        return;
    void *block = pshmemx_space_malloc(handle, 1);
    if (!block)
        return;
    pshmemx_space_free(handle, block);
    if (!space && space_count < MOST_SPACES)
        space = &spaces[space_count++];
    struct races_team *team = races_team_again(call->team);
    uintptr_t start = (uintptr_t)block & ~(RACES_PAGE - 1);
    if (space && team)
        *space = (struct space){handle, start, start + (bytes | (RACES_PAGE - 1)) + 1, team};
}

void races_space_find(struct races_call *call, shmemx_space_t handle)
{
    const struct space *space = handle == SHMEMX_SPACE_INVALID ? NULL : space_of(handle);
    call->team = races.is_up && space ? space->team : NULL;
}

void races_block_find(struct races_call *call, const void *block)
{
    const struct space *space = races.is_up ? space_at((uintptr_t)block) : NULL;
    if (space)
        call->team = space->team;
    else
        races_team_find(call, SHMEM_TEAM_WORLD);
}

/* Its addresses may be those of something else next. */
void races_space_gone(shmemx_space_t handle)
{
    struct space *space = handle == SHMEMX_SPACE_INVALID ? NULL : space_of(handle);
    if (!space)
        return;
    races_forget_range(space->start, space->end - space->start);
    for (int pe = 0; pe < races.npes; pe++)
        races_pages_forget(space->start + (uintptr_t)races.distance[pe], space->end - space->start);
    races_team_drop(space->team);
    *space = (struct space){.handle = SHMEMX_SPACE_INVALID};
}

void races_spaces_prepare(void)
{
    for (int i = 0; i < space_count; i++)
        races_space_gone(spaces[i].handle);
}

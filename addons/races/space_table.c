/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the memory spaces lie for this PE. Members have a copy each at addresses of their own; a page of it
 * has the same name for all of them, by the space's first block.
 */
#include "races/internal.h"

#define MOST_SPACES 64

static struct races_space spaces[MOST_SPACES];
static int space_count; /* up to the last one in use */

struct races_space *races_space_of(shmemx_space_t handle)
{
    for (int i = 0; i < space_count; i++)
        if (spaces[i].handle == handle)
            return &spaces[i];
    return NULL;
}

/* Two that lie side by side: the one that begins nearer before it. */
struct races_space *races_space_at(uintptr_t address)
{
    struct races_space *found = NULL;
    for (int i = 0; i < space_count; i++)
        if (address - spaces[i].start < spaces[i].end - spaces[i].start &&
            (!found || spaces[i].start > found->start))
            found = &spaces[i];
    return found;
}

bool races_space_page(uintptr_t address, uint64_t *page)
{
    const struct races_space *space = races_space_at(address);
    if (!space)
        return false;
    *page = (uint64_t)space->number << RACES_SPACE_SHIFT |
            (address - space->start) >> RACES_PAGE_SHIFT;
    return true;
}

bool races_is_in_space(uintptr_t address)
{
    return space_count > 0 && races_space_at(address) != NULL;
}

struct races_space *races_space_new(void)
{
    struct races_space *space = races_space_of(SHMEMX_SPACE_INVALID);
    return space || space_count == MOST_SPACES ? space : &spaces[space_count++];
}

int races_spaces(struct races_space **all)
{
    *all = spaces;
    return space_count;
}

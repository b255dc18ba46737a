/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of the symmetric heap, by the line that allocated them.
 */
#include "races/internal.h"

#include <stdio.h>
#include <stdlib.h>

static struct races_block *blocks;
static size_t block_count, block_room;

void races_block_add(const void *start, size_t bytes, uintptr_t caller)
{
    if (block_count == block_room) {
        size_t room = block_room ? 2 * block_room : 256;
        struct races_block *more = realloc(blocks, room * sizeof *blocks);
        if (more) {
            blocks = more;
            block_room = room;
        }
    }
    if (block_count < block_room)
        blocks[block_count++] = (struct races_block){(uintptr_t)start, bytes, caller};
}

const struct races_block *races_block_of(const void *start)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].start == (uintptr_t)start)
            return &blocks[i];
    return NULL;
}

void races_block_drop(const void *start)
{
    const struct races_block *block = races_block_of(start);
    if (block)
        blocks[block - blocks] = blocks[--block_count];
}

void races_block_text(uintptr_t address, char *text, size_t size)
{
    char place[128];
    snprintf(text, size, "memory of the symmetric heap");
    for (size_t i = 0; i < block_count; i++)
        if (address - blocks[i].start < blocks[i].bytes) {
            races_site_place(blocks[i].caller - 1, place, sizeof place);
            snprintf(text, size, "byte %zu of a block of %zu bytes allocated at %s",
                     (size_t)(address - blocks[i].start), blocks[i].bytes, place);
            return;
        }
}

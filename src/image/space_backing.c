/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a memory space is made of: a part of the file with this PE's slot, behind its heap. A process
 * without windows has private memory.
 */
#include "image/space_internal.h"

#include "base/os/os.h"
#include "image/image_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((uint64_t)2 << 20)

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* The space in the slot's file that has any of the range. */
static const struct sheaf_space_map *taken_by(const struct sheaf_space_map *but, uint64_t from, uint64_t to)
{
    for (const struct sheaf_space_map *map = sheaf_space_maps(); map; map = map->next)
        if (map != but && map->file.source == SHEAF_SPACE_IN_SLOT && map->file.offset < to &&
            map->file.offset + map->length > from)
            return map;
    return NULL;
}

/* The first place behind the heap that is free. 0: there is none. */
static uint64_t find_part(const struct sheaf_space_map *mine)
{
    uint64_t heap = sheaf_image.slot_offset + sheaf_image.slot_size / 2;
    uint64_t from = round_up(heap + sheaf_image.heap_length), end = sheaf_image.slot_offset + sheaf_image.slot_size;
    const struct sheaf_space_map *other;
    while (from + mine->length <= end && (other = taken_by(mine, from, from + mine->length)))
        from = round_up(other->file.offset + other->length);
    return from + mine->length <= end ? from : 0;
}

static int map_private(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    void *got = mmap(map->start, map->length, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return got == MAP_FAILED ? sheaf_space_explain(why, "%s", strerror(errno)) : 0;
}

/* An earlier space at the same place of the file may have left its pages' NUMA policy there. */
static int map_part(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    map->file.source = SHEAF_SPACE_IN_SLOT;
    if (!sheaf_image.window)
        return map_private(map, why);
    if (!sheaf_image_has_file())
        return sheaf_space_explain(why, "the program has closed the descriptor of the job's file");
    map->file.offset = find_part(map);
    if (map->file.offset == 0)
        return sheaf_space_explain(why, "the job's file has no room behind the heap: raise ulimit -f where it is "
                                   "set, or lower SHMEM_SYMMETRIC_SIZE");
    if (sheaf_image_map_shared(map->start, map->length, sheaf_image.fd, map->file.offset) != 0)
        return sheaf_space_explain(why, "%s", strerror(errno));
    madvise(map->start, map->length, MADV_HUGEPAGE);
    return 0;
}

int sheaf_space_back(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                     struct sheaf_space_reason *why)
{
    if (wish->kind != SHEAF_SPACE_DEFAULT)
        return sheaf_space_explain(why, "this version has spaces of kind default alone");
    return map_part(map, why);
}

void sheaf_space_unback(struct sheaf_space_map *map, bool keep)
{
    (void)keep;
    sheaf_space_discard(map, map->start, map->length);
}

int sheaf_space_discard(const struct sheaf_space_map *map, void *start, size_t length)
{
    if (map->kind == SHEAF_SPACE_FILE || map->fd >= 0)
        return -1;
    return sheaf_image_discard(start, length);
}

int sheaf_space_open(const struct sheaf_space_wish *wish, int slot, int rank,
                     const struct sheaf_space_file *file)
{
    (void)wish, (void)rank, (void)file;
    errno = ESTALE;
    return sheaf_image_open_slot(slot);
}

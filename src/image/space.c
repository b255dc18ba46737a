/* SPDX-License-Identifier: BSD-3-Clause
 * See space.h.
 */
#include "image/space.h"

#include "base/log.h"
#include "base/os/os.h"
#include "image/image_internal.h"
#include "image/space_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Steps tried on either side of heap and windows: each space takes one. LONG_STEP is the length of the
 * steps tried afterwards, past the memory that a sanitizer has at the bottom of the address space. */
#define MOST_TRIES (4 * SHEAF_MOST_SPACES)
#define LONG_STEP  ((uintptr_t)1 << (SHEAF_ADDRESS_BITS - 10))

static int slot_count(void)
{
    return sheaf_image.window ? sheaf_image.control->npes : 0;
}

/* The address of slot's copy in this PE's address space. */
static char *copy_at(const struct sheaf_space_map *map, int slot)
{
    return (char *)((uintptr_t)map->start + sheaf_image.base + (uintptr_t)slot * sheaf_image.window_stride);
}

static void unmap_copies(const struct sheaf_space_map *map, int count)
{
    munmap(map->start, map->reserved);
    for (int slot = 0; slot < count; slot++)
        munmap(copy_at(map, slot), map->reserved);
}

/* Reserves the space here and the address of each slot's copy. */
static bool reserve_at(struct sheaf_space_map *map, uintptr_t start)
{
    map->start = (char *)start;
    if (!sheaf_image_reserve(map->start, map->reserved))
        return false;
    for (int slot = 0; slot < slot_count(); slot++) {
        char *copy = copy_at(map, slot);
        if ((uintptr_t)copy < SHEAF_HUGE_PAGE || !sheaf_image_reserve(copy, map->reserved)) {
            unmap_copies(map, slot);
            return false;
        }
    }
    return true;
}

/* Reserves beside all windows, below or above, so that no copy lies in a gap between windows. */
static bool reserve_in_steps(struct sheaf_space_map *map, uintptr_t step)
{
    uintptr_t low = (uintptr_t)sheaf_image.window - sheaf_image.base;
    for (uintptr_t tries = 1; tries <= MOST_TRIES; tries++) {
        uintptr_t distance = sheaf_image.window_length + tries * step;
        if (low > distance && reserve_at(map, (low - distance) & ~(map->alignment - 1)))
            return true;
        if (reserve_at(map, sheaf_round_up(low + distance - step, map->alignment)))
            return true;
    }
    return false;
}

static bool reserve_beside(struct sheaf_space_map *map)
{
    return reserve_in_steps(map, sheaf_round_up(map->reserved, map->alignment)) ||
           reserve_in_steps(map, sheaf_round_up(LONG_STEP, map->alignment));
}

static int reserve_space(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    map->alignment = sheaf_image_best_alignment(map->length);
    map->reserved = map->length + SHEAF_HUGE_PAGE;
    if (!slot_count()) {
        map->start = sheaf_image_reserve_congruent(map->reserved, map->alignment, 0);
        return map->start ? 0 : sheaf_space_explain(why, "no room in the address space: raise ulimit -v");
    }
    if (map->reserved > sheaf_image.window_stride)
        return sheaf_space_explain(why, "it is longer than the %zu bytes from one PE's memory to the "
                                   "next's: raise SHMEM_SYMMETRIC_SIZE above its size, which takes "
                                   "addresses alone",
                                   sheaf_image.window_stride - SHEAF_HUGE_PAGE);
    if (map->reserved > sheaf_image_space_left() / (size_t)(slot_count() + 1))
        return sheaf_space_explain(why, "ulimit -v leaves no room for %d copies of it", slot_count() + 1);
    return reserve_beside(map)
               ? 0
               : sheaf_space_explain(why, "no room in the address space beside %d PEs' memory",
                                     slot_count());
}

static void hide_from_dumps(char *start, size_t length, size_t shown)
{
    if (length > shown)
        madvise(start + shown, length - shown, MADV_DONTDUMP);
}

int sheaf_space_map_own(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                        struct sheaf_space_reason *why)
{
    *map = (struct sheaf_space_map){.kind = wish->kind, .fd = -1};
    if (wish->length > SIZE_MAX / 4)
        return sheaf_space_explain(why, "its size is %zu bytes", wish->length);
    map->length = sheaf_round_up(wish->length,
                                 wish->kind == SHEAF_SPACE_HUGE ? SHEAF_HUGE_PAGE : sheaf_os_page_size());
    if (reserve_space(map, why) != 0) {
        map->length = 0;
        return -1;
    }
    if (sheaf_space_back(map, wish, why) != 0) {
        sheaf_space_unmap(map, false);
        return -1;
    }
    hide_from_dumps(map->start, map->length, SHEAF_DUMP_LIMIT);
    return 0;
}

int sheaf_space_map_slot(struct sheaf_space_map *map, const struct sheaf_space_wish *wish, int slot,
                         int rank, const struct sheaf_space_file *file, struct sheaf_space_reason *why)
{
    if (!sheaf_image.window)
        return 0;
    int fd = sheaf_space_open(wish, slot, rank, file);
    if (fd < 0)
        return sheaf_space_explain(why, "the memory of member %d cannot be opened: %s", rank,
                                   strerror(errno));
    char *copy = copy_at(map, slot);
    int failed = sheaf_image_map_shared(copy, map->length, fd, file->offset), error = errno;
    if (fd != sheaf_image.fd)
        close(fd);
    if (failed)
        return sheaf_space_explain(why, "the memory of member %d cannot be mapped: %s (is vm.max_map_count "
                                   "below %d?)", rank, strerror(error), 4 * slot_count() + 1000);
    hide_from_dumps(copy, map->length, 0);
    if (wish->kind == SHEAF_SPACE_HUGE || sheaf_image_asks_for_huge_pages())
        madvise(copy, map->length, MADV_HUGEPAGE);
    return 0;
}

void sheaf_space_note(unsigned place, const struct sheaf_space_map *map)
{
    if (!sheaf_image.control || !sheaf_image.window)
        return;
    struct sheaf_space_note *note = &sheaf_control_pe(sheaf_image.control, sheaf_image.slot)->spaces[place];
    sheaf_store_release(&note->length, 0);
    if (!map || map->file.source != SHEAF_SPACE_IN_SLOT)
        return;
    note->address = (uintptr_t)map->start;
    note->file_offset = map->file.offset;
    sheaf_store_release(&note->length, map->length);
}

void sheaf_space_unmap(struct sheaf_space_map *map, bool keep)
{
    if (map->length == 0)
        return;
    sheaf_space_unback(map, keep);
    unmap_copies(map, slot_count());
    map->length = 0;
}

bool sheaf_space_find_copy(uintptr_t address, int *slot, const char **local)
{
    for (const struct sheaf_space_map *map = sheaf_space_maps(); map; map = map->next)
        for (*slot = 0; *slot < slot_count(); ++*slot) {
            uintptr_t offset = address - (uintptr_t)copy_at(map, *slot);
            *local = map->start + offset;
            if (offset < map->reserved)
                return true;
        }
    return false;
}

/* Makes a private copy for the child. If the file is no longer open, the shared copy can only be read. */
static void make_space_private(const struct sheaf_space_map *map)
{
    int fd = map->fd >= 0 ? map->fd : sheaf_image_has_file() ? sheaf_image.fd : -1;
    int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    if (fd < 0 || mmap(map->start, map->length, PROT_READ | PROT_WRITE, flags, fd,
                       (off_t)map->file.offset) == MAP_FAILED)
        mprotect(map->start, map->length, PROT_READ);
}

void sheaf_image_fork_spaces(void)
{
    for (const struct sheaf_space_map *map = sheaf_space_maps(); map; map = map->next) {
        make_space_private(map);
        for (int slot = 0; slot < slot_count(); slot++)
            mmap(copy_at(map, slot), map->length, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
}

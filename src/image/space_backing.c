/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a space: a part of the file with this PE's slot, behind its heap; huge pages of the
 * system's pool; or a file of the user (space_file.c). Pages of the first kind may come from chosen NUMA
 * nodes. A process without windows has private memory.
 */
#include "image/space_internal.h"

#include "base/os/nodes.h"
#include "base/os/os.h"
#include "base/os/process.h"
#include "image/image_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sheaf_space_map *all_maps;

struct sheaf_space_map *sheaf_space_maps(void)
{
    return all_maps;
}

static void delist_space(const struct sheaf_space_map *map)
{
    struct sheaf_space_map **link = &all_maps;
    while (*link && *link != map)
        link = &(*link)->next;
    if (*link)
        *link = map->next;
}

/* The space in the slot's file that overlaps the range, other than but. */
static const struct sheaf_space_map *taken_by(const struct sheaf_space_map *but, uint64_t from, uint64_t to)
{
    for (const struct sheaf_space_map *map = all_maps; map; map = map->next)
        if (map != but && map->file.source == SHEAF_SPACE_IN_SLOT && map->file.offset < to &&
            map->file.offset + map->length > from)
            return map;
    return NULL;
}

/* The first free offset behind the heap; 0: there is none. */
static uint64_t find_file_part(const struct sheaf_space_map *mine)
{
    uint64_t heap = sheaf_image.slot_offset + sheaf_image.slot_size / 2;
    uint64_t from = sheaf_round_up(heap + sheaf_image.heap_length, SHEAF_HUGE_PAGE);
    uint64_t end = sheaf_image.slot_offset + sheaf_image.slot_size;
    const struct sheaf_space_map *other;
    while (from + mine->length <= end && (other = taken_by(mine, from, from + mine->length)))
        from = sheaf_round_up(other->file.offset + other->length, SHEAF_HUGE_PAGE);
    return from + mine->length <= end ? from : 0;
}

static int map_private(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    void *got = mmap(map->start, map->length, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return got == MAP_FAILED ? sheaf_space_explain(why, "%s", strerror(errno)) : 0;
}

static int map_slot_part(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    map->file.source = SHEAF_SPACE_IN_SLOT;
    if (!sheaf_image.window)
        return map_private(map, why);
    if (!sheaf_image_has_file())
        return sheaf_space_explain(why, "the program has closed the descriptor of the job's file");
    map->file.offset = find_file_part(map);
    if (map->file.offset == 0)
        return sheaf_space_explain(why, "the job's file has no room behind the heap: raise ulimit -f where "
                                   "it is set, or lower SHMEM_SYMMETRIC_SIZE");
    if (sheaf_image_map_shared(map->start, map->length, sheaf_image.fd, map->file.offset) != 0)
        return sheaf_space_explain(why, "%s", strerror(errno));
    madvise(map->start, map->length, MADV_HUGEPAGE);
    return 0;
}

static int map_default(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    if (map_slot_part(map, why) != 0)
        return -1;
    sheaf_image_place_space_on_node(map->start, map->length);
    return 0;
}

/* Chooses among the NUMA nodes that have memory; why says what is missing. */
static int choose_nodes(const struct sheaf_space_wish *wish, struct sheaf_nodes *chosen,
                        struct sheaf_space_reason *why)
{
    struct sheaf_nodes all = sheaf_nodes_read("has_memory"), one = {{0}};
    *chosen = sheaf_nodes_both(all, sheaf_nodes_allowed());
    if (sheaf_nodes_count(all) == 0)
        return sheaf_space_explain(why, "the kernel does not tell its NUMA nodes "
                                   "(/sys/devices/system/node)");
    if (wish->kind == SHEAF_SPACE_INTERLEAVE)
        return 0;
    if (!sheaf_nodes_has(&all, wish->node))
        return sheaf_space_explain(why, "this machine has no NUMA node %d with memory", wish->node);
    if (!sheaf_nodes_has(chosen, wish->node))
        return sheaf_space_explain(why, "this process may not have memory of NUMA node %d: its cpuset or "
                                   "numactl leaves it out", wish->node);
    one.bits[wish->node / 64] = (uint64_t)1 << wish->node % 64;
    *chosen = one;
    return 0;
}

static int map_nodes(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                     struct sheaf_space_reason *why)
{
    struct sheaf_nodes chosen;
    if (choose_nodes(wish, &chosen, why) != 0 || map_slot_part(map, why) != 0)
        return -1;
    bool by_turns = wish->kind == SHEAF_SPACE_INTERLEAVE;
    return sheaf_nodes_bind(&chosen, by_turns, map->start, map->length) == 0
               ? 0
               : sheaf_space_explain(why, "the kernel does not let this process choose NUMA nodes: %s",
                                     strerror(errno));
}

/* Takes all pages from the system's pool now. Later there might be none, and a PE that touches one would
 * die. */
static bool map_pool(struct sheaf_space_map *map)
{
    if (sheaf_image.control && sheaf_container_is_number(sheaf_control_pe(sheaf_image.control,
                                                                        sheaf_image.slot)->pid))
        return false;
    int fd = sheaf_os_move_up(memfd_create("sheaf", MFD_CLOEXEC | MFD_HUGETLB | MFD_HUGE_2MB));
    struct stat file;
    if (fd >= 0 && fchmod(fd, 0600) == 0 && fstat(fd, &file) == 0 &&
        ftruncate(fd, (off_t)map->length) == 0 && fallocate(fd, 0, 0, (off_t)map->length) == 0 &&
        sheaf_image_map_shared(map->start, map->length, fd, 0) == 0) {
        map->fd = fd;
        map->file = (struct sheaf_space_file){SHEAF_SPACE_IN_DESCRIPTOR, fd, file.st_ino, file.st_dev, 0};
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
}

/* Whether mappings that ask for huge pages get them. */
static bool has_transparent(char *setting, size_t size)
{
    const char *path = sheaf_image.window ? "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
                                          : "/sys/kernel/mm/transparent_hugepage/enabled";
    if (sheaf_os_read_file(path, setting, size) <= 0)
        snprintf(setting, size, "[missing]");
    char *from = strchr(setting, '['), *to = from ? strchr(from, ']') : NULL;
    if (!to)
        return false;
    *to = '\0';
    memmove(setting, from + 1, (size_t)(to - from));
    return strcmp(setting, "never") != 0 && strcmp(setting, "deny") != 0 && strcmp(setting, "missing") != 0;
}

static int map_huge(struct sheaf_space_map *map, struct sheaf_space_reason *why)
{
    char setting[128], free_pages[32] = "0";
    if (map_pool(map))
        return 0;
    if (has_transparent(setting, sizeof setting))
        return map_default(map, why);
    sheaf_os_read_file("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", free_pages,
                       sizeof free_pages);
    return sheaf_space_explain(why, "it takes %zu pages of 2 MiB: the pool has %ld free (vm.nr_hugepages), "
                               "and shared memory has none by itself (transparent_hugepage/shmem_enabled "
                               "is %s)",
                               map->length / SHEAF_HUGE_PAGE, strtol(free_pages, NULL, 10), setting);
}

int sheaf_space_back(struct sheaf_space_map *map, const struct sheaf_space_wish *wish,
                     struct sheaf_space_reason *why)
{
    map->next = all_maps;
    all_maps = map;
    switch (wish->kind) {
    case SHEAF_SPACE_HUGE:
        return map_huge(map, why);
    case SHEAF_SPACE_NUMA:
    case SHEAF_SPACE_INTERLEAVE:
        return map_nodes(map, wish, why);
    case SHEAF_SPACE_FILE:
        return sheaf_space_map_file(map, wish, why);
    case SHEAF_SPACE_DEFAULT:
        break;
    }
    return map_default(map, why);
}

/* Unbinds the NUMA nodes too: the next space at that place of the slot's file chooses its own. */
void sheaf_space_unback(struct sheaf_space_map *map, bool keep)
{
    delist_space(map);
    if (map->kind == SHEAF_SPACE_FILE) {
        sheaf_space_close_file(map, keep);
    } else if (map->fd >= 0) {
        close(map->fd);
    } else {
        sheaf_space_discard(map, map->start, map->length);
        sheaf_nodes_unbind(map->start, map->length);
    }
    map->fd = -1;
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
    const struct sheaf_pe *pe = sheaf_control_pe(sheaf_image.control, slot);
    struct sheaf_process owner = {pe->pid, pe->started};
    switch ((enum sheaf_space_source)file->source) {
    case SHEAF_SPACE_IN_DESCRIPTOR:
        return slot == sheaf_image.slot ? fcntl(file->file, F_DUPFD_CLOEXEC, 0)
                                        : sheaf_process_open_file(&owner, file->file, file->inode, -1);
    case SHEAF_SPACE_IN_PATH:
        return sheaf_space_open_file(wish, rank, file);
    case SHEAF_SPACE_IN_SLOT:
        break;
    }
    errno = ESTALE;
    return sheaf_image_open_slot(slot);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See node_areas.h.
 */
#include "boot/replicated_log/node_areas.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    struct sheaf_control **by_node; /* NULL: another agent writes it */
    struct sheaf_control **list;
    int count;
} areas;

static void add(struct sheaf_control *area)
{
    areas.by_node[area->node] = area;
    areas.list[areas.count++] = area;
}

bool sheaf_node_areas_begin(struct sheaf_control *own)
{
    size_t nodes = (size_t)own->nodes;
    areas.by_node = calloc(nodes, sizeof *areas.by_node);
    areas.list = calloc(nodes, sizeof *areas.list);
    if (!areas.by_node || !areas.list)
        return false;
    add(own);
    return true;
}

int sheaf_node_areas_count(void)
{
    return areas.count;
}

struct sheaf_control *sheaf_node_area(int number)
{
    return areas.list[number];
}

struct sheaf_control *sheaf_node_area_of(int pe)
{
    return areas.by_node[sheaf_control_location(areas.list[0], pe)->node];
}

struct sheaf_pe *sheaf_node_area_entry(struct sheaf_control *area, int pe)
{
    return sheaf_control_pe(area, sheaf_control_location(area, pe)->slot);
}

static int count_pes(struct sheaf_control *own, int node)
{
    int count = 0;
    for (int pe = 0; pe < own->world_npes; pe++)
        count += sheaf_control_location(own, pe)->node == node;
    return count;
}

/* What all nodes have alike, or this host's PEs. */
static int plan(struct sheaf_control *header, struct sheaf_control *own, int node, uint64_t stride)
{
    if (sheaf_control_plan(header, count_pes(own, node), own->world_npes, own->nodes, stride) != 0 ||
        sheaf_control_plan_addresses(header) != 0)
        return -1;
    header->node = node;
    header->differs = own->differs;
    header->job_id = own->job_id;
    memcpy(header->job_key, own->job_key, sizeof header->job_key);
    header->slot_stride = stride;
    header->usable_cpus = own->usable_cpus;
    header->host_npes = own->host_npes + header->npes;
    header->reports_failures = own->reports_failures;
    header->spares = own->spares;
    header->agent_started = own->agent_started;
    header->agent_pid = own->agent_pid;
    header->agent_pipe = own->agent_pipe;
    header->agent_inode = own->agent_inode;
    header->agent_is_ready = 1;
    header->heap_limit = own->heap_limit;
    header->heap_alignment = own->heap_alignment;
    header->team_end = own->team_end;
    header->atomics = own->atomics;
    header->layout_heap = own->layout_heap;
    header->layout_alignment = own->layout_alignment;
    memcpy(header->cpus, own->cpus, sizeof header->cpus);
    return 0;
}

/* The state that the log has led to so far. */
static void copy_list(struct sheaf_control *area, struct sheaf_control *own)
{
    area->deaths = own->deaths;
    memcpy(area->dead, own->dead, sizeof area->dead);
    area->joined = own->joined;
    area->joined_heap = own->joined_heap;
    area->joined_file = own->joined_file;
    memcpy(sheaf_control_node(area, 0), sheaf_control_node(own, 0),
           (size_t)own->nodes * sizeof(struct sheaf_node));
    memcpy(sheaf_control_location(area, 0), sheaf_control_location(own, 0),
           (size_t)own->world_npes * sizeof(struct sheaf_pe_location));
    memcpy(sheaf_control_address(area, 0), sheaf_control_address(own, 0),
           (size_t)own->world_npes * sizeof(struct sheaf_address));
    area->names_length = own->names_length;
    area->names_digest = own->names_digest;
    memcpy((char *)area + area->names_offset, (char *)own + own->names_offset, SHEAF_CALL_NAMES_ROOM);
    area->demand = own->demand;
}

/* Of a PE: its memory is in that file, empty; the rest is as that of this host's first, which runs the same
 * program. */
static void write_entry(struct sheaf_control *area, int pe, int fd, struct sheaf_pe *first)
{
    const struct sheaf_pe_location *location = sheaf_control_location(area, pe);
    struct sheaf_pe *entry = sheaf_control_pe(area, location->slot);
    struct stat file;
    entry->world_pe = pe;
    entry->file = entry->agent_file = fd;
    entry->file_inode = fstat(fd, &file) == 0 ? file.st_ino : 0;
    entry->presence = location->presence;
    entry->died = location->died;
    entry->data_length = first->data_length;
    entry->executable = first->executable;
    entry->data_file_offset = area->slot_stride; /* as much before it, for an area */
    entry->heap_file_offset = area->slot_stride + area->slot_stride / 2;
    memcpy(entry->build_id, first->build_id, sizeof entry->build_id);
}

static int create_file(uint64_t *stride)
{
    int fd = sheaf_file_create();
    if (fd >= 0 && sheaf_file_set_length(fd, 0, 1, stride) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool write_entries(struct sheaf_control *area, int first_file, struct sheaf_control *own)
{
    for (int pe = 0; pe < area->world_npes; pe++) {
        const struct sheaf_pe_location *location = sheaf_control_location(area, pe);
        uint64_t stride;
        if (location->node != area->node)
            continue;
        int fd = location->slot == 0 ? first_file : create_file(&stride);
        if (fd < 0)
            return false;
        write_entry(area, pe, fd, sheaf_control_pe(own, 0));
    }
    return true;
}

static void close_files(struct sheaf_control *area)
{
    for (int slot = 1; slot < area->npes; slot++)
        if (sheaf_control_pe(area, slot)->agent_file >= 0)
            close(sheaf_control_pe(area, slot)->agent_file);
}

static struct sheaf_control *make(int fd, const struct sheaf_control *header, struct sheaf_control *own)
{
    struct sheaf_control *area =
        mmap(NULL, header->slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (area == MAP_FAILED)
        return NULL;
    sheaf_control_write(area, header);
    copy_list(area, own);
    if (write_entries(area, fd, own)) {
        area->magic = SHEAF_CONTROL_MAGIC;
        return area;
    }
    close_files(area);
    munmap(area, header->slots_offset);
    return NULL;
}

struct sheaf_control *sheaf_node_areas_adopt(int node)
{
    struct sheaf_control header, *own = areas.list[0];
    uint64_t stride;
    int fd = create_file(&stride);
    struct sheaf_control *area =
        fd >= 0 && plan(&header, own, node, stride) == 0 ? make(fd, &header, own) : NULL;
    if (area)
        add(area);
    else if (fd >= 0)
        close(fd);
    return area;
}

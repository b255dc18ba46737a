/* SPDX-License-Identifier: BSD-3-Clause
 * See passed.h.
 */
#include "boot/replicated_log/passed.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC       UINT64_C(0x0074676153530a0d)
#define MOST_OFFSET (UINT64_C(1) << 62)
#define LEAST_ARENA 4096
#define TIMES       (sizeof(struct sheaf_times) / sizeof(uint64_t))

static int refuse(int error)
{
    errno = error;
    return -1;
}

int sheaf_passed_create(const struct sheaf_control *area)
{
    struct sheaf_passed passed = {.magic = MAGIC,
                                  .bytes = sizeof passed,
                                  .control_version = SHEAF_CONTROL_VERSION,
                                  .version = SHEAF_VERSION,
                                  .job_id = area->job_id,
                                  .times = sheaf_times};
    int file = sheaf_file_create();
    if (file < 0 || pwrite(file, &passed, sizeof passed, 0) == sizeof passed)
        return file;
    int error = errno;
    close(file);
    return refuse(error);
}

int sheaf_passed_address(int file, char address[SHEAF_MESH_ADDRESS])
{
    ssize_t got = pread(file, address, SHEAF_MESH_ADDRESS, offsetof(struct sheaf_passed, address));
    if (got != SHEAF_MESH_ADDRESS)
        return refuse(EPROTO);
    return memchr(address, '\0', SHEAF_MESH_ADDRESS) && address[0] ? 0 : refuse(EPROTO);
}

int sheaf_passed_answer(int file, const char address[SHEAF_MESH_ADDRESS])
{
    ssize_t done = pwrite(file, address, SHEAF_MESH_ADDRESS, offsetof(struct sheaf_passed, address));
    return done == SHEAF_MESH_ADDRESS ? 0 : -1;
}

static bool are_times(const struct sheaf_times *times)
{
    uint64_t all[TIMES];
    memcpy(all, times, sizeof all);
    for (size_t i = 0; i < TIMES; i++)
        if (all[i] > SHEAF_TIMES_MOST)
            return false;
    return true;
}

/* All versions begin with magic and size. */
static int check_struct(int file, struct sheaf_passed *passed)
{
    ssize_t got = pread(file, passed, sizeof *passed, 0);
    if (got < 0 || (size_t)got < sizeof passed->magic || passed->magic != MAGIC)
        return refuse(EBADF);
    if (got != sizeof *passed || passed->bytes != sizeof *passed ||
        passed->control_version != SHEAF_CONTROL_VERSION ||
        strncmp(passed->version, SHEAF_VERSION, sizeof passed->version) != 0)
        return refuse(EPROTO);
    return are_times(&passed->times) ? 0 : refuse(EINVAL);
}

/* Every part lies where such an area has it; the arena may be shorter. */
static bool has_plan(const struct sheaf_control *area)
{
    struct sheaf_control plan;
    if (sheaf_control_plan(&plan, area->npes, area->world_npes, area->nodes, MOST_OFFSET) != 0 ||
        (area->addresses_offset != 0 && sheaf_control_plan_addresses(&plan) != 0))
        return false;
    return area->pes_offset == plan.pes_offset && area->nodes_offset == plan.nodes_offset &&
           area->locations_offset == plan.locations_offset && area->names_offset == plan.names_offset &&
           area->kvs_offset == plan.kvs_offset && area->addresses_offset == plan.addresses_offset &&
           area->arena_offset == plan.arena_offset && area->arena_size >= LEAST_ARENA &&
           area->arena_offset <= area->slots_offset &&
           area->arena_size <= area->slots_offset - area->arena_offset;
}

static bool has_counts(const struct sheaf_control *area)
{
    return area->node >= 0 && area->node < area->nodes && area->nodes > 1 &&
           area->world_npes >= area->nodes && area->npes > 0 &&
           area->npes <= area->world_npes - (area->nodes - 1);
}

static int check_header(int file, uint64_t job_id, struct sheaf_control *header)
{
    struct stat stat;
    if (fstat(file, &stat) != 0 || !S_ISREG(stat.st_mode) ||
        pread(file, header, sizeof *header, 0) != sizeof *header)
        return refuse(EBADF);
    if (header->magic != SHEAF_CONTROL_MAGIC || header->version != SHEAF_CONTROL_VERSION)
        return refuse(EPROTO);
    bool fits = header->job_id == job_id && header->reports_failures && !header->is_apart &&
                has_counts(header) && has_plan(header) &&
                header->slots_offset <= (uint64_t)stat.st_size;
    return fits ? 0 : refuse(EINVAL);
}

/* The PEs of this node stand in its slots, and the others on other nodes. */
static bool has_valid_locations(struct sheaf_control *area)
{
    int here = 0;
    for (int pe = 0; pe < area->world_npes; pe++) {
        const struct sheaf_pe_location location = *sheaf_control_location(area, pe);
        if (location.node < 0 ||
            location.node >= area->nodes || location.slot < 0 || location.slot >= area->world_npes)
            return false;
        if (location.node != area->node)
            continue;
        if (location.slot >= area->npes || sheaf_control_pe(area, location.slot)->world_pe != pe)
            return false;
        here++;
    }
    return here == area->npes;
}

/* Names are printed. */
static bool has_nodes(struct sheaf_control *area)
{
    for (int node = 0; node < area->nodes; node++) {
        const struct sheaf_node *one = sheaf_control_node(area, node);
        if (one->leader < 0 || one->leader >= area->world_npes ||
            !memchr(one->host, '\0', sizeof one->host))
            return false;
    }
    return true;
}

struct sheaf_control *sheaf_passed_take(int file, int passed_file)
{
    struct sheaf_passed passed;
    struct sheaf_control header;
    if (check_struct(passed_file, &passed) != 0 || check_header(file, passed.job_id, &header) != 0)
        return NULL;
    struct sheaf_control *area =
        mmap(NULL, header.slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (area == MAP_FAILED)
        return NULL;
    madvise(area, header.slots_offset, MADV_DONTDUMP);
    if (memcmp(area, &header, offsetof(struct sheaf_control,
                                       launcher_pid)) == 0 && has_valid_locations(area) &&
        has_nodes(area)) {
        sheaf_times = passed.times;
        return area;
    }
    munmap(area, header.slots_offset);
    errno = EINVAL;
    return NULL;
}

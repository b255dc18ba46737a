/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boot/replicated_log/passed.c: an agent takes what a PE of its own version passes, and nothing else: a struct or a control
 * area that is cut, damaged or of another job is refused with the reason, and never touched outside. Damage by
 * seed as well: what is taken then is read from end to end. Arguments: none.
 */
#include "boot/replicated_log/passed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NODES = 3, NODE_PES = 2, PES = NODES * NODE_PES, NODE = 1, SEEDS = 3000 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: failed: %s (errno %d)\n", __LINE__, #condition, errno);               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static struct sheaf_control *area;
static int area_file, passed_file;

static void make_area(void)
{
    struct sheaf_control header;
    CHECK(sheaf_control_plan(&header, NODE_PES, PES, NODES, UINT64_C(1) << 32) == 0);
    CHECK(sheaf_control_plan_addresses(&header) == 0);
    area_file = sheaf_file_create();
    CHECK(area_file >= 0 && ftruncate(area_file, (off_t)header.slots_offset) == 0);
    area = mmap(NULL, header.slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, area_file, 0);
    CHECK(area != MAP_FAILED);
    header.magic = SHEAF_CONTROL_MAGIC;
    header.node = NODE;
    header.reports_failures = 1;
    sheaf_control_write(area, &header);
    for (int pe = 0; pe < PES; pe++)
        *sheaf_control_location(area, pe) = (struct sheaf_pe_location){.node = pe % NODES, .slot = pe / NODES};
    for (int slot = 0; slot < NODE_PES; slot++)
        sheaf_control_pe(area, slot)->world_pe = slot * NODES + NODE;
    passed_file = sheaf_passed_create(area);
    CHECK(passed_file >= 0);
}

/* 0, or the errno with which it is refused. */
static int take(void)
{
    struct sheaf_control *taken = sheaf_passed_take(area_file, passed_file);
    if (!taken)
        return errno;
    CHECK(munmap(taken, area->slots_offset) == 0);
    return 0;
}

#define REFUSED(field, value, why)                                                                 \
    do {                                                                                           \
        __typeof__(field) before = (field);                                                        \
        (field) = (value);                                                                         \
        CHECK(take() == (why));                                                                    \
        (field) = before;                                                                          \
    } while (0)

static void refuse_headers(void)
{
    REFUSED(area->magic, area->magic + 1, EPROTO);
    REFUSED(area->version, SHEAF_CONTROL_VERSION + 1, EPROTO);
    REFUSED(area->job_id, area->job_id ^ 1, EINVAL);
    REFUSED(area->reports_failures, 0, EINVAL);
    REFUSED(area->is_apart, 1, EINVAL);
    REFUSED(area->npes, 0, EINVAL);
    REFUSED(area->npes, -1, EINVAL);
    REFUSED(area->npes, PES, EINVAL);
    REFUSED(area->npes, INT32_MAX, EINVAL);
    REFUSED(area->world_npes, 2, EINVAL);
    REFUSED(area->world_npes, INT32_MAX, EINVAL);
    REFUSED(area->nodes, 1, EINVAL);
    REFUSED(area->nodes, INT32_MAX, EINVAL);
    REFUSED(area->node, -1, EINVAL);
    REFUSED(area->node, NODES, EINVAL);
}

static void refuse_offsets(void)
{
    uint64_t *const offsets[] = {&area->pes_offset,  &area->nodes_offset,     &area->locations_offset,
                                 &area->names_offset,
                                 &area->kvs_offset, &area->addresses_offset, &area->arena_offset, &area->slots_offset};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        REFUSED(*offsets[i], *offsets[i] + 8, EINVAL);
        REFUSED(*offsets[i], UINT64_MAX - 7, EINVAL);
        REFUSED(*offsets[i], 8, EINVAL);
    }
    REFUSED(area->arena_size, area->slots_offset, EINVAL);
    REFUSED(area->arena_size, UINT64_MAX, EINVAL);
    REFUSED(area->arena_size, 0, EINVAL);
}

static void refuse_entries(void)
{
    REFUSED(sheaf_control_location(area, 0)->node, NODES, EINVAL);
    REFUSED(sheaf_control_location(area, 0)->node, -1, EINVAL);
    REFUSED(sheaf_control_location(area, 0)->slot, PES, EINVAL);
    REFUSED(sheaf_control_location(area, NODE)->slot, -1, EINVAL);
    REFUSED(sheaf_control_location(area, NODE)->slot, 1, EINVAL);
    REFUSED(sheaf_control_location(area, NODE)->node, 0, EINVAL);
    REFUSED(sheaf_control_pe(area, 1)->world_pe, PES, EINVAL);
    REFUSED(sheaf_control_node(area, 2)->leader, PES, EINVAL);
    char *host = sheaf_control_node(area, 2)->host, before[sizeof(struct sheaf_node)];
    memcpy(before, host, sizeof sheaf_control_node(area, 2)->host);
    memset(host, 'h', sizeof sheaf_control_node(area, 2)->host);
    CHECK(take() == EINVAL);
    memcpy(host, before, sizeof sheaf_control_node(area, 2)->host);
}

static void refuse_structs(void)
{
    struct sheaf_passed *passed = mmap(NULL, sizeof *passed, PROT_READ | PROT_WRITE, MAP_SHARED,
                                       passed_file, 0);
    CHECK(passed != MAP_FAILED);
    REFUSED(passed->magic, 0, EBADF);
    REFUSED(passed->bytes, sizeof *passed + 8, EPROTO);
    REFUSED(passed->control_version, SHEAF_CONTROL_VERSION - 1, EPROTO);
    REFUSED(passed->version[0], '9', EPROTO);
    REFUSED(passed->job_id, 0, EINVAL);
    REFUSED(passed->times.agent_parts, UINT64_MAX, EINVAL);
    munmap(passed, sizeof *passed);
}

static void refuse_files(void)
{
    int whole = passed_file, shared = area_file, ends[2];
    CHECK(pipe(ends) == 0 && take() == 0);
    passed_file = -1;
    CHECK(take() == EBADF);
    passed_file = ends[0];
    CHECK(take() == EBADF);
    passed_file = whole;
    area_file = ends[0];
    CHECK(take() == EBADF);
    area_file = open("/proc/self/exe", O_RDONLY);
    CHECK(take() == EPROTO);
    close(area_file);
    area_file = shared;
    CHECK(ftruncate(area_file, (off_t)area->slots_offset - 4096) == 0 && take() == EINVAL);
    CHECK(ftruncate(area_file, (off_t)area->slots_offset) == 0);
    CHECK(ftruncate(passed_file, 100) == 0 && take() == EPROTO);
    close(passed_file);
    passed_file = sheaf_passed_create(area);
    CHECK(take() == 0);
}

/* All that an agent relies on, by what the area itself says. */
static unsigned read_all(struct sheaf_control *taken)
{
    unsigned sum = 0;
    CHECK(taken->npes == NODE_PES && taken->nodes == NODES);
    for (int pe = 0; pe < taken->world_npes; pe++) {
        sum += (unsigned)sheaf_control_location(taken, pe)->slot;
        if (taken->addresses_offset)
            sum += sheaf_control_address(taken, pe)->bytes;
    }
    for (int slot = 0; slot < taken->npes; slot++)
        sum += sheaf_control_pe(taken, slot)->state + (unsigned)*sheaf_control_kvs(taken, slot);
    for (int node = 0; node < taken->nodes; node++)
        sum += (unsigned)strlen(sheaf_control_node(taken, node)->host);
    return sum + *((unsigned char *)taken + taken->arena_offset) +
           *((unsigned char *)taken + taken->arena_offset + taken->arena_size - 1);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* One to three bytes of the header's offsets and counts, and of the first entries, are others. */
static void damage(uint32_t seed)
{
    static char before[1 << 16];
    uint32_t state = seed * 2654435761U + 1;
    size_t entries = area->names_offset;
    CHECK(entries <= sizeof before);
    memcpy(before, area, entries);
    for (uint32_t count = 1 + next_random(&state) % 3; count > 0; count--) {
        bool in_header = next_random(&state) % 4 != 0;
        size_t from = in_header ? 0 : area->nodes_offset < entries ? area->nodes_offset : 0;
        size_t length = in_header ? offsetof(struct sheaf_control, cpus) : entries - from;
        ((unsigned char *)area)[from + next_random(&state) % length] = (unsigned char)next_random(&state);
    }
    struct sheaf_control *taken = sheaf_passed_take(area_file, passed_file);
    uint64_t length = area->slots_offset;
    if (taken) {
        read_all(taken);
        CHECK(munmap(taken, length) == 0);
    }
    memcpy(area, before, entries);
}

int main(void)
{
    char address[SHEAF_MESH_ADDRESS] = "token 127.0.0.1 1", read[SHEAF_MESH_ADDRESS];
    make_area();
    CHECK(take() == 0);
    CHECK(sheaf_passed_address(passed_file, read) == -1 && errno == EPROTO);
    CHECK(sheaf_passed_answer(passed_file, address) == 0 && sheaf_passed_address(passed_file, read) == 0);
    CHECK(strcmp(read, address) == 0);
    refuse_headers();
    refuse_offsets();
    refuse_entries();
    refuse_structs();
    refuse_files();
    for (uint32_t seed = 0; seed < SEEDS; seed++)
        damage(seed);
    CHECK(take() == 0);
    return 0;
}

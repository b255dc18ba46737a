/* SPDX-License-Identifier: BSD-3-Clause
 * See symmetric.h.
 */
#include "core/memory/symmetric.h"

#include "base/atomic.h"
#include "base/log.h"
#include "boot/boot.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "image/image.h"
#include "survive/interface/survival.h"

#include <stdlib.h>

int sheaf_symmetric_kind(const struct sheaf_segment *segment)
{
    uintptr_t distance = (uintptr_t)segment - (uintptr_t)sheaf_spaces;
    if (distance < sizeof sheaf_spaces)
        return SHEAF_SEGMENTS + (int)(distance / sizeof *sheaf_spaces);
    if (segment == &sheaf_image.team)
        return SHEAF_SEGMENT_TEAM;
    return (int)(segment - sheaf_image.segments);
}

/* The segment without gaps that contains the whole range, or NULL. */
static const struct sheaf_segment *solid_segment(const void *local, size_t bytes)
{
    for (int kind = SHEAF_SEGMENT_DATA + 1; kind < SHEAF_SEGMENTS; kind++)
        if (sheaf_segment_holds(&sheaf_image.segments[kind], (uintptr_t)local, bytes))
            return &sheaf_image.segments[kind];
    return NULL;
}

static bool is_static(const void *local)
{
    return sheaf_image.segments[SHEAF_SEGMENT_DATA].length &&
           (sheaf_image_holds_data(local) || sheaf_image_holds_constant(local, 1));
}

static const struct sheaf_segment *world_segment(const void *local)
{
    const struct sheaf_segment *solid = solid_segment(local, 1);
    if (sheaf_likely(solid))
        return solid;
    return is_static(local) ? &sheaf_image.segments[SHEAF_SEGMENT_DATA] : NULL;
}

bool sheaf_symmetric_in_world(const void *local)
{
    return sheaf_likely(solid_segment(local, 1)) || is_static(local);
}

const struct sheaf_segment *sheaf_symmetric_segment(const void *local)
{
    const struct sheaf_segment *of_world = world_segment(local);
    if (sheaf_likely(of_world))
        return of_world;
    if (sheaf_team_memory_holds(local, 1))
        return &sheaf_image.team;
    const struct sheaf_space *space = sheaf_space_of(local);
    return space ? &space->segment : NULL;
}

bool sheaf_symmetric_on(const void *local, int pe)
{
    if (sheaf_likely(world_segment(local)))
        return true;
    if (sheaf_team_memory_holds(local, 1))
        return sheaf_team_blocks_have(local, pe);
    const struct sheaf_space *space = sheaf_space_of(local);
    return space && sheaf_space_rank_of(space, pe) >= 0;
}

ptrdiff_t sheaf_symmetric_position(const void *local)
{
    const struct sheaf_segment *segment = sheaf_symmetric_segment(local);
    if (!segment || (const char *)local < segment->start) /* a constant has no position */
        return 0;
    return ((const char *)local - segment->start) * SHEAF_MOST_SEGMENTS + sheaf_symmetric_kind(segment) + 1;
}

bool sheaf_symmetric_is_plain(const void *local, size_t bytes)
{
    return solid_segment(local, bytes) ||
           (sheaf_image.segments[SHEAF_SEGMENT_DATA].length && sheaf_image_holds_range(local, bytes)) ||
           sheaf_image_holds_constant(local, bytes);
}

/* Where PEs of other nodes have their segments, by PE: asked for once, and written before is_known. A
 * process in a dead PE's place has others, so nothing is kept where PEs may be replaced. */
struct place {
    uint64_t starts[SHEAF_SEGMENTS];
    bool is_known;
};

static struct place *far_places(void)
{
    static struct place *places;
    struct place *now = sheaf_load_acquire(&places);
    if (now || !sheaf_survival->members_stay)
        return now;
    struct place *made = calloc((size_t)sheaf_job.npes, sizeof *made);
    if (!made)
        return NULL;
    if (__atomic_compare_exchange_n(&places, &now, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return now;
}

static void ask_for_place(int pe, uint64_t starts[SHEAF_SEGMENTS])
{
    struct place *places = far_places();
    if (places && sheaf_load_acquire(&places[pe].is_known)) {
        for (int kind = 0; kind < SHEAF_SEGMENTS; kind++)
            starts[kind] = sheaf_load_relaxed(&places[pe].starts[kind]);
        return;
    }
    if (sheaf_network->segments(pe, starts) != 0)
        sheaf_fatal("SH501 PE %d on host %s cannot be reached: its address is not there", pe,
                    sheaf_boot_host_of(pe));
    for (int kind = 0; places && kind < SHEAF_SEGMENTS; kind++)
        sheaf_store_relaxed(&places[pe].starts[kind], starts[kind]);
    if (places)
        sheaf_store_release(&places[pe].is_known, true);
}

/* pe is another PE. */
static void find_place(int pe, uint64_t starts[SHEAF_SEGMENTS])
{
    if (sheaf_boot_node_of(pe) != sheaf_boot.node) {
        ask_for_place(pe, starts);
        return;
    }
    const struct sheaf_pe *entry = sheaf_control_pe(sheaf_job.control, sheaf_boot_slot_of(pe));
    starts[SHEAF_SEGMENT_HEAP] = entry->heap_address;
    starts[SHEAF_SEGMENT_DATA] = entry->data_address;
}

/* The segment whose start tells where local lies on another PE: of team memory the heap, in whose range it
 * is. NULL for memory spaces. */
static const struct sheaf_segment *range_segment(const void *local)
{
    return sheaf_team_memory_holds(local, 1) ? &sheaf_image.segments[SHEAF_SEGMENT_HEAP]
                                             : world_segment(local);
}

uint64_t sheaf_symmetric_to_owner(const void *local, int pe)
{
    uint64_t starts[SHEAF_SEGMENTS];
    const struct sheaf_segment *segment = range_segment(local);
    if (!segment)
        return sheaf_symmetric_on(local, pe) ? sheaf_space_address(pe, local) : 0;
    if (pe == sheaf_job.pe)
        return (uintptr_t)local;
    int kind = sheaf_symmetric_kind(segment);
    find_place(pe, starts);
    /* A constant may lie below the variables: at the same distance from them on every PE. */
    return starts[kind] + ((uintptr_t)local - (uintptr_t)segment->start);
}

void *sheaf_symmetric_from_owner(const void *address, int pe)
{
    uint64_t starts[SHEAF_SEGMENTS];
    if (pe == sheaf_job.pe)
        return sheaf_symmetric_on(address, pe) ? (void *)(uintptr_t)address : NULL;
    find_place(pe, starts);
    for (int kind = SHEAF_SEGMENTS - 1; kind >= 0; kind--) {
        const char *local = (const char *)((uintptr_t)address - starts[kind] +
                                          (uintptr_t)sheaf_image.segments[kind].start);
        if (starts[kind] && range_segment(local) == &sheaf_image.segments[kind])
            return (void *)(uintptr_t)local;
    }
    return sheaf_space_local(pe, (uintptr_t)address);
}

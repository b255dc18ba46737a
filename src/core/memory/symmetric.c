/* SPDX-License-Identifier: BSD-3-Clause
 * See symmetric.h.
 */
#include "core/memory/symmetric.h"

#include "base/atomic.h"
#include "base/log.h"
#include "core/memory/blocks.h"
#include "core/memory/address_text.h"
#include "core/memory/space.h"
#include "image/image.h"

/* Data and heap are 0 and 1, spaces follow. */
static int kind_of(const struct sheaf_segment *segment)
{
    uintptr_t distance = (uintptr_t)segment - (uintptr_t)sheaf_spaces;
    if (distance < sizeof sheaf_spaces)
        return SHEAF_SEGMENTS + (int)(distance / sizeof *sheaf_spaces);
    return (int)(segment - sheaf_image.segments);
}

/* The one that holds all of the range, of those without gaps. */
static const struct sheaf_segment *solid_segment(const void *local, size_t bytes)
{
    for (int kind = SHEAF_SEGMENT_DATA + 1; kind < SHEAF_SEGMENTS; kind++)
        if (sheaf_segment_holds(&sheaf_image.segments[kind], (uintptr_t)local, bytes))
            return &sheaf_image.segments[kind];
    return NULL;
}

static const struct sheaf_segment *world_segment(const void *local)
{
    const struct sheaf_segment *solid = solid_segment(local, 1);
    const struct sheaf_segment *data = &sheaf_image.segments[SHEAF_SEGMENT_DATA];
    if (sheaf_likely(solid))
        return solid;
    return data->length && sheaf_image_holds_data(local) ? data : NULL;
}

bool sheaf_symmetric_in_world(const void *local)
{
    return world_segment(local) != NULL;
}

const struct sheaf_segment *sheaf_symmetric_segment(const void *local)
{
    const struct sheaf_segment *of_world = world_segment(local);
    if (sheaf_likely(of_world))
        return of_world;
    const struct sheaf_space *space = sheaf_space_of(local);
    return space ? &space->segment : NULL;
}

bool sheaf_symmetric_on(const void *local, int pe)
{
    if (sheaf_likely(world_segment(local)))
        return true;
    const struct sheaf_space *space = sheaf_space_of(local);
    return space && sheaf_space_rank_of(space, pe) >= 0;
}

ptrdiff_t sheaf_symmetric_position(const void *local)
{
    const struct sheaf_segment *segment = sheaf_symmetric_segment(local);
    if (!segment)
        return 0;
    return ((const char *)local - segment->start) * SHEAF_MOST_SEGMENTS + kind_of(segment) + 1;
}

static const struct sheaf_segment *require_segment(const void *local, const char *call)
{
    char what[256];
    const struct sheaf_segment *segment = sheaf_symmetric_segment(local);
    if (!segment) {
        sheaf_address_describe(local, what, sizeof what);
        sheaf_fatal("%s: %p is not symmetric: it is %s; pass the address of a static variable or of "
                    "memory from shmem_malloc", call, local, what);
    }
    return segment;
}

void sheaf_symmetric_require_ends(const void *local, size_t bytes, const char *call)
{
    if (bytes == 0)
        return;
    const struct sheaf_segment *segment = require_segment(local, call);
    const char *last = (const char *)((uintptr_t)local + bytes - 1);
    if (sheaf_unlikely(last < (const char *)local || sheaf_symmetric_segment(last) != segment))
        sheaf_fatal("%s: %zu bytes at %p reach beyond %s", call, bytes, local,
                    sheaf_segment_name(kind_of(segment)));
}

/* Of the heap, or of a space: within one block. */
static void require_block(const void *local, size_t bytes, const char *call)
{
    char what[256];
    void *start;
    size_t size;
    if ((sheaf_blocks_find(local, &start, &size) || sheaf_space_try_find_block(local, &start, &size)) &&
        bytes <= size - (size_t)((const char *)local - (const char *)start))
        return;
    sheaf_address_describe(local, what, sizeof what);
    sheaf_fatal("%s: %zu bytes at %p are not within one block of symmetric memory: it is %s", call,
                bytes, local, what);
}

/* What nearly always suffices: the whole range lies in one piece. */
static bool is_plainly_symmetric(const void *local, size_t bytes)
{
    return solid_segment(local, bytes) || (sheaf_image.segments[SHEAF_SEGMENT_DATA].length &&
                                           sheaf_image_holds_range(local, bytes));
}

void sheaf_symmetric_require(const void *local, size_t bytes, const char *call)
{
    bool is_debug = sheaf_log_debug();
    if (bytes > 0 && is_debug && kind_of(require_segment(local, call)) != SHEAF_SEGMENT_DATA)
        require_block(local, bytes, call);
    else if (is_debug || sheaf_unlikely(!is_plainly_symmetric(local, bytes)))
        sheaf_symmetric_require_ends(local, bytes, call);
}

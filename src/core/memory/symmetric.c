/* SPDX-License-Identifier: BSD-3-Clause
 * See symmetric.h.
 */
#include "core/memory/symmetric.h"

#include "base/atomic.h"
#include "core/memory/space.h"
#include "image/image.h"

int sheaf_symmetric_kind(const struct sheaf_segment *segment)
{
    uintptr_t distance = (uintptr_t)segment - (uintptr_t)sheaf_spaces;
    if (distance < sizeof sheaf_spaces)
        return SHEAF_SEGMENTS + (int)(distance / sizeof *sheaf_spaces);
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

static const struct sheaf_segment *world_segment(const void *local)
{
    const struct sheaf_segment *solid = solid_segment(local, 1);
    const struct sheaf_segment *data = &sheaf_image.segments[SHEAF_SEGMENT_DATA];
    if (sheaf_likely(solid))
        return solid;
    bool is_data = data->length &&
                   (sheaf_image_holds_data(local) || sheaf_image_holds_constant(local, 1));
    return is_data ? data : NULL;
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

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts of the symmetric memory. The data image is one part. The heap is cut into parts that double in
 * size from either end towards the middle, equally on every PE. So few keys serve a large heap, and at
 * most twice the memory in use is registered. A memory space whose atomic operations are the network's is
 * one part.
 */
#include "engine/message/direct/registration.h"

/* In bytes. */
#define SMALLEST_PART ((size_t)4 << 20)

#define FIRST_LOWER  1
#define PARTS_A_HALF 32
#define FIRST_UPPER  (FIRST_LOWER + PARTS_A_HALF)
_Static_assert(FIRST_UPPER + PARTS_A_HALF == SHEAF_MSG_FIRST_SPACE, "data, and two halves of the heap");

/* Parts by distance from an end of the heap, with S = SMALLEST_PART: part 0 is [0, S), part n is [S << (n
 * - 1), S << n). */
static int part_at_distance(size_t distance)
{
    size_t steps = distance / SMALLEST_PART;
    return steps == 0 ? 0 : 64 - __builtin_clzl(steps);
}

static size_t part_start(int part)
{
    return part == 0 ? 0 : SMALLEST_PART << (part - 1);
}

static size_t part_end(int part, size_t limit)
{
    size_t end = SMALLEST_PART << part;
    return end < limit ? end : limit;
}

static const struct sheaf_segment *job_segment(enum sheaf_segment_kind kind)
{
    return &sheaf_msg_state.job.segments[kind];
}

static struct sheaf_msg_part heap_part(size_t offset)
{
    size_t length = job_segment(SHEAF_SEGMENT_HEAP)->length, half = length / 2;
    if (offset < half) {
        int part = part_at_distance(offset);
        return (struct sheaf_msg_part){FIRST_LOWER + part, part_start(part), part_end(part, half)};
    }
    int part = part_at_distance(length - 1 - offset);
    return (struct sheaf_msg_part){FIRST_UPPER + part, length - part_end(part, length - half),
                                   length - part_start(part)};
}

struct sheaf_msg_part sheaf_msg_part_of(const void *local)
{
    const struct sheaf_segment *data = job_segment(SHEAF_SEGMENT_DATA);
    if (sheaf_segment_holds(data, (uintptr_t)local, 1))
        return (struct sheaf_msg_part){SHEAF_MSG_DATA_PART, (uintptr_t)data->start,
                                       (uintptr_t)data->start + data->length};
    if (sheaf_unlikely(sheaf_msg_is_in_space(local)))
        return (struct sheaf_msg_part){
            .index = SHEAF_MSG_FIRST_SPACE + (int)sheaf_msg_state.job.space_index(local)};
    uintptr_t heap = (uintptr_t)job_segment(SHEAF_SEGMENT_HEAP)->start;
    struct sheaf_msg_part part = heap_part((uintptr_t)local - heap);
    part.start += heap;
    part.end += heap;
    return part;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See shape.h.
 */
#include "core/access/shape.h"

#include "base/atomic.h"
#include "base/log.h"

static size_t magnitude(ptrdiff_t stride)
{
    return stride < 0 ? -(size_t)stride : (size_t)stride;
}

static void check_count(const struct sheaf_shape_call *given, int i, const char *call)
{
    if (sheaf_unlikely(given->counts[i] > PTRDIFF_MAX))
        sheaf_fatal("SH105 %s: counts[%d] is %td; expected 0 or more", call, i,
                    (ptrdiff_t)given->counts[i]);
}

static void check_stride(const ptrdiff_t *strides, const char *name, int i, size_t run,
                         const char *call)
{
    if (sheaf_unlikely(magnitude(strides[i]) < run))
        sheaf_fatal("SH122 %s: %s[%d] is %td, less than a run of %zu bytes (counts[0]): runs would "
                    "overlap", call, name, i, strides[i], run);
}

static void check_arguments(const struct sheaf_shape_call *given, const char *call)
{
    if (sheaf_unlikely(given->dims < 1 || given->dims > SHMEMX_MAX_DIMS))
        sheaf_fatal("SH122 %s: dims is %d; expected 1 to %d", call, given->dims, SHMEMX_MAX_DIMS);
    if (sheaf_unlikely(!given->counts))
        sheaf_fatal("SH108 %s: counts is a null pointer", call);
    if (sheaf_unlikely(given->dims > 1 && (!given->dest_strides || !given->source_strides)))
        sheaf_fatal("SH108 %s: %s is a null pointer, and %d dimensions need strides", call,
                    given->dest_strides ? "source_strides" : "dest_strides", given->dims);
}

static bool is_empty(const struct sheaf_shape_call *given, const char *call)
{
    bool empty = false;
    for (int i = 0; i < given->dims; i++) {
        check_count(given, i, call);
        empty |= given->counts[i] == 0;
    }
    return empty;
}

static void add_level(struct sheaf_shape *shape, struct sheaf_level level)
{
    bool is_contiguous = shape->levels == 0 && level.dest_stride == (ptrdiff_t)shape->block_bytes &&
                         level.source_stride == (ptrdiff_t)shape->block_bytes;
    if (is_contiguous)
        shape->block_bytes *= level.count;
    else
        shape->level[shape->levels++] = level;
}

void sheaf_shape_read(struct sheaf_shape *shape, const struct sheaf_shape_call *given,
                      const char *call)
{
    check_arguments(given, call);
    shape->levels = 0;
    shape->block_bytes = is_empty(given, call) ? 0 : given->counts[0];
    size_t run = shape->block_bytes, total = run;
    for (int i = 0; i + 1 < given->dims && run != 0; i++) {
        size_t count = given->counts[i + 1];
        if (count == 1)
            continue;
        check_stride(given->dest_strides, "dest_strides", i, run, call);
        check_stride(given->source_strides, "source_strides", i, run, call);
        if (sheaf_unlikely(__builtin_mul_overflow(total, count, &total) || total > PTRDIFF_MAX))
            sheaf_fatal("SH105 %s: the counts of %d dimensions ask for more bytes than there are addresses",
                        call, given->dims);
        add_level(shape, (struct sheaf_level){count, given->dest_strides[i],
                                              given->source_strides[i]});
    }
}

/* An extent that exceeds the address space is returned with a length that no object has. */
struct sheaf_extent sheaf_shape_extent(const struct sheaf_shape *shape, bool of_source)
{
    size_t below = 0, above = shape->block_bytes, reach;
    for (int i = 0; i < shape->levels; i++) {
        const struct sheaf_level *level = &shape->level[i];
        ptrdiff_t stride = of_source ? level->source_stride : level->dest_stride;
        size_t *side = stride < 0 ? &below : &above;
        if (__builtin_mul_overflow(magnitude(stride), level->count - 1, &reach) ||
            __builtin_add_overflow(*side, reach, side) || *side > PTRDIFF_MAX)
            return (struct sheaf_extent){0, SIZE_MAX};
    }
    return (struct sheaf_extent){-(ptrdiff_t)below, below + above};
}

/* Moves row to the next row: counts up the levels above the first, which is the row's own. Returns
 * whether all rows have been visited. */
static bool next_row(const struct sheaf_shape *shape, size_t *index, struct sheaf_row *row)
{
    char *dest = row->dest;
    const char *source = row->source;
    int i = 1;
    for (; i < shape->levels; i++) {
        const struct sheaf_level *level = &shape->level[i];
        dest += level->dest_stride;
        source += level->source_stride;
        if (++index[i] < level->count)
            break;
        dest -= (ptrdiff_t)level->count * level->dest_stride;
        source -= (ptrdiff_t)level->count * level->source_stride;
        index[i] = 0;
    }
    row->dest = dest;
    row->source = source;
    return i >= shape->levels;
}

void sheaf_shape_walk(const struct sheaf_shape *shape, void *dest, const void *source,
                      sheaf_row_action *action, void *context)
{
    size_t index[SHEAF_SHAPE_LEVELS] = {0};
    struct sheaf_row row = {dest, source, {0, 0, shape->block_bytes, 1}};
    if (shape->levels > 0)
        row.blocks = (struct sheaf_blocks){shape->level[0].dest_stride,
                                           shape->level[0].source_stride, shape->block_bytes,
                                           shape->level[0].count};
    do
        action(context, &row);
    while (!next_row(shape, index, &row));
}

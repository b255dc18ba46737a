/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/access/shape.c against nested loops over the same arguments: which bytes a walk moves, in which
 * order, and how far a shape reaches; and what is refused. Seeds 1 to 20000.
 */
#include "unit.h"

#include "core/access/shape.h"

#define MOST_BYTES 2048

/* Distances from the two addresses, byte by byte. */
struct pairs {
    size_t count;
    ptrdiff_t dest[MOST_BYTES], source[MOST_BYTES];
};
static char dest_base[1], source_base[1];
static struct pairs walked, expected;

static void add(struct pairs *pairs, ptrdiff_t dest, ptrdiff_t source)
{
    CHECK(pairs->count < MOST_BYTES);
    pairs->dest[pairs->count] = dest;
    pairs->source[pairs->count++] = source;
}

static void add_row(void *context, const struct sheaf_row *row)
{
    ptrdiff_t dest = (ptrdiff_t)((uintptr_t)row->dest - (uintptr_t)dest_base);
    ptrdiff_t source = (ptrdiff_t)((uintptr_t)row->source - (uintptr_t)source_base);
    for (size_t i = 0; i < row->blocks.count; i++)
        for (size_t byte = 0; byte < row->blocks.block_bytes; byte++)
            add(context, dest + (ptrdiff_t)i * row->blocks.dest_stride + (ptrdiff_t)byte,
                source + (ptrdiff_t)i * row->blocks.source_stride + (ptrdiff_t)byte);
}

static void loop(const struct sheaf_shape_call *given, int dim, ptrdiff_t dest, ptrdiff_t source)
{
    for (size_t i = 0; i < given->counts[dim]; i++) {
        if (dim == 0)
            add(&expected, dest + (ptrdiff_t)i, source + (ptrdiff_t)i);
        else
            loop(given, dim - 1, dest + (ptrdiff_t)i * given->dest_strides[dim - 1],
                 source + (ptrdiff_t)i * given->source_strides[dim - 1]);
    }
}

static void check_extent(const struct sheaf_shape *shape, const ptrdiff_t *distances, bool of_source)
{
    struct sheaf_extent extent = sheaf_shape_extent(shape, of_source);
    ptrdiff_t low = 0, high = 0;
    for (size_t i = 0; i < expected.count; i++) {
        low = distances[i] < low ? distances[i] : low;
        high = distances[i] > high ? distances[i] : high;
    }
    CHECK(extent.low == low && extent.bytes == (size_t)(high - low) + 1);
}

static void check_shape(const struct sheaf_shape_call *given)
{
    struct sheaf_shape shape;
    sheaf_shape_read(&shape, given, "test");
    walked.count = expected.count = 0;
    loop(given, given->dims - 1, 0, 0);
    CHECK((shape.block_bytes == 0) == (expected.count == 0));
    if (expected.count == 0)
        return;
    sheaf_shape_walk(&shape, dest_base, source_base, add_row, &walked);
    CHECK(walked.count == expected.count);
    CHECK(memcmp(walked.dest, expected.dest, walked.count * sizeof *walked.dest) == 0);
    CHECK(memcmp(walked.source, expected.source, walked.count * sizeof *walked.source) == 0);
    for (int i = 0; i < shape.levels; i++)
        CHECK(shape.level[i].count >= 2);
    check_extent(&shape, expected.dest, false);
    check_extent(&shape, expected.source, true);
}

/* Often the distance at which levels merge; either direction. */
static ptrdiff_t random_stride(uint64_t *state, size_t run, size_t below)
{
    ptrdiff_t stride = (ptrdiff_t)(unit_random(state, 3) ? below : run + unit_random(state, 200));
    return unit_random(state, 4) ? stride : -stride;
}

static void check_random(uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);
    size_t counts[4];
    ptrdiff_t dest_strides[3], source_strides[3];
    int dims = 1 + (int)unit_random(&state, 4);
    counts[0] = 1 + unit_random(&state, 8);
    size_t below = counts[0];
    for (int i = 0; i + 1 < dims; i++) {
        counts[i + 1] = unit_random(&state, 20) ? 1 + unit_random(&state, 5) : 0;
        dest_strides[i] = random_stride(&state, counts[0], below);
        source_strides[i] = random_stride(&state, counts[0], below);
        below *= counts[i + 1] ? counts[i + 1] : 1;
    }
    const struct sheaf_shape_call given = {dest_strides, source_strides, counts, dims};
    check_shape(&given);
}

/* Contiguous at both ends: one block, no level. */
static void check_merged(void)
{
    const size_t counts[] = {8, 5, 1, 3};
    const ptrdiff_t strides[] = {8, 1000, 40};
    const struct sheaf_shape_call given = {strides, strides, counts, 4};
    struct sheaf_shape shape;
    sheaf_shape_read(&shape, &given, "test");
    CHECK(shape.levels == 0 && shape.block_bytes == 120);
}

static bool refuses(int dims, const ptrdiff_t *dest, const ptrdiff_t *source, const size_t *counts,
                    const char *text)
{
    const struct sheaf_shape_call given = {dest, source, counts, dims};
    struct sheaf_shape shape;
    return ENDS_WITH(sheaf_shape_read(&shape, &given, "shmemx_call"), text) &&
           strncmp(unit_said, "shmemx_call: ", 13) == 0;
}

static void check_refused(void)
{
    const size_t counts[] = {8, 2}, negative[] = {8, (size_t)-2}, many[] = {8, SIZE_MAX / 4};
    const ptrdiff_t good[] = {-8}, near[] = {7};
    CHECK(refuses(0, good, good, counts, "dims is 0"));
    CHECK(refuses(SHMEMX_MAX_DIMS + 1, good, good, counts, "expected 1 to 7"));
    CHECK(refuses(2, good, good, NULL, "counts is a null pointer"));
    CHECK(refuses(2, NULL, good, counts, "dest_strides is a null pointer"));
    CHECK(refuses(2, good, NULL, counts, "source_strides is a null pointer"));
    CHECK(refuses(2, good, good, negative, "counts[1] is -2"));
    CHECK(refuses(2, near, good, counts, "dest_strides[0] is 7"));
    CHECK(refuses(2, good, near, counts, "source_strides[0] is 7"));
    CHECK(refuses(2, good, good, many, "more bytes than there are addresses"));
}

/* Further than any object reaches. */
static void check_cut(void)
{
    const size_t counts[] = {8, 4};
    const ptrdiff_t far[] = {PTRDIFF_MAX / 2}, back[] = {PTRDIFF_MIN};
    const struct sheaf_shape_call given = {far, back, counts, 2};
    struct sheaf_shape shape;
    sheaf_shape_read(&shape, &given, "test");
    CHECK(sheaf_shape_extent(&shape, false).bytes == SIZE_MAX);
    CHECK(sheaf_shape_extent(&shape, true).bytes == SIZE_MAX);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= 20000; seed++)
        check_random(seed);
    check_merged();
    check_refused();
    check_cut();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The heap's edge cases, one function each. Linked so that aligned_alloc, which the allocator's
 * nodes come from, can be made to fail.
 */
#include "heap_test.h"

#define FULL SHEAF_HEAP_FULL

static bool memory_is_exhausted;

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return memory_is_exhausted ? NULL : __real_aligned_alloc(alignment, size);
}

static struct sheaf_heap *create(size_t limit)
{
    struct sheaf_heap *heap = sheaf_heap_create(limit);
    CHECK(heap);
    CHECK(sheaf_heap_is_sound(heap));
    return heap;
}

static void destroy(struct sheaf_heap *heap)
{
    CHECK(sheaf_heap_is_sound(heap));
    sheaf_heap_destroy(heap);
}

static void expect_usage(const struct sheaf_heap *heap, size_t live, size_t blocks, size_t high)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(heap, &usage);
    CHECK_EQ(usage.live, live);
    CHECK_EQ(usage.blocks, blocks);
    CHECK_EQ(usage.high_water, high);
}

static void empty_limits(void)
{
    for (size_t limit = 0; limit < 16; limit++) {
        struct sheaf_heap *heap = create(limit);
        size_t start, size;
        CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), FULL);
        CHECK_EQ(sheaf_heap_release(heap, 0), 0);
        CHECK_EQ(sheaf_heap_block_size(heap, 0), 0);
        CHECK(!sheaf_heap_find(heap, 0, &start, &size));
        CHECK(!sheaf_heap_resize(heap, 0, 1));
        expect_usage(heap, 0, 0, 0);
        destroy(heap);
    }
    sheaf_heap_destroy(NULL);
}

static void exact_limit(void)
{
    struct sheaf_heap *heap = create(100); /* six blocks of 16 */
    CHECK_EQ(sheaf_heap_allocate(heap, 97, 16), FULL);
    CHECK_EQ(sheaf_heap_allocate(heap, 96, 16), 0);
    CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), FULL);
    CHECK_EQ(sheaf_heap_release(heap, 0), 96);
    CHECK_EQ(sheaf_heap_allocate(heap, 81, 16), 0);
    CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), FULL);
    expect_usage(heap, 81, 1, 96);
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(heap, &usage);
    CHECK_EQ(usage.limit, 100);
    destroy(heap);
}

static void absurd_requests(void)
{
    static const size_t limits[] = {4096, (size_t)4 << 40, SIZE_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct sheaf_heap *heap = create(limits[i]);
        CHECK_EQ(sheaf_heap_allocate(heap, 16, 16), 0);
        for (size_t less = 0; less < 64; less++) {
            CHECK_EQ(sheaf_heap_allocate(heap, SIZE_MAX - less, 16), FULL);
            CHECK_EQ(sheaf_heap_allocate(heap, SIZE_MAX - less, (size_t)1 << 63), FULL);
            CHECK(!sheaf_heap_resize(heap, 0, SIZE_MAX - less));
        }
        CHECK_EQ(sheaf_heap_allocate(heap, 16, (size_t)1 << 63), FULL);
        CHECK_EQ(sheaf_heap_allocate(heap, (size_t)1 << 63, (size_t)1 << 63), FULL);
        CHECK_EQ(sheaf_heap_allocate(heap, 0, 16), FULL);
        CHECK_EQ(sheaf_heap_allocate(heap, 16, 0), FULL);
        CHECK_EQ(sheaf_heap_allocate(heap, 16, 8), FULL);
        CHECK_EQ(sheaf_heap_allocate(heap, 16, 48), FULL);
        CHECK(!sheaf_heap_resize(heap, 0, 0));
        CHECK(!sheaf_heap_resize(heap, 16, 16));
        expect_usage(heap, 16, 1, 16);
        destroy(heap);
    }
}

static void several_tebibytes(void)
{
    size_t limit = (size_t)4 << 40, half = limit / 2;
    struct sheaf_heap *heap = create(limit);
    size_t start, size;
    CHECK_EQ(sheaf_heap_allocate(heap, half, 16), 0);
    CHECK_EQ(sheaf_heap_allocate(heap, half + 1, 16), FULL);
    CHECK_EQ(sheaf_heap_allocate(heap, half, (size_t)1 << 30), half);
    CHECK(sheaf_heap_find(heap, limit - 1, &start, &size));
    CHECK_EQ(start, half);
    CHECK_EQ(size, half);
    CHECK(!sheaf_heap_find(heap, limit, &start, &size));
    CHECK_EQ(sheaf_heap_release(heap, 0), half);
    CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), 0);
    CHECK(sheaf_heap_resize(heap, 0, half));
    expect_usage(heap, limit, 2, limit);
    destroy(heap);
}

static void release_only_what_begins_there(void)
{
    struct sheaf_heap *heap = create(4096);
    size_t a = sheaf_heap_allocate(heap, 100, 16), b = sheaf_heap_allocate(heap, 100, 16);
    CHECK_EQ(sheaf_heap_release(heap, a + 16), 0);
    CHECK_EQ(sheaf_heap_release(heap, a + 1), 0);
    CHECK_EQ(sheaf_heap_release(heap, b + 112), 0);
    CHECK_EQ(sheaf_heap_release(heap, SIZE_MAX), 0);
    CHECK_EQ(sheaf_heap_release(heap, a), 100);
    CHECK_EQ(sheaf_heap_release(heap, a), 0);
    CHECK(!sheaf_heap_resize(heap, a, 10));
    CHECK_EQ(sheaf_heap_block_size(heap, a), 0);
    CHECK_EQ(sheaf_heap_block_size(heap, b), 100);
    CHECK_EQ(sheaf_heap_release(heap, b), 100);
    expect_usage(heap, 0, 0, 224);
    destroy(heap);
}

static void holes_merge_and_the_top_falls(void)
{
    struct sheaf_heap *heap = create(4096);
    size_t at[8];
    for (size_t i = 0; i < 8; i++)
        CHECK_EQ(at[i] = sheaf_heap_allocate(heap, 512, 16), 512 * i);
    CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), FULL);
    static const size_t order[] = {1, 3, 2, 6, 5};
    for (size_t i = 0; i < 5; i++) {
        CHECK_EQ(sheaf_heap_release(heap, at[order[i]]), 512);
        CHECK(sheaf_heap_is_sound(heap));
    }
    CHECK_EQ(sheaf_heap_allocate(heap, 1537, 16), FULL);
    CHECK_EQ(sheaf_heap_allocate(heap, 1536, 16), 512);
    CHECK_EQ(sheaf_heap_release(heap, at[7]), 512); /* with the hole below it */
    CHECK_EQ(sheaf_heap_allocate(heap, 1537, 16), FULL);
    CHECK_EQ(sheaf_heap_allocate(heap, 1536, 16), 2560);
    expect_usage(heap, 512 + 1536 + 512 + 1536, 4, 4096);
    CHECK_EQ(sheaf_heap_release(heap, 2560), 1536);
    CHECK_EQ(sheaf_heap_release(heap, 512), 1536);
    CHECK_EQ(sheaf_heap_release(heap, 0), 512);
    CHECK_EQ(sheaf_heap_release(heap, 2048), 512);
    expect_usage(heap, 0, 0, 4096);
    CHECK_EQ(sheaf_heap_allocate(heap, 4096, 16), 0);
    destroy(heap);
}

static void find_knows_the_bytes_asked_for(void)
{
    struct sheaf_heap *heap = create(MIB);
    size_t start = 77, size = 77;
    CHECK_EQ(sheaf_heap_allocate(heap, 33, 16), 0);
    CHECK_EQ(sheaf_heap_allocate(heap, 64, 1024), 1024);
    CHECK_EQ(sheaf_heap_allocate(heap, 1, 16), 48); /* in the hole before the aligned one */
    CHECK(!sheaf_heap_find(heap, 33, &start, &size));
    CHECK(!sheaf_heap_find(heap, 47, &start, &size));
    CHECK(!sheaf_heap_find(heap, 49, &start, &size));
    CHECK(!sheaf_heap_find(heap, 1023, &start, &size));
    CHECK(!sheaf_heap_find(heap, 1088, &start, &size));
    CHECK(!sheaf_heap_find(heap, SIZE_MAX, &start, &size));
    CHECK(start == 77 && size == 77);
    for (size_t offset = 0; offset < 33; offset++) {
        CHECK(sheaf_heap_find(heap, offset, &start, &size));
        CHECK(start == 0 && size == 33);
    }
    CHECK(sheaf_heap_find(heap, 1087, &start, &size));
    CHECK(start == 1024 && size == 64);
    destroy(heap);
}

static void resize_in_place(void)
{
    struct sheaf_heap *heap = create(4096);
    size_t a = sheaf_heap_allocate(heap, 100, 16);
    CHECK(sheaf_heap_resize(heap, a, 112)); /* within its span */
    CHECK_EQ(sheaf_heap_block_size(heap, a), 112);
    CHECK(sheaf_heap_resize(heap, a, 4096)); /* at the top, up to the limit */
    CHECK(!sheaf_heap_resize(heap, a, 4097));
    CHECK(sheaf_heap_resize(heap, a, 16));
    size_t b = sheaf_heap_allocate(heap, 1000, 16), c = sheaf_heap_allocate(heap, 16, 16);
    CHECK_EQ(b, 16);
    CHECK(!sheaf_heap_resize(heap, a, 17));
    CHECK(sheaf_heap_resize(heap, b, 500)); /* leaves a hole */
    CHECK(sheaf_heap_is_sound(heap));
    CHECK(sheaf_heap_resize(heap, b, 300)); /* widens it */
    CHECK(sheaf_heap_is_sound(heap));
    CHECK(sheaf_heap_resize(heap, b, 700)); /* takes part of it */
    CHECK(sheaf_heap_is_sound(heap));
    CHECK(!sheaf_heap_resize(heap, b, 1009));
    CHECK_EQ(sheaf_heap_block_size(heap, b), 700);
    CHECK(sheaf_heap_resize(heap, b, 1008)); /* takes it all */
    CHECK(sheaf_heap_is_sound(heap));
    CHECK_EQ(c, 1024);
    expect_usage(heap, 16 + 1008 + 16, 3, 4096);
    destroy(heap);
}

static void alignments(void)
{
    struct sheaf_heap *heap = create((size_t)1 << 40);
    CHECK_EQ(sheaf_heap_allocate(heap, 16, 16), 0);
    for (size_t alignment = 32; alignment <= GIB; alignment *= 2)
        CHECK_EQ(sheaf_heap_allocate(heap, 16, alignment), alignment);
    for (size_t alignment = GIB; alignment > 16; alignment /= 2) {
        CHECK_EQ(sheaf_heap_release(heap, alignment), 16);
        CHECK_EQ(sheaf_heap_allocate(heap, 1, alignment), alignment);
    }
    CHECK(sheaf_heap_is_sound(heap));
    /* The hole [48, 64) is no use at 64, the one at 80 is too small. */
    CHECK_EQ(sheaf_heap_allocate(heap, 64, 64), 192);
    destroy(heap);
}

static void untouched_space_is_the_last_resort(void)
{
    struct sheaf_heap *heap = create(GIB);
    for (size_t i = 0; i < 64; i++)
        CHECK_EQ(sheaf_heap_allocate(heap, (i + 1) * 16, 16), i * (i + 1) * 8);
    size_t top = high_water(heap);
    for (size_t i = 0; i < 63; i += 2)
        CHECK_EQ(sheaf_heap_release(heap, i * (i + 1) * 8), (i + 1) * 16);
    for (size_t i = 64; i-- > 0;)
        if (i % 2 == 0)
            CHECK(sheaf_heap_allocate(heap, (i + 1) * 16, 16) < top);
    CHECK_EQ(high_water(heap), top);
    CHECK_EQ(sheaf_heap_allocate(heap, 16, 16), top);
    destroy(heap);
}

static void private_memory_runs_out(void)
{
    memory_is_exhausted = true;
    CHECK(sheaf_heap_create(GIB) == NULL);
    memory_is_exhausted = false;
    struct sheaf_heap *heap = create(GIB);
    memory_is_exhausted = true;
    size_t blocks = 0, offset;
    while (blocks < 100000 && (offset = sheaf_heap_allocate(heap, 16, 16)) != FULL)
        CHECK_EQ(offset, 16 * blocks++);
    CHECK(blocks > 0 && blocks < 100000);
    expect_usage(heap, 16 * blocks, blocks, 16 * blocks);
    CHECK(sheaf_heap_is_sound(heap));
    memory_is_exhausted = false;
    CHECK_EQ(sheaf_heap_allocate(heap, 16, 16), 16 * blocks++);
    for (size_t i = 0; i < blocks; i++)
        CHECK_EQ(sheaf_heap_release(heap, 16 * i), 16);
    expect_usage(heap, 0, 0, 16 * blocks);
    destroy(heap);
}

static void a_million_blocks(void)
{
    struct sheaf_heap *heap = create(GIB);
    const size_t count = 1000000;
    size_t start, size;
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(sheaf_heap_allocate(heap, 24, 16), 32 * i);
    for (size_t i = 0; i < count; i += 2)
        CHECK_EQ(sheaf_heap_release(heap, 32 * i), 24);
    for (size_t i = 0; i < count; i++)
        CHECK(sheaf_heap_find(heap, 32 * i + 23, &start, &size) == (i % 2 == 1));
    CHECK(sheaf_heap_is_sound(heap));
    for (size_t i = 1; i < count; i += 2)
        CHECK_EQ(sheaf_heap_release(heap, 32 * i), 24);
    expect_usage(heap, 0, 0, 32 * count);
    CHECK_EQ(sheaf_heap_allocate(heap, GIB, 16), 0);
    destroy(heap);
}

int main(void)
{
    empty_limits();
    exact_limit();
    absurd_requests();
    several_tebibytes();
    release_only_what_begins_there();
    holes_merge_and_the_top_falls();
    find_knows_the_bytes_asked_for();
    resize_in_place();
    alignments();
    untouched_space_is_the_last_resort();
    private_memory_runs_out();
    a_million_blocks();
    return 0;
}

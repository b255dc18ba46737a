/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A heap made of another's list, and that other once it is settled, hand out the same offsets, whatever calls
 * came before: 3,000 random histories, and 2,000 calls after each. Without the settling some hand out others, which is
 * looked for too. The first argument divides the number of histories.
 */
#include "heap_test.h"

#define BLOCKS 3000
#define CALLS  2000

struct program {
    size_t offsets[BLOCKS];
    size_t count;
};

static size_t some_size(uint64_t *seed)
{
    return random_size(seed, 4, 5 + (unsigned)test_random_below(seed, 16));
}

/* On both heaps where there are two. Whether the block lies at the same place. */
static bool allocate(struct sheaf_heap *heap[2], struct program *program, uint64_t *seed)
{
    size_t size = some_size(seed), alignment = test_random_below(seed, 8) ? 16 : (size_t)16 << test_random_below(seed, 9);
    size_t offset = sheaf_heap_allocate(heap[0], size, alignment);
    if (heap[1] && sheaf_heap_allocate(heap[1], size, alignment) != offset)
        return false;
    if (offset != SHEAF_HEAP_FULL)
        program->offsets[program->count++] = offset;
    return true;
}

static void release(struct sheaf_heap *heap[2], struct program *program, uint64_t *seed)
{
    size_t *offset = &program->offsets[test_random_below(seed, program->count)];
    size_t size = sheaf_heap_release(heap[0], *offset);
    CHECK(size > 0);
    if (heap[1])
        CHECK_EQ(sheaf_heap_release(heap[1], *offset), size);
    *offset = program->offsets[--program->count];
}

/* Up to a peak and down again, as programs do; the numbers of blocks cross several powers of two. */
static void live(struct sheaf_heap *heap, struct program *program, uint64_t *seed)
{
    struct sheaf_heap *alone[2] = {heap, NULL};
    for (size_t turn = 0; turn < 1 + test_random_below(seed, 3); turn++) {
        size_t peak = 1 + test_random_below(seed, 10 + test_random_below(seed, BLOCKS - 500)), keep = peak / (1 + test_random_below(seed, 4));
        while (program->count < peak)
            allocate(alone, program, seed);
        while (program->count > keep)
            release(alone, program, seed);
    }
}

static struct sheaf_heap *rebuild(const struct sheaf_heap *heap)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(heap, &usage);
    struct sheaf_heap_block *list = calloc(usage.blocks + 1, sizeof *list);
    CHECK(list);
    sheaf_heap_list(heap, list);
    struct sheaf_heap *rebuilt = sheaf_heap_create_with(usage.limit, list, usage.blocks, usage.high_water);
    free(list);
    CHECK(rebuilt);
    return rebuilt;
}

/* Whether both give the same all the way. */
static bool agree(struct sheaf_heap *heap[2], struct program *program, uint64_t *seed)
{
    for (int call = 0; call < CALLS; call++) {
        bool more = program->count == 0 || (program->count < BLOCKS && test_random_below(seed, 2));
        if (!more)
            release(heap, program, seed);
        else if (!allocate(heap, program, seed))
            return false;
    }
    return high_water(heap[0]) == high_water(heap[1]);
}

static bool history(uint64_t seed, bool settled)
{
    static struct program program;
    program.count = 0;
    struct sheaf_heap *heap[2] = {sheaf_heap_create(GIB), NULL};
    CHECK(heap[0]);
    live(heap[0], &program, &seed);
    heap[1] = rebuild(heap[0]);
    if (settled)
        sheaf_heap_settle(heap[0]);
    bool same = agree(heap, &program, &seed);
    for (int i = 0; i < 2; i++) {
        CHECK(sheaf_heap_is_sound(heap[i]));
        sheaf_heap_destroy(heap[i]);
    }
    return same;
}

int main(int argc, char **argv)
{
    long divisor = argc > 1 ? atol(argv[1]) : 1;
    CHECK(divisor >= 1);
    long histories = 3000 / divisor, differ = 0;
    for (long i = 0; i < histories; i++) {
        CHECK(history((uint64_t)i * 2654435761 + 1, true));
        if (i % 10 == 0 && !history((uint64_t)i * 2654435761 + 1, false))
            differ++;
    }
    printf("%ld histories; unsettled %ld of %ld differ\n", histories, differ, (histories + 9) / 10);
    CHECK(differ > 0);
    return 0;
}

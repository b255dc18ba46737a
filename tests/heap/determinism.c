/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two heaps that get the same calls give the same offsets, though between the calls on one of
 * them the program allocates and frees other memory at random, so that the bookkeeping lies
 * elsewhere. The first argument divides the number of calls.
 */
#include "heap_test.h"

#define BLOCKS 4096
#define OTHERS 256

static void *others[OTHERS];

static void disturb(uint64_t *seed)
{
    size_t which = test_random_below(seed, OTHERS);
    free(others[which]);
    others[which] = malloc(random_size(seed, 0, 18));
    CHECK(others[which]);
}

static size_t allocate(struct sheaf_heap *const heap[2], uint64_t *seed)
{
    size_t size = random_size(seed, 4, 20);
    size_t alignment = test_random_below(seed, 8) ? 16 : (size_t)16 << test_random_below(seed, 13);
    size_t offset = sheaf_heap_allocate(heap[0], size, alignment);
    CHECK_EQ(sheaf_heap_allocate(heap[1], size, alignment), offset);
    return offset;
}

static void resize(struct sheaf_heap *const heap[2], size_t offset, uint64_t *seed)
{
    size_t size = random_size(seed, 4, 20);
    bool done = sheaf_heap_resize(heap[0], offset, size);
    CHECK(sheaf_heap_resize(heap[1], offset, size) == done);
}

int main(int argc, char **argv)
{
    static size_t offsets[BLOCKS]; /* plus 1; 0: none */
    long divisor = argc > 1 ? atol(argv[1]) : 1;
    CHECK(divisor >= 1);
    long calls = 1000000 / divisor;
    uint64_t seed = 7, other = 8;
    struct sheaf_heap *heap[2] = {sheaf_heap_create(192 * MIB), NULL};
    disturb(&other);
    heap[1] = sheaf_heap_create(192 * MIB);
    CHECK(heap[0] && heap[1]);
    for (long call = 0; call < calls; call++) {
        size_t *offset = &offsets[test_random_below(&seed, BLOCKS)];
        disturb(&other);
        if (*offset == 0) {
            *offset = allocate(heap, &seed) + 1; /* SHEAF_HEAP_FULL becomes 0 */
        } else if (test_random_below(&seed, 4) == 0) {
            resize(heap, *offset - 1, &seed);
        } else {
            size_t size = sheaf_heap_release(heap[0], *offset - 1);
            CHECK(size > 0);
            CHECK_EQ(sheaf_heap_release(heap[1], *offset - 1), size);
            *offset = 0;
        }
    }
    CHECK_EQ(high_water(heap[0]), high_water(heap[1]));
    for (int i = 0; i < 2; i++) {
        CHECK(sheaf_heap_is_sound(heap[i]));
        sheaf_heap_destroy(heap[i]);
    }
    for (size_t i = 0; i < OTHERS; i++)
        free(others[i]);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Seeded sequences of shmem_malloc, align, calloc, realloc and free: every block keeps its
 * contents, no two overlap, and all PEs get the same offsets. Arguments: operations, seed.
 */
#include "check.h"

#include <string.h>

#define SLOTS 200

struct block {
    unsigned char *start;
    size_t size;
    unsigned char tag;
};
static struct block blocks[SLOTS];
static uint64_t digest;
static char *origin;
static uint64_t of_others[1024];

static size_t random_size(uint64_t *state)
{
    size_t limit = (size_t)16 << test_random_below(state, 17);
    return 1 + test_random_below(state, limit);
}

static void digest_offset(const void *start)
{
    digest = (digest ^ (uint64_t)((const char *)start - origin)) * UINT64_C(0x100000001b3);
}

/* The first and last bytes carry the block's tag; a neighbour that overlaps would change them. */
static void mark(struct block *block, uint64_t *state)
{
    block->tag = (unsigned char)test_random(state);
    memset(block->start, block->tag, block->size < 64 ? block->size : 64);
    block->start[block->size - 1] = block->tag;
}

static void check_marked(const struct block *block, size_t size)
{
    size_t begin = size < 64 ? size : 64;
    for (size_t i = 0; i < begin; i++)
        CHECK_EQ(block->start[i], block->tag);
    if (size == block->size)
        CHECK_EQ(block->start[size - 1], block->tag);
}

static void allocate(struct block *block, uint64_t *state)
{
    size_t size = random_size(state);
    uint64_t kind = test_random_below(state, 4);
    size_t alignment = (size_t)16 << test_random_below(state, 10);
    if (kind == 0)
        block->start = shmem_align(alignment, size);
    else if (kind == 1)
        block->start = shmem_calloc(size, 1);
    else if (kind == 2)
        block->start = shmem_malloc_with_hints(size, SHMEM_MALLOC_SIGNAL_REMOTE);
    else
        block->start = shmem_malloc(size);
    CHECK(block->start != NULL);
    CHECK_EQ((uintptr_t)block->start % 16, 0);
    CHECK(kind != 0 || (uintptr_t)block->start % alignment == 0);
    for (size_t i = 0; kind == 1 && i < size; i += 61)
        CHECK_EQ(block->start[i], 0);
    block->size = size;
    digest_offset(block->start);
    mark(block, state);
}

static void resize(struct block *block, uint64_t *state)
{
    size_t size = random_size(state);
    size_t kept = size < block->size ? size : block->size;
    block->start = shmem_realloc(block->start, size);
    CHECK(block->start != NULL);
    check_marked(block, kept);
    block->size = size;
    digest_offset(block->start);
    mark(block, state);
}

static void release(struct block *block)
{
    check_marked(block, block->size);
    shmem_free(block->start);
    block->start = NULL;
}

static void check_same_everywhere(int me, int npes)
{
    for (int pe = 0; pe < npes; pe++)
        shmem_uint64_p(&of_others[me], digest, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        CHECK_EQ(of_others[pe], digest);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    long operations = argc > 1 ? atol(argv[1]) : 1000;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    origin = shmem_malloc(1);
    for (long i = 0; i < operations; i++) {
        struct block *block = &blocks[test_random_below(&state, SLOTS)];
        if (!block->start)
            allocate(block, &state);
        else if (test_random_below(&state, 4) == 0)
            resize(block, &state);
        else
            release(block);
        if (i % (operations / 10 + 1) == 0)
            check_same_everywhere(me, npes);
    }
    for (int i = 0; i < SLOTS; i++)
        if (blocks[i].start)
            release(&blocks[i]);
    check_same_everywhere(me, npes);
    shmem_free(origin);
    return test_finish();
}

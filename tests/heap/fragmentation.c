/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much more memory the heap takes than the program asked for, in several patterns of use:
 * the high-water mark against the largest live total, and processor time per call with the test's
 * own part in it. Sizes run from 16 B to 1 MiB, as many in each doubling. The first argument
 * divides the number of calls, for builds that run slowly.
 */
#include "heap_test.h"

#include <math.h>
#include <time.h>

#define MOST_BLOCKS (1 << 16)

struct block {
    size_t offset;
    size_t size;
};

struct run {
    struct sheaf_heap *heap;
    struct block blocks[MOST_BLOCKS];
    size_t count;
    size_t live, peak;
    long calls;
    uint64_t seed;
    unsigned one_in_aligned;    /* one of so many blocks is aligned, 0: none ... */
    unsigned most_alignment;    /* ... to 32 B up to 16 B << this */
    unsigned one_in_resized;    /* one of so many calls is a realloc, 0: none */
};

/* Evenly in the logarithm. */
static size_t any_size(struct run *run)
{
    double where = (double)(test_random(&run->seed) >> 11) * 0x1p-53;
    return (size_t)(16.0 * exp2(16.0 * where));
}

static struct block *any_block(struct run *run)
{
    return &run->blocks[test_random_below(&run->seed, run->count)];
}

static void account(struct run *run, size_t before, size_t now)
{
    run->live = run->live - before + now;
    if (run->live > run->peak)
        run->peak = run->live;
}

static void allocate_one(struct run *run)
{
    struct block *block = &run->blocks[run->count];
    size_t alignment = SHEAF_HEAP_ALIGNMENT;
    if (run->one_in_aligned && test_random_below(&run->seed, run->one_in_aligned) == 0)
        alignment <<= 1 + test_random_below(&run->seed, run->most_alignment);
    block->size = any_size(run);
    block->offset = sheaf_heap_allocate(run->heap, block->size, alignment);
    CHECK(run->count++ < MOST_BLOCKS);
    CHECK(block->offset != SHEAF_HEAP_FULL && block->offset % alignment == 0);
    account(run, 0, block->size);
    run->calls++;
}

static void release_one(struct run *run)
{
    struct block *block = any_block(run);
    CHECK_EQ(sheaf_heap_release(run->heap, block->offset), block->size);
    account(run, block->size, 0);
    *block = run->blocks[--run->count];
    run->calls++;
}

/* As shmem_realloc does it: in place, or a new block, a copy, and the old one goes. */
static void resize_one(struct run *run, struct block *block, size_t size)
{
    if (!sheaf_heap_resize(run->heap, block->offset, size)) {
        size_t offset = sheaf_heap_allocate(run->heap, size, SHEAF_HEAP_ALIGNMENT);
        CHECK(offset != SHEAF_HEAP_FULL);
        CHECK_EQ(sheaf_heap_release(run->heap, block->offset), block->size);
        block->offset = offset;
    }
    account(run, block->size, size);
    block->size = size;
    run->calls++;
}

/* One call that moves the live total towards target. */
static void step(struct run *run, size_t target)
{
    bool resizes = run->one_in_resized && run->count > 0 &&
                   test_random_below(&run->seed, run->one_in_resized) == 0;
    if (resizes)
        resize_one(run, any_block(run), any_size(run));
    else if (run->live < target || run->count == 0)
        allocate_one(run);
    else
        release_one(run);
}

/* The live total stays at target: each block freed makes room for the next. */
static void steady(struct run *run, size_t target, long calls)
{
    while (run->calls < calls)
        step(run, target);
}

/* A table of pointers, each call frees or fills one at random: half are live. */
static void table(struct run *run, size_t target, long calls)
{
    size_t slots = 2 * target / (96 * KIB);
    while (run->calls < calls)
        if (test_random_below(&run->seed, slots) < run->count)
            release_one(run);
        else
            allocate_one(run);
}

/* The live total rises and falls between a tenth of target and target, twenty times. */
static void waves(struct run *run, size_t target, long calls)
{
    while (run->calls < calls) {
        double where = (double)run->calls / (double)calls * 20.0;
        double height = 0.55 - 0.45 * cos(where * 6.283185307);
        step(run, (size_t)(height * (double)target));
    }
}

/* Fills up to target, then frees nine of ten blocks, and so on. */
static void phases(struct run *run, size_t target, long calls)
{
    while (run->calls < calls) {
        while (run->live < target && run->calls < calls)
            allocate_one(run);
        size_t keep = run->count / 10;
        while (run->count > keep && run->calls < calls)
            release_one(run);
    }
}

/* Blocks grow by half, as vectors do, until one passes 1 MiB and starts again small. */
static void vectors(struct run *run, size_t target, long calls)
{
    while (run->live < target && run->calls < calls)
        allocate_one(run);
    while (run->calls < calls) {
        struct block *block = any_block(run);
        size_t larger = block->size + block->size / 2 + SHEAF_HEAP_ALIGNMENT;
        resize_one(run, block, larger > MIB ? any_size(run) : larger);
    }
}

static const struct pattern {
    const char *name;
    void (*go)(struct run *, size_t target, long calls);
    size_t target;              /* live bytes */
    long calls;
    unsigned one_in_aligned, most_alignment, one_in_resized;
    double most;                /* high water; 1.25 is required, what is reached is kept */
} patterns[] = {
    {"table of pointers, aligned to 4 KiB, resized", table, 64 * MIB, 10000000, 8, 8, 8, 1.12},
    {"steady", steady, 128 * MIB, 1000000, 0, 0, 0, 1.22},
    {"steady", steady, 256 * MIB, 1000000, 0, 0, 0, 1.18},
    {"steady", steady, 1 * GIB, 1000000, 0, 0, 0, 1.15},
    {"steady, aligned to 4 KiB, resized", steady, 256 * MIB, 1000000, 8, 8, 8, 1.21},
    {"steady, aligned to 2 MiB", steady, 1 * GIB, 1000000, 64, 17, 0, 1.15},
    {"waves", waves, 128 * MIB, 1000000, 8, 8, 8, 1.21},
    {"waves", waves, 1 * GIB, 1000000, 8, 8, 8, 1.10},
    {"phases", phases, 64 * MIB, 1000000, 8, 8, 0, 1.05},
    {"phases", phases, 1 * GIB, 1000000, 8, 8, 0, 1.05},
    {"vectors", vectors, 64 * MIB, 1000000, 0, 0, 0, 1.23},
    {"vectors", vectors, 512 * MIB, 1000000, 0, 0, 0, 1.16},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double measure(const struct pattern *pattern, long calls)
{
    static struct run run;
    run = (struct run){.heap = sheaf_heap_create((size_t)1 << 40),
                       .seed = 20261120,
                       .one_in_aligned = pattern->one_in_aligned,
                       .most_alignment = pattern->most_alignment,
                       .one_in_resized = pattern->one_in_resized};
    CHECK(run.heap);
    double start = seconds();
    pattern->go(&run, pattern->target, calls);
    double each = (seconds() - start) / (double)calls;
    double ratio = (double)high_water(run.heap) / (double)run.peak;
    printf("%-46s %8ld calls, live %4zu MiB: high water %.3f, %4.0f ns per call\n", pattern->name,
           calls, run.peak / MIB, ratio, each * 1e9);
    CHECK(sheaf_heap_is_sound(run.heap));
    sheaf_heap_destroy(run.heap);
    return ratio;
}

int main(int argc, char **argv)
{
    long divisor = argc > 1 ? atol(argv[1]) : 1;
    CHECK(divisor >= 1);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        CHECK(measure(&patterns[i], patterns[i].calls / divisor) < patterns[i].most);
    return 0;
}

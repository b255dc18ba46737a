/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random calls against a model that is too simple to be wrong: one byte for each 16 bytes of a
 * small heap, which says whose they are. Checks what every call returns, that blocks never
 * overlap, that "full" is the truth, and that the heap stays sound. The first argument divides
 * the number of calls.
 */
#include "heap_test.h"

#include <string.h>

#define UNITS  4096
#define BLOCKS 255

struct model {
    uint8_t owner[UNITS]; /* 0: nobody, else the block's index + 1 */
    size_t offset[BLOCKS], size[BLOCKS];
    size_t units;         /* of this run's heap */
    size_t high;
};

static size_t units_of(size_t size)
{
    return (size + 15) / 16;
}

/* Gives units from this one on to a block; all must be nobody's. */
static void model_take(struct model *model, size_t from, size_t count, uint8_t owner)
{
    CHECK(from + count <= model->units);
    for (size_t unit = from; unit < from + count; unit++) {
        CHECK(model->owner[unit] == 0);
        model->owner[unit] = owner;
    }
    if ((from + count) * 16 > model->high)
        model->high = (from + count) * 16;
}

static bool model_is_free(const struct model *model, size_t from, size_t count)
{
    for (size_t unit = from; unit < from + count; unit++)
        if (unit >= model->units || model->owner[unit])
            return false;
    return true;
}

/* Whether size bytes that may begin at any multiple of 16 fit somewhere. */
static bool model_has_room(const struct model *model, size_t size)
{
    size_t run = 0;
    for (size_t unit = 0; unit < model->units; unit++) {
        run = model->owner[unit] ? 0 : run + 1;
        if (run >= units_of(size))
            return true;
    }
    return false;
}

static void allocate(struct sheaf_heap *heap, struct model *model, size_t which, uint64_t *seed)
{
    size_t size = random_size(seed, 0, 12);
    size_t alignment = test_random_below(seed, 4) ? 16 : (size_t)16 << test_random_below(seed, 9);
    size_t offset = sheaf_heap_allocate(heap, size, alignment);
    if (offset == SHEAF_HEAP_FULL) {
        CHECK(!model_has_room(model, size + alignment - 16));
        return;
    }
    CHECK(offset % alignment == 0);
    model_take(model, offset / 16, units_of(size), (uint8_t)(which + 1));
    model->offset[which] = offset;
    model->size[which] = size;
}

static void release(struct sheaf_heap *heap, struct model *model, size_t which)
{
    CHECK_EQ(sheaf_heap_release(heap, model->offset[which]), model->size[which]);
    memset(&model->owner[model->offset[which] / 16], 0, units_of(model->size[which]));
    model->size[which] = 0;
}

static void resize(struct sheaf_heap *heap, struct model *model, size_t which, uint64_t *seed)
{
    size_t size = random_size(seed, 0, 12), before = units_of(model->size[which]);
    size_t from = model->offset[which] / 16, now = units_of(size);
    bool possible = now <= before || model_is_free(model, from + before, now - before);
    CHECK(sheaf_heap_resize(heap, model->offset[which], size) == possible);
    if (!possible)
        return;
    memset(&model->owner[from], 0, before);
    model_take(model, from, now, (uint8_t)(which + 1));
    model->size[which] = size;
}

/* What the heap knows of any byte, and of the whole. */
static void compare(const struct sheaf_heap *heap, const struct model *model, uint64_t *seed)
{
    size_t offset = test_random_below(seed, model->units * 16), start, size;
    uint8_t owner = model->owner[offset / 16];
    bool inside = owner && offset - model->offset[owner - 1] < model->size[owner - 1];
    CHECK(sheaf_heap_find(heap, offset, &start, &size) == inside);
    if (inside) {
        CHECK_EQ(start, model->offset[owner - 1]);
        CHECK_EQ(size, model->size[owner - 1]);
    }
    bool begins = owner && offset == model->offset[owner - 1];
    CHECK_EQ(sheaf_heap_block_size(heap, offset), begins ? model->size[owner - 1] : 0);
    CHECK_EQ(high_water(heap), model->high);
}

static void compare_totals(const struct sheaf_heap *heap, const struct model *model)
{
    struct sheaf_heap_usage usage;
    size_t live = 0, blocks = 0;
    for (size_t which = 0; which < BLOCKS; which++) {
        live += model->size[which];
        blocks += model->size[which] > 0;
    }
    sheaf_heap_usage(heap, &usage);
    CHECK_EQ(usage.live, live);
    CHECK_EQ(usage.blocks, blocks);
    CHECK(sheaf_heap_is_sound(heap));
}

static void play(uint64_t seed, long calls)
{
    static struct model model;
    memset(&model, 0, sizeof model);
    model.units = 16 + test_random_below(&seed, UNITS - 15);
    struct sheaf_heap *heap = sheaf_heap_create(model.units * 16 + test_random_below(&seed, 16));
    CHECK(heap);
    for (long call = 0; call < calls; call++) {
        size_t which = test_random_below(&seed, BLOCKS);
        if (model.size[which] == 0)
            allocate(heap, &model, which, &seed);
        else if (test_random_below(&seed, 3) == 0)
            resize(heap, &model, which, &seed);
        else
            release(heap, &model, which);
        compare(heap, &model, &seed);
        if (call % 64 == 0)
            compare_totals(heap, &model);
    }
    for (size_t which = 0; which < BLOCKS; which++)
        if (model.size[which])
            release(heap, &model, which);
    compare_totals(heap, &model);
    CHECK_EQ(sheaf_heap_allocate(heap, model.units * 16, 16), 0);
    sheaf_heap_destroy(heap);
}

int main(int argc, char **argv)
{
    long divisor = argc > 1 ? atol(argv[1]) : 1;
    CHECK(divisor >= 1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        printf("seed %llu\n", (unsigned long long)seed);
        play(seed, 20000 / divisor);
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * n-dimensional puts and gets of 1 to 7 dimensions, by every way of completing them, on contexts of
 * the world and of a team, against a model that moves byte by byte. Strides grow by dimension, or come
 * in any order (transposed), or are negative; counts may be 1 or 0; runs have sizes and places that no
 * type has. Between the runs nothing may change.
 */
#include "noncontiguous.h"

#define ROUNDS 40
#define AREA   300000 /* bytes, of each of the areas below */

static unsigned char static_area[AREA];
static unsigned char *heap_area, *local_area, *model;
static uint64_t schedule = 7; /* the same on all PEs */

static size_t draw(size_t limit)
{
    return (size_t)test_random_below(&schedule, limit);
}

struct shape {
    int dims;
    size_t counts[SHMEMX_MAX_DIMS];
    ptrdiff_t dest[SHMEMX_MAX_DIMS - 1], source[SHMEMX_MAX_DIMS - 1];
    size_t dest_start, source_start; /* in the area */
};

static size_t draw_run(void)
{
    static const size_t runs[] = {1, 2, 3, 4, 5, 8, 8, 16, 24, 32, 64, 100, 1000};
    return runs[draw(sizeof runs / sizeof *runs)];
}

static void draw_counts(struct shape *shape, int dims)
{
    size_t total = draw(20) ? draw_run() : 9000 + draw(20000);
    shape->dims = dims;
    shape->counts[0] = total;
    for (int i = 1; i < dims; i++) {
        size_t most = 30000 / total < 9 ? 30000 / total + 1 : 9;
        shape->counts[i] = 1 + draw(most);
        total *= shape->counts[i];
    }
    if (draw(15) == 0)
        shape->counts[draw((size_t)dims)] = 0;
}

/* Strides that do not let runs overlap, dimension by dimension in some order, some of them negative.
 * Returns where the first run begins so that none lies below 0. */
static size_t draw_strides(const struct shape *shape, ptrdiff_t *strides)
{
    int order[SHMEMX_MAX_DIMS], levels = shape->dims - 1;
    size_t extent = shape->counts[0] ? shape->counts[0] : 1, start = 0;
    for (int i = 0; i < levels; i++)
        order[i] = i;
    for (int i = levels - 1; i > 0 && draw(2); i--) {
        int other = (int)draw((size_t)i + 1), held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
    for (int i = 0; i < levels; i++) {
        size_t count = shape->counts[order[i] + 1], gap = draw(3) ? 0 : draw(1 + extent / 4);
        strides[order[i]] = (ptrdiff_t)(extent + gap);
        if (count > 0)
            extent += (count - 1) * (extent + gap);
        if (count > 0 && draw(6) == 0) {
            start += (count - 1) * (size_t)strides[order[i]];
            strides[order[i]] = -strides[order[i]];
        }
    }
    CHECK(extent < AREA - 64);
    return start + draw(9);
}

static void draw_shape(struct shape *shape, int dims)
{
    draw_counts(shape, dims);
    shape->dest_start = draw_strides(shape, shape->dest);
    shape->source_start = draw_strides(shape, shape->source);
}

static unsigned char value(int pe, size_t i, int round)
{
    return (unsigned char)(i * 7 + (i >> 8) * 3 + (size_t)pe * 31 + (size_t)round);
}

/* The shape's runs of PE pe's source, where they belong. */
static void fill_model(const struct shape *shape, int pe, int round)
{
    size_t index[SHMEMX_MAX_DIMS] = {0};
    memset(model, 0xee, AREA);
    for (int i = 0; i < shape->dims; i++)
        if (shape->counts[i] == 0)
            return;
    for (;;) {
        ptrdiff_t dest = (ptrdiff_t)shape->dest_start, source = (ptrdiff_t)shape->source_start;
        for (int i = 1; i < shape->dims; i++) {
            dest += (ptrdiff_t)index[i] * shape->dest[i - 1];
            source += (ptrdiff_t)index[i] * shape->source[i - 1];
        }
        for (size_t k = 0; k < shape->counts[0]; k++)
            model[(size_t)dest + k] = value(pe, (size_t)source + k, round);
        int i = 1;
        while (i < shape->dims && ++index[i] == shape->counts[i])
            index[i++] = 0;
        if (i == shape->dims)
            return;
    }
}

static void check_area(const unsigned char *area, const char *what, const struct shape *shape)
{
    for (size_t i = 0; i < AREA; i++) {
        if (area[i] == model[i])
            continue;
        printf("PE %d: %s of %d dimensions: byte %zu is %d, expected %d\n", shmem_my_pe(), what,
               shape->dims, i, area[i], model[i]);
        test_end(TEST_STATUS_FAILED);
    }
}

static void fill(unsigned char *area, int round)
{
    for (size_t i = 0; i < AREA; i++)
        area[i] = value(shmem_my_pe(), i, round);
}

static void test_put(const struct stream *stream, enum way way, unsigned char *area, int dims,
                     int round)
{
    int me = shmem_my_pe(), npes = shmem_n_pes(), far = (int)draw((size_t)npes);
    struct shape shape;
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    draw_shape(&shape, dims);
    memset(area, 0xee, AREA);
    fill(local_area, round);
    shmem_barrier_all();
    CALL(putmem_strided, stream, way, &handle, (me + far) % npes, area + shape.dest_start,
         local_area + shape.source_start, shape.dest, shape.source, shape.counts, dims);
    if (way == BLOCKING)
        memset(local_area, 0, AREA);
    complete(stream, way, &handle);
    shmem_barrier_all();
    fill_model(&shape, (me + npes - far) % npes, round);
    check_area(area, "put", &shape);
    shmem_barrier_all();
}

static void test_get(const struct stream *stream, enum way way, unsigned char *area, int dims,
                     int round)
{
    int me = shmem_my_pe(), npes = shmem_n_pes(), far = (int)draw((size_t)npes);
    struct shape shape;
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    draw_shape(&shape, dims);
    fill(area, round);
    memset(local_area, 0xee, AREA);
    shmem_barrier_all();
    CALL(getmem_strided, stream, way, &handle, (me + far) % npes, local_area + shape.dest_start,
         area + shape.source_start, shape.dest, shape.source, shape.counts, dims);
    if (way != BLOCKING)
        complete(stream, way, &handle);
    fill_model(&shape, (me + far) % npes, round);
    check_area(local_area, "get", &shape);
    shmem_barrier_all();
}

/* Dimensions of one need no sensible stride, one dimension none at all; nothing needs no memory. */
static void test_edges(void)
{
    static long target[4];
    const ptrdiff_t none[] = {0, 1};
    const size_t counts[] = {8, 1, 1}, empty[] = {8, 0};
    long source[2] = {11, 12}, back = 0;
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmemx_putmem_strided(&target[1], &source[0], none, none, counts, 3, next);
    shmemx_putmem_strided(&target[2], &source[1], NULL, NULL, counts, 1, next);
    shmemx_putmem_strided(NULL, NULL, none, none, empty, 2, next);
    shmemx_getmem_strided(NULL, NULL, none, none, empty, 2, next);
    shmem_barrier_all();
    CHECK(target[0] == 0 && target[1] == 11 && target[2] == 12 && target[3] == 0);
    shmemx_getmem_strided(&back, &target[2], NULL, NULL, counts, 1, next);
    CHECK_EQ(back, 12);
    shmem_barrier_all();
}

/* A put that follows a fence comes after all of a strided put. */
static void test_fence(void)
{
    enum { ROWS = 50, WIDTH = 40, TIMES = 20 };
    static long matrix[ROWS][WIDTH], flag;
    long column[ROWS];
    const ptrdiff_t far[] = {sizeof matrix[0]}, near[] = {sizeof column[0]};
    const size_t counts[] = {sizeof(long), ROWS};
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (long time = 1; time <= TIMES; time++) {
        for (int i = 0; i < ROWS; i++)
            column[i] = time * 1000 + i;
        shmemx_putmem_strided(&matrix[0][time], column, far, near, counts, 2, next);
        shmem_fence();
        shmem_long_p(&flag, time, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, time);
        for (int i = 0; i < ROWS; i++)
            CHECK_EQ(matrix[i][time], time * 1000 + i);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    heap_area = shmem_malloc(AREA);
    local_area = malloc(AREA);
    model = malloc(AREA);
    CHECK(heap_area && local_area && model);
    open_streams();
    for (int round = 0; round < ROUNDS; round++) {
        int dims = 1 + round % SHMEMX_MAX_DIMS;
        const struct stream *stream = &streams[round % STREAMS];
        enum way way = (enum way)(round / STREAMS % WAYS);
        test_put(stream, way, round % 3 ? heap_area : static_area, dims, round);
        test_get(stream, way, round % 3 ? static_area : heap_area, dims, round);
    }
    test_edges();
    test_fence();
    close_streams();
    return test_finish();
}

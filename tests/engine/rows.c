/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of blocks: put, added and read, packed and not, on the default context and others, with what
 * counts them down and with quiet alone.
 */
#include "harness.h"

#include <string.h>

enum { MOST_ROWS = 300, MOST_BLOCKS = 20000, BASE = 4096 };

static uint64_t state;

static size_t below(size_t limit)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(state >> 33) % limit;
}

/* Rows at both ends behind one another, with gaps: any split of them into messages shows. The same on
 * all PEs. unit: what block sizes and strides are multiples of. */
struct plan {
    size_t count, dest_end, source_end;
    struct sheaf_row rows[MOST_ROWS];
};

static size_t block_size(size_t unit)
{
    static const size_t sizes[] = {1, 2, 3, 8, 8, 9, 64, 100, 1024, 1025, 8200, 9000};
    return sizes[below(sizeof sizes / sizeof sizes[0])] * unit;
}

static void draw_row(struct plan *plan, unsigned char *dest, unsigned char *source, size_t unit)
{
    size_t bytes = block_size(unit), most = 200000 / bytes < MOST_BLOCKS ? 200000 / bytes : MOST_BLOCKS;
    size_t count = below(4) ? 1 + below(3) : 1 + below(most);
    size_t apart = bytes + unit * below(4), from = bytes + unit * below(4);
    plan->rows[plan->count++] = (struct sheaf_row){
        dest + plan->dest_end, source + plan->source_end,
        {(ptrdiff_t)apart, (ptrdiff_t)from, bytes, count}};
    plan->dest_end += apart * count + unit;
    plan->source_end += from * count + unit;
}

static void draw(struct plan *plan, unsigned char *dest, unsigned char *source, size_t unit)
{
    size_t rows = 1 + below(below(3) ? 10 : MOST_ROWS);
    *plan = (struct plan){.count = 0};
    while (plan->count < rows && plan->dest_end + 800000 < DATA_BYTES - BASE &&
           plan->source_end + 800000 < DATA_BYTES - BASE)
        draw_row(plan, dest, source, unit);
}

static unsigned char byte_of(int pe, size_t i)
{
    return (unsigned char)(i * 31 + (size_t)pe * 7 + (i >> 8));
}

/* What dest must hold: the row's bytes of PE pe's source, 0xee between them. */
static unsigned char *expect(const struct plan *plan, const unsigned char *dest,
                             const unsigned char *source, int pe)
{
    unsigned char *model = malloc(plan->dest_end);
    memset(model, 0xee, plan->dest_end);
    for (size_t r = 0; r < plan->count; r++) {
        const struct sheaf_row *row = &plan->rows[r];
        for (size_t i = 0; i < row->blocks.count; i++)
            for (size_t k = 0; k < row->blocks.block_bytes; k++) {
                size_t to = (size_t)((unsigned char *)row->dest - dest) +
                            i * (size_t)row->blocks.dest_stride + k;
                size_t from = (size_t)((const unsigned char *)row->source - source) +
                              i * (size_t)row->blocks.source_stride + k;
                model[to] = byte_of(pe, from);
            }
    }
    return model;
}

static void check(const struct plan *plan, const unsigned char *dest, const unsigned char *source,
                  int pe, const char *what)
{
    unsigned char *model = expect(plan, dest, source, pe);
    for (size_t i = 0; i < plan->dest_end; i++)
        REQUIRE(dest[i] == model[i], "%s of %zu rows: byte %zu is %d, not %d", what, plan->count, i,
                dest[i], model[i]);
    free(model);
}

enum way { BLOCKING, QUIET, COUNTED, WAYS };

/* What the engine takes the rows away from. */
static struct sheaf_rows copy_of(const struct plan *plan)
{
    static struct sheaf_row row[MOST_ROWS];
    memcpy(row, plan->rows, plan->count * sizeof row[0]);
    return (struct sheaf_rows){row, plan->count};
}

/* COUNTED: until the target has them; BLOCKING: until the sources may be reused; else they have started. */
static void put_rows(sheaf_engine_context *context, int pe, const struct plan *plan,
                     const struct sheaf_scale *scale, enum way way)
{
    struct sheaf_rows rows = copy_of(plan);
    size_t left = 0;
    while (!engine->put_rows(context, pe, &rows, scale, way == COUNTED, way == QUIET ? NULL : &left))
        engine->work(context);
    finish(context, &left);
}

static void get_rows(sheaf_engine_context *context, int pe, const struct plan *plan, enum way way)
{
    struct sheaf_rows rows = copy_of(plan);
    size_t left = 0;
    while (!engine->get_rows(context, pe, &rows, way == QUIET ? NULL : &left))
        engine->work(context);
    finish(context, &left);
}

static void test_put(sheaf_engine_context *context, enum way way)
{
    static struct plan plan;
    unsigned char *dest = heap + BASE, *source = data + BASE;
    draw(&plan, dest, source, 1);
    memset(dest, 0xee, plan.dest_end);
    for (size_t i = 0; i < plan.source_end; i++)
        source[i] = byte_of(me, i);
    barrier();
    int to = (me + 1) % npes, from = (me + npes - 1) % npes;
    put_rows(context, to, &plan, NULL, way);
    if (way == BLOCKING)
        memset(source, 0, plan.source_end);
    if (way != COUNTED)
        far_quiet(context, SHEAF_EVERY_PE);
    barrier();
    check(&plan, dest, source, from, "put_rows");
    barrier();
}

static void test_get(sheaf_engine_context *context, enum way way)
{
    static struct plan plan;
    unsigned char *dest = malloc(DATA_BYTES), *source = heap + BASE;
    draw(&plan, dest, source, 1);
    memset(dest, 0xee, plan.dest_end);
    for (size_t i = 0; i < plan.source_end; i++)
        source[i] = byte_of(me, i);
    barrier();
    int pe = (me + 1) % npes;
    get_rows(context, pe, &plan, way);
    if (way == QUIET)
        far_quiet(context, SHEAF_EVERY_PE);
    check(&plan, dest, source, pe, "get_rows");
    free(dest);
    barrier();
}

/* Sums of small whole numbers are exact. */
static void test_add(sheaf_engine_context *context, enum way way)
{
    static struct plan plan;
    unsigned char *dest = heap + BASE, *source = data + BASE;
    struct sheaf_scale scale = {.number = SHEAF_DOUBLE};
    double alpha = 3, *sums = (double *)dest, *terms = (double *)source;
    draw(&plan, dest, source, 8);
    for (size_t i = 0; i < plan.dest_end / 8; i++)
        sums[i] = 5;
    for (size_t i = 0; i < plan.source_end / 8; i++)
        terms[i] = (double)(i % 1000 + (size_t)me);
    memcpy(scale.alpha, &alpha, sizeof alpha);
    barrier();
    int to = (me + 1) % npes, from = (me + npes - 1) % npes;
    put_rows(context, to, &plan, &scale, way);
    if (way != COUNTED)
        far_quiet(context, SHEAF_EVERY_PE);
    barrier();
    double *model = malloc(plan.dest_end);
    for (size_t i = 0; i < plan.dest_end / 8; i++)
        model[i] = 5;
    for (size_t r = 0; r < plan.count; r++) {
        const struct sheaf_row *row = &plan.rows[r];
        for (size_t i = 0; i < row->blocks.count; i++)
            for (size_t k = 0; k < row->blocks.block_bytes / 8; k++) {
                size_t at = (size_t)((const unsigned char *)row->source - source) / 8 +
                            i * (size_t)row->blocks.source_stride / 8 + k;
                model[((size_t)((unsigned char *)row->dest - dest) +
                       i * (size_t)row->blocks.dest_stride) / 8 + k] +=
                    3 * (double)(at % 1000 + (size_t)from);
            }
    }
    for (size_t i = 0; i < plan.dest_end / 8; i++)
        REQUIRE(sums[i] == model[i], "sum %zu is %g, not %g", i, sums[i], model[i]);
    free(model);
    barrier();
}

static void body(void)
{
    sheaf_engine_context *context = engine->context_create(true);
    state = 1;
    for (int round = 0; round < 60; round++) {
        sheaf_engine_context *which = round % 2 ? context : NULL;
        test_put(which, (enum way)(round % WAYS));
        test_get(which, (enum way)(round % WAYS));
        test_add(which, (enum way)(round % WAYS));
    }
    engine->context_destroy(context);
}

int main(int argc, char **argv)
{
    return run_pes(argc > 1 ? atoi(argv[1]) : 2, body);
}

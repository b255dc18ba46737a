/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives at random: operation, type, size, team, root, strides, in place or not, on the heap
 * or in static data. Batches run back to back without synchronization between them, on buffers
 * of their own; a source is overwritten as soon as its call has returned.
 */
#include "types.h"

#define BATCH      4
#define TEAMS      4
#define CAPACITY   ((size_t)192 << 10) /* bytes of each buffer */
#define GUARD      64                  /* bytes after the result that must stay */
#define SENTINEL   0xa5

enum kind { BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, REDUCE, INSCAN, EXSCAN, SYNC, KINDS };
static const char *const kind_names[] = {"broadcast", "collect", "fcollect", "alltoall", "alltoalls",
                                         "reduce", "inscan", "exscan", "sync"};

struct operation {
    enum kind kind;
    const struct type *type;
    const struct stress_team *team;
    enum reduction reduction;
    size_t count;                          /* elements per PE, as the routine takes them */
    int root, in_place, dest_stride, source_stride;
    uint64_t round;
    unsigned char *dest, *source;
};

/* One pair per operation of a batch: dest, source. */
static unsigned char static_buffers[BATCH][2][CAPACITY + GUARD] __attribute__((aligned(64)));
static unsigned char *heap_buffers[BATCH][2];
static unsigned char *expected, *operand;
static struct stress_team teams[TEAMS];

static size_t collect_count(const struct operation *op, int rank)
{
    return op->kind == COLLECT ? mix(op->round, (uint64_t)rank, 99) % (op->count + 1) : op->count;
}

static const struct type *draw_type(enum kind kind, enum reduction reduction)
{
    const struct type *type;
    do
        type = &types[draw((uint64_t)type_count)];
    while ((kind < REDUCE && !type->broadcast) || (kind == REDUCE && !type->reduce[reduction]));
    return type;
}

static void draw_operation(struct operation *op, int place, uint64_t round)
{
    op->kind = (enum kind)draw(KINDS + 5);
    if (op->kind >= KINDS)
        op->kind = REDUCE; /* seven operators on two dozen types: more often than the others */
    op->reduction = op->kind == REDUCE ? (enum reduction)draw(REDUCTIONS) : R_SUM;
    op->type = draw_type(op->kind, op->reduction);
    op->team = &teams[draw(TEAMS)];
    op->root = (int)draw((uint64_t)op->team->size);
    op->dest_stride = op->kind == ALLTOALLS ? 1 + (int)draw(3) : 1;
    op->source_stride = op->kind == ALLTOALLS ? 1 + (int)draw(3) : 1;
    op->in_place = op->kind >= REDUCE && op->kind != SYNC && draw(2);
    size_t unit = op->type->size;
    if (op->kind >= COLLECT && op->kind <= ALLTOALLS)
        unit *= (size_t)op->team->size * 3;
    op->count = draw_size(CAPACITY / unit);
    op->round = round;
    op->dest = draw(2) ? static_buffers[place][0] : heap_buffers[place][0];
    op->source = draw(2) ? static_buffers[place][1] : heap_buffers[place][1];
    if (op->in_place)
        op->source = op->dest;
}

static int needs_small(const struct operation *op)
{
    return op->kind == INSCAN || op->kind == EXSCAN ||
           (op->kind == REDUCE && (op->reduction == R_SUM || op->reduction == R_PROD));
}

/* Elements of rank's source, strides and blocks included. */
static size_t source_count(const struct operation *op, int rank)
{
    size_t count = collect_count(op, rank);
    if (op->kind == ALLTOALL || op->kind == ALLTOALLS)
        count *= (size_t)op->team->size * (size_t)op->source_stride;
    return count;
}

/* Bytes that the result may take, gaps included. */
static size_t result_bytes(const struct operation *op)
{
    size_t bytes = op->count * op->type->size;
    if (op->kind >= COLLECT && op->kind <= ALLTOALLS)
        bytes *= (size_t)op->team->size * (size_t)op->dest_stride;
    return op->kind == SYNC ? 0 : bytes;
}

static void fill_source(const struct operation *op, void *at, int rank)
{
    op->type->fill(at, source_count(op, rank), op->round, op->team->pes[rank], needs_small(op));
}

/* Before the batch: dest is untouched ground, the source holds this PE's values. */
static void prepare(const struct operation *op)
{
    if (op->team->rank < 0)
        return;
    memset(op->dest, SENTINEL, result_bytes(op) + GUARD);
    if (op->kind == SYNC)
        return;
    fill_source(op, op->source, op->team->rank);
}

static int carry_out(const struct operation *op)
{
    const struct type *type = op->type;
    shmem_team_t team = op->team->handle;
    size_t count = collect_count(op, op->team->rank);
    switch (op->kind) {
    case BROADCAST: return type->broadcast(team, op->dest, op->source, count, op->root);
    case COLLECT: return type->collect(team, op->dest, op->source, count);
    case FCOLLECT: return type->fcollect(team, op->dest, op->source, count);
    case ALLTOALL: return type->alltoall(team, op->dest, op->source, count);
    case ALLTOALLS:
        return type->alltoalls(team, op->dest, op->source, op->dest_stride, op->source_stride, count);
    case REDUCE: return type->reduce[op->reduction](team, op->dest, op->source, count);
    case INSCAN: return type->inscan(team, op->dest, op->source, count);
    case EXSCAN: return type->exscan(team, op->dest, op->source, count);
    default: return shmem_team_sync(team);
    }
}

static size_t model_gather(const struct operation *op)
{
    size_t total = 0, size = op->type->size;
    for (int rank = 0; rank < op->team->size; rank++) {
        fill_source(op, operand, rank);
        memcpy(expected + total * size, operand, collect_count(op, rank) * size);
        total += collect_count(op, rank);
    }
    return total;
}

static size_t model_exchange(const struct operation *op)
{
    size_t size = op->type->size, count = op->count;
    size_t source_stride = (size_t)op->source_stride, dest_stride = (size_t)op->dest_stride;
    for (int rank = 0; rank < op->team->size; rank++) {
        fill_source(op, operand, rank);
        for (size_t i = 0; i < count; i++)
            memcpy(expected + ((size_t)rank * count + i) * dest_stride * size,
                   operand + ((size_t)op->team->rank * count + i) * source_stride * size, size);
    }
    return count * dest_stride * (size_t)op->team->size;
}

/* Combines ranks first to last - 1. */
static size_t model_combine(const struct operation *op, int last)
{
    if (last == 0) {
        memset(expected, 0, op->count * op->type->size);
        return op->count;
    }
    fill_source(op, expected, 0);
    for (int rank = 1; rank < last; rank++) {
        fill_source(op, operand, rank);
        op->type->combine(op->reduction, expected, operand, op->count);
    }
    return op->count;
}

/* Fills expected, and says how many elements of dest it describes. */
static size_t model(const struct operation *op)
{
    memset(expected, SENTINEL, result_bytes(op) + GUARD);
    switch (op->kind) {
    case BROADCAST: fill_source(op, expected, op->root); return op->count;
    case COLLECT:
    case FCOLLECT: return model_gather(op);
    case ALLTOALL:
    case ALLTOALLS: return model_exchange(op);
    case REDUCE: return model_combine(op, op->team->size);
    case INSCAN: return model_combine(op, op->team->rank + 1);
    case EXSCAN: return model_combine(op, op->team->rank);
    default: return 0;
    }
}

static void verify(const struct operation *op)
{
    size_t count = model(op), size = op->type->size;
    size_t good = op->type->compare(op->dest, expected, count);
    const char *where = op->dest >= &static_buffers[0][0][0] &&
                                op->dest < &static_buffers[0][0][0] + sizeof static_buffers
                            ? "static" : "heap";
    STRESS_CHECK(good == count,
                 "%s %d of %s, %zu elements, root %d, strides %d %d, in place %d, dest %s, team %s "
                 "rank %d of %d: element %zu of %zu is wrong", kind_names[op->kind], op->reduction,
                 op->type->name, op->count, op->root, op->dest_stride, op->source_stride,
                 op->in_place, where, op->team->kind, op->team->rank, op->team->size, good, count);
    for (size_t i = 0; i < GUARD; i++)
        STRESS_CHECK(op->dest[count * size + i] == SENTINEL,
                     "%s of %s, %zu elements: byte %zu past the end was written",
                     kind_names[op->kind], op->type->name, op->count, i);
}

static void run_batch(uint64_t round)
{
    struct operation batch[BATCH];
    for (int place = 0; place < BATCH; place++) {
        draw_operation(&batch[place], place, round * BATCH + (uint64_t)place);
        prepare(&batch[place]);
    }
    shmem_barrier_all();
    for (int place = 0; place < BATCH; place++) {
        struct operation *op = &batch[place];
        if (op->team->rank < 0)
            continue;
        STRESS_CHECK(carry_out(op) == 0, "%s failed", kind_names[op->kind]);
        if (!op->in_place && op->kind != SYNC)
            memset(op->source, 0x5a, source_count(op, op->team->rank) * op->type->size);
    }
    for (int place = 0; place < BATCH; place++)
        if (batch[place].team->rank >= 0)
            verify(&batch[place]);
    shmem_barrier_all();
}

static void collectives(void)
{
    for (int i = 0; i < 2 * BATCH; i++)
        heap_buffers[i / 2][i % 2] = stress_allocate(CAPACITY + GUARD);
    expected = malloc(CAPACITY + GUARD);
    operand = malloc(CAPACITY + GUARD);
    CHECK(expected && operand);
    for (stress.round = 0; stress.round < stress.rounds; stress.round++) {
        if (stress.round % 20 == 0) {
            for (int i = 0; i < TEAMS; i++) {
                if (stress.round > 0)
                    stress_team_destroy(&teams[i]);
                stress_team_create(&teams[i]);
            }
        }
        run_batch((uint64_t)stress.round);
    }
    for (int i = 0; i < TEAMS; i++)
        stress_team_destroy(&teams[i]);
    for (int i = 0; i < 2 * BATCH; i++)
        shmem_free(heap_buffers[i / 2][i % 2]);
    free(expected);
    free(operand);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "collectives", 1000, collectives);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets at random: plain, strided, blocked strided, single elements, nonblocking, with
 * signal; sizes, targets, contexts, teams drawn; heap and static data. Within a round the areas
 * written are disjoint, and gets read what the rounds before left. Every PE carries the model of
 * all PEs' memory and compares its own with it after each round.
 */
#include "stress.h"

#define STATIC   ((size_t)128 << 10) /* bytes of each area of a PE */
#define MOST_PART ((size_t)16 << 10)
#define OPS      6                  /* of each PE per round */
#define CONTEXTS 4

enum kind { PUTMEM, LONG_PUT, SHORT_IPUT, INT_IBPUT, LONG_P, PUTMEM_NBI, PUT_SIGNAL, PUT_SIGNAL_NBI,
            GETMEM, DOUBLE_GET, LONG_IGET, SHORT_IBGET, LONG_G, GETMEM_NBI, KINDS };
static const char *const names[] = {
    "putmem", "long_put", "short_iput", "int_ibput", "long_p", "putmem_nbi", "putmem_signal",
    "putmem_signal_nbi", "getmem", "double_get", "long_iget", "short_ibget", "long_g", "getmem_nbi"};

struct operation {
    enum kind kind;
    int target;             /* world */
    int context, shifted;   /* which context; whether the area of static data is used */
    size_t at, count;       /* elements, within the writer's part of the area */
    size_t stride, other_stride, block;
    uint64_t tag;
};

/* area[w * part ...] of each PE is written by PE w alone. */
static size_t part; /* bytes */
static unsigned char static_area[STATIC] __attribute__((aligned(16)));
static unsigned char *heap_area, *static_model, *heap_model; /* models: npes areas of npes parts */
static uint64_t signals[STRESS_MOST_PES][OPS];
static shmem_ctx_t contexts[CONTEXTS];
static shmem_team_t reversed;

static size_t whole(void)
{
    return (size_t)stress.npes * part;
}

static const size_t element_sizes[] = {1, 8, 2, 4, 8, 1, 1, 1, 1, 8, 8, 2, 8, 1};

static int is_single(enum kind kind)
{
    return kind == LONG_P || kind == LONG_G;
}

static int is_strided(enum kind kind)
{
    return kind == SHORT_IPUT || kind == INT_IBPUT || kind == LONG_IGET || kind == SHORT_IBGET;
}

/* Elements stay inside the writer's part: at + (count - 1) * stride + block <= part / size. */
static void draw_operation(struct operation *op, uint64_t tag)
{
    op->kind = (enum kind)draw(KINDS);
    op->target = (int)draw((uint64_t)stress.npes);
    op->context = (int)draw(CONTEXTS);
    op->shifted = (int)draw(2);
    op->stride = 1 + draw(5);
    op->other_stride = 1 + draw(5);
    op->block = 1 + draw(op->stride < op->other_stride ? op->stride : op->other_stride);
    op->tag = tag;
    size_t room = part / element_sizes[op->kind];
    op->count = is_single(op->kind) ? 1 : draw_size(is_strided(op->kind) ? room / 10 : room / 2);
    op->at = draw(room / 2);
}

static unsigned char byte_of(const struct operation *op, size_t i)
{
    return (unsigned char)mix(op->tag, i / 8, 5) >> (i % 8);
}

/* The part of memory, at pe, that writer may write: local address, or address in the model. */
static unsigned char *local_part(const struct operation *op, int writer)
{
    return (op->shifted ? static_area : heap_area) + (size_t)writer * part;
}

static unsigned char *model_part(const struct operation *op, int pe, int writer)
{
    return (op->shifted ? static_model : heap_model) + (size_t)pe * whole() + (size_t)writer * part;
}

/* PE number of op's target in the context it uses: the last context is of the reversed team. */
static int target_in_context(const struct operation *op)
{
    return op->context == CONTEXTS - 1 ? stress.npes - 1 - op->target : op->target;
}

/* The elements that op moves, one after the other: offset in bytes of element i on the remote
 * side (dest of a put, source of a get) and on the local side. */
static size_t elements(const struct operation *op)
{
    return op->kind == INT_IBPUT || op->kind == SHORT_IBGET ? op->count * op->block : op->count;
}

static size_t stepped(const struct operation *op, size_t i, size_t stride)
{
    size_t size = element_sizes[op->kind];
    if (op->kind == INT_IBPUT || op->kind == SHORT_IBGET)
        return (i / op->block * stride + i % op->block) * size;
    if (op->kind == SHORT_IPUT || op->kind == LONG_IGET)
        return i * stride * size;
    return i * size;
}

static void model_put(const struct operation *op, int writer)
{
    size_t size = element_sizes[op->kind];
    unsigned char *to = model_part(op, op->target, writer) + op->at * size;
    for (size_t i = 0; i < elements(op); i++)
        for (size_t k = 0; k < size; k++)
            to[stepped(op, i, op->stride) + k] = byte_of(op, i * size + k);
}

static unsigned char local[MOST_PART] __attribute__((aligned(16)));
static unsigned char nbi_local[OPS][MOST_PART] __attribute__((aligned(16)));

static void fill_local(const struct operation *op, unsigned char *at)
{
    size_t size = element_sizes[op->kind];
    for (size_t i = 0; i < elements(op); i++)
        for (size_t k = 0; k < size; k++)
            at[stepped(op, i, op->other_stride) + k] = byte_of(op, i * size + k);
}

static void put(const struct operation *op, int slot)
{
    shmem_ctx_t ctx = contexts[op->context];
    int pe = target_in_context(op);
    unsigned char *dest = local_part(op, stress.me) + op->at * element_sizes[op->kind];
    unsigned char *source = op->kind == PUTMEM_NBI || op->kind == PUT_SIGNAL_NBI ? nbi_local[slot]
                                                                                 : local;
    ptrdiff_t stride = (ptrdiff_t)op->stride, other = (ptrdiff_t)op->other_stride;
    uint64_t *signal = &signals[stress.me][slot];
    fill_local(op, source);
    switch (op->kind) {
    case PUTMEM: shmem_ctx_putmem(ctx, dest, source, op->count, pe); break;
    case LONG_PUT: shmem_ctx_long_put(ctx, (long *)dest, (long *)source, op->count, pe); break;
    case SHORT_IPUT:
        shmem_ctx_short_iput(ctx, (short *)dest, (short *)source, stride, other, op->count, pe);
        break;
    case INT_IBPUT:
        shmem_ctx_int_ibput(ctx, (int *)dest, (int *)source, stride, other, op->block, op->count, pe);
        break;
    case LONG_P: shmem_ctx_long_p(ctx, (long *)dest, *(long *)source, pe); break;
    case PUTMEM_NBI: shmem_ctx_putmem_nbi(ctx, dest, source, op->count, pe); break;
    case PUT_SIGNAL:
        shmem_ctx_putmem_signal(ctx, dest, source, op->count, signal, op->tag, SHMEM_SIGNAL_SET, pe);
        break;
    default:
        shmem_ctx_putmem_signal_nbi(ctx, dest, source, op->count, signal, op->tag, SHMEM_SIGNAL_ADD,
                                    pe);
    }
    if (source == local)
        memset(local, 0x77, sizeof local);
}

static void get(const struct operation *op, int slot, int writer)
{
    shmem_ctx_t ctx = contexts[op->context];
    int pe = target_in_context(op);
    size_t size = element_sizes[op->kind];
    unsigned char *source = local_part(op, writer) + op->at * size;
    unsigned char *dest = op->kind == GETMEM_NBI ? nbi_local[slot] : local;
    ptrdiff_t stride = (ptrdiff_t)op->stride, other = (ptrdiff_t)op->other_stride;
    switch (op->kind) {
    case GETMEM: shmem_ctx_getmem(ctx, dest, source, op->count, pe); break;
    case DOUBLE_GET:
        shmem_ctx_double_get(ctx, (double *)dest, (double *)source, op->count, pe);
        break;
    case LONG_IGET:
        shmem_ctx_long_iget(ctx, (long *)dest, (long *)source, other, stride, op->count, pe);
        break;
    case SHORT_IBGET:
        shmem_ctx_short_ibget(ctx, (short *)dest, (short *)source, other, stride, op->block,
                              op->count, pe);
        break;
    case LONG_G: *(long *)dest = shmem_ctx_long_g(ctx, (long *)source, pe); break;
    default:
        shmem_ctx_getmem_nbi(ctx, dest, source, op->count, pe);
        shmem_ctx_quiet(ctx);
    }
    const unsigned char *expected = model_part(op, op->target, writer) + op->at * size;
    for (size_t i = 0; i < elements(op); i++)
        for (size_t k = 0; k < size; k++)
            STRESS_CHECK(dest[stepped(op, i, op->other_stride) + k] ==
                             expected[stepped(op, i, op->stride) + k],
                         "%s of %zu elements at %zu, strides %zu %zu, block %zu, from PE %d: byte "
                         "%zu of element %zu is wrong", names[op->kind], op->count, op->at,
                         op->stride, op->other_stride, op->block, op->target, k, i);
}

static void check_area(const unsigned char *area, const unsigned char *model, const char *what)
{
    const unsigned char *mine = model + (size_t)stress.me * whole();
    if (memcmp(area, mine, whole()) == 0)
        return;
    size_t at = 0;
    while (area[at] == mine[at])
        at++;
    stress_fail(__FILE__, __LINE__, "%s: byte %zu, written by PE %zu: %#x, expected %#x", what,
                at % part, at / part, area[at], mine[at]);
}

/* A signal of this round that names me comes after its data. */
static void await_signal(const struct operation *op, int writer, int slot, uint64_t *expected)
{
    *expected = op->kind == PUT_SIGNAL ? op->tag : *expected + op->tag;
    STRESS_CHECK(shmem_signal_wait_until(&signals[writer][slot], SHMEM_CMP_EQ, *expected) ==
                     *expected, "signal of PE %d", writer);
    const unsigned char *model = model_part(op, stress.me, writer), *mine = local_part(op, writer);
    for (size_t i = 0; i < op->count; i++)
        STRESS_CHECK(mine[op->at + i] == model[op->at + i],
                     "data of a signal from PE %d: byte %zu is not there yet", writer, i);
}

/* What every PE does in one round; kept says which operations count. */
struct round {
    struct operation ops[STRESS_MOST_PES][OPS];
    int kept[STRESS_MOST_PES][OPS];
    int reading, owner; /* a round of gets: of the part that owner writes */
};

/* Two puts of one PE in one round could overlap without order: only the last one of each target
 * and area counts, the others are left out. */
static int is_overtaken(const struct operation *ops, const int *kept, int slot)
{
    for (int later = slot + 1; later < OPS; later++)
        if (kept[later] && ops[later].target == ops[slot].target &&
            ops[later].shifted == ops[slot].shifted)
            return 1;
    return 0;
}

static void draw_round(struct round *round)
{
    round->reading = stress.round % 2;
    round->owner = (int)draw((uint64_t)stress.npes);
    for (int pe = 0; pe < stress.npes; pe++) {
        struct operation *ops = round->ops[pe];
        int *kept = round->kept[pe];
        for (int slot = 0; slot < OPS; slot++) {
            draw_operation(&ops[slot], (uint64_t)(stress.round * 1000 + pe * OPS + slot + 1));
            kept[slot] = (ops[slot].kind >= GETMEM) == round->reading;
        }
        for (int slot = 0; slot < OPS && !round->reading; slot++) {
            kept[slot] = kept[slot] && !is_overtaken(ops, kept, slot);
            if (kept[slot])
                model_put(&ops[slot], pe);
        }
    }
}

static void await_signals(const struct round *round, uint64_t expected[STRESS_MOST_PES][OPS])
{
    for (int pe = 0; pe < stress.npes; pe++)
        for (int slot = 0; slot < OPS; slot++) {
            const struct operation *op = &round->ops[pe][slot];
            if (round->kept[pe][slot] && op->target == stress.me &&
                (op->kind == PUT_SIGNAL || op->kind == PUT_SIGNAL_NBI))
                await_signal(op, pe, slot, &expected[pe][slot]);
        }
}

static void run_round(uint64_t expected_signals[STRESS_MOST_PES][OPS])
{
    static struct round round;
    draw_round(&round);
    for (int slot = 0; slot < OPS; slot++) {
        const struct operation *op = &round.ops[stress.me][slot];
        if (round.kept[stress.me][slot] && round.reading)
            get(op, slot, round.owner);
        else if (round.kept[stress.me][slot])
            put(op, slot);
    }
    await_signals(&round, expected_signals);
    for (int i = 1; i < CONTEXTS; i++)
        shmem_ctx_quiet(contexts[i]);
    shmem_barrier_all();
    check_area(static_area, static_model, "static data");
    check_area(heap_area, heap_model, "heap");
    shmem_barrier_all();
}

static void create_contexts(void)
{
    contexts[0] = SHMEM_CTX_DEFAULT;
    STRESS_CHECK(shmem_ctx_create(0, &contexts[1]) == 0, "ctx_create");
    STRESS_CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE, &contexts[2]) == 0,
                 "ctx_create");
    STRESS_CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, stress.npes - 1, -1, stress.npes, NULL,
                                          0, &reversed) == 0, "split");
    STRESS_CHECK(shmem_team_create_ctx(reversed, SHMEM_CTX_SERIALIZED, &contexts[3]) == 0,
                 "team_create_ctx");
}

static void rma(void)
{
    uint64_t expected_signals[STRESS_MOST_PES][OPS] = {{0}};
    part = STATIC / (size_t)stress.npes / 16 * 16;
    if (part > MOST_PART)
        part = MOST_PART;
    create_contexts();
    memset(static_area, 0, sizeof static_area);
    memset(signals, 0, sizeof signals);
    heap_area = stress_allocate(whole());
    static_model = calloc((size_t)stress.npes, whole());
    heap_model = calloc((size_t)stress.npes, whole());
    CHECK(static_model && heap_model);
    shmem_barrier_all();
    for (stress.round = 0; stress.round < stress.rounds; stress.round++)
        run_round(expected_signals);
    for (int i = 1; i < CONTEXTS; i++)
        shmem_ctx_destroy(contexts[i]);
    shmem_team_destroy(reversed);
    shmem_free(heap_area);
    free(static_model);
    free(heap_model);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "rma", 1600, rma);
}

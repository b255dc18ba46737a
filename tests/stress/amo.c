/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics of all PEs on the same cells at once. What can be said whatever the order: sums, and
 * bits set or flipped, come out exactly; values fetched by a fetch-and-add of ones are all
 * different; what swaps fetch, with what is left at the end, is what they stored; a
 * compare-and-swap loop loses no increment. Cells lie on the heap and in static data of any PE.
 */
#include "stress.h"

#define CELLS 8
#define STEPS 500/* operations of each PE per round and cell */

enum law { ADD, FETCH_ADD, FLIP, SET_BITS, CLEAR_BITS, SWAP, COMPARE_SWAP, LAWS };
static const char *const names[] = {"add", "fetch_add", "xor", "or", "and", "swap", "compare_swap"};

/* All integer types of a kind are written once: X(name, C type, whether bitwise routines are). */
#define TYPES(X)                                                                                   \
    X(int, int, 0) X(long, long, 0) X(longlong, long long, 0) X(uint, unsigned int, 1)             \
    X(ulong, unsigned long, 1) X(ulonglong, unsigned long long, 1) X(int32, int32_t, 1)            \
    X(int64, int64_t, 1) X(uint32, uint32_t, 1) X(uint64, uint64_t, 1) X(size, size_t, 0)          \
    X(ptrdiff, ptrdiff_t, 0)

/* The routines of one type, with all values as 64 bits. */
struct routines {
    const char *name;
    int bitwise;
    unsigned bits;
    void (*add)(shmem_ctx_t, void *, uint64_t, int);
    void (*inc)(shmem_ctx_t, void *, int);
    uint64_t (*fetch_add)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*fetch_inc)(shmem_ctx_t, void *, int);
    uint64_t (*fetch)(shmem_ctx_t, void *, int);
    void (*set)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*swap)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*compare_swap)(shmem_ctx_t, void *, uint64_t, uint64_t, int);
    void (*and)(shmem_ctx_t, void *, uint64_t, int);
    void (*or)(shmem_ctx_t, void *, uint64_t, int);
    void (*xor)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*fetch_and)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*fetch_or)(shmem_ctx_t, void *, uint64_t, int);
    uint64_t (*fetch_xor)(shmem_ctx_t, void *, uint64_t, int);
};

#define NO_RESULT(NAME, T, OP)                                                                     \
    static void NAME##_##OP(shmem_ctx_t ctx, void *cell, uint64_t value, int pe)                   \
    {                                                                                              \
        shmem_ctx_##NAME##_atomic_##OP(ctx, (T *)cell, (T)value, pe);                              \
    }
#define RESULT(NAME, T, OP)                                                                        \
    static uint64_t NAME##_##OP(shmem_ctx_t ctx, void *cell, uint64_t value, int pe)               \
    {                                                                                              \
        return (uint64_t)shmem_ctx_##NAME##_atomic_##OP(ctx, (T *)cell, (T)value, pe);             \
    }
#define DEFINE_COMMON(NAME, T)                                                                     \
    NO_RESULT(NAME, T, add) NO_RESULT(NAME, T, set)                                                \
    RESULT(NAME, T, fetch_add) RESULT(NAME, T, swap)                                               \
    static void NAME##_inc(shmem_ctx_t ctx, void *cell, int pe)                                    \
    {                                                                                              \
        shmem_ctx_##NAME##_atomic_inc(ctx, (T *)cell, pe);                                         \
    }                                                                                              \
    static uint64_t NAME##_fetch_inc(shmem_ctx_t ctx, void *cell, int pe)                          \
    {                                                                                              \
        return (uint64_t)shmem_ctx_##NAME##_atomic_fetch_inc(ctx, (T *)cell, pe);                  \
    }                                                                                              \
    static uint64_t NAME##_fetch(shmem_ctx_t ctx, void *cell, int pe)                              \
    {                                                                                              \
        return (uint64_t)shmem_ctx_##NAME##_atomic_fetch(ctx, (const T *)cell, pe);                \
    }                                                                                              \
    static uint64_t NAME##_compare_swap(shmem_ctx_t ctx, void *cell, uint64_t old, uint64_t value, \
                                        int pe)                                                    \
    {                                                                                              \
        return (uint64_t)shmem_ctx_##NAME##_atomic_compare_swap(ctx, (T *)cell, (T)old, (T)value,  \
                                                                pe);                               \
    }
#define DEFINE_BITS_0(NAME, T)
#define DEFINE_BITS_1(NAME, T)                                                                     \
    NO_RESULT(NAME, T, and) NO_RESULT(NAME, T, or) NO_RESULT(NAME, T, xor)                         \
    RESULT(NAME, T, fetch_and) RESULT(NAME, T, fetch_or) RESULT(NAME, T, fetch_xor)
#define DEFINE(NAME, T, BITWISE) DEFINE_COMMON(NAME, T) DEFINE_BITS_##BITWISE(NAME, T)
TYPES(DEFINE)

#define BITS_ROW_0(NAME)
#define BITS_ROW_1(NAME)                                                                           \
    .and = NAME##_and, .or = NAME##_or, .xor = NAME##_xor, .fetch_and = NAME##_fetch_and,          \
    .fetch_or = NAME##_fetch_or, .fetch_xor = NAME##_fetch_xor,
#define ROW(NAME, T, BITWISE)                                                                      \
    {.name = #NAME, .bitwise = BITWISE, .bits = 8 * sizeof(T), .add = NAME##_add,                  \
     .inc = NAME##_inc, .fetch_add = NAME##_fetch_add, .fetch_inc = NAME##_fetch_inc,              \
     .fetch = NAME##_fetch, .set = NAME##_set, .swap = NAME##_swap,                                \
     .compare_swap = NAME##_compare_swap, BITS_ROW_##BITWISE(NAME)},
static const struct routines table[] = {TYPES(ROW)};
enum { ROUTINES = sizeof table / sizeof *table };

struct cell {
    const struct routines *type;
    enum law law;
    int owner;         /* the PE that holds it */
    void *address;
    uint64_t start;
};

static uint64_t static_cells[CELLS];
static uint64_t *heap_cells;
static uint64_t fetched[CELLS][STEPS];   /* by this PE */
static uint64_t *all_fetched;            /* of all PEs, on each */
static shmem_ctx_t contexts[2];

static uint64_t cut(const struct routines *type, uint64_t value)
{
    return type->bits == 32 ? (uint32_t)value : value;
}

static uint64_t first_value(enum law law)
{
    switch (law) {
    case CLEAR_BITS: return ~UINT64_C(0);
    case SET_BITS: return 0;
    case SWAP: return 1 << 30; /* none of the values that are swapped in */
    case ADD:
    case FLIP: return draw(UINT64_MAX);
    default: return 1000;
    }
}

static void draw_cell(struct cell *cell, int index)
{
    cell->type = &table[draw(ROUTINES)];
    do
        cell->law = (enum law)draw(LAWS);
    while (!cell->type->bitwise && cell->law >= FLIP && cell->law <= CLEAR_BITS);
    cell->owner = (int)draw((uint64_t)stress.npes);
    cell->address = draw(2) ? &static_cells[index] : &heap_cells[index];
    cell->start = cut(cell->type, first_value(cell->law));
    if (stress.me == cell->owner)
        cell->type->set(SHMEM_CTX_DEFAULT, cell->address, cell->start, cell->owner);
}

/* What PE pe gives to step of cell. Swapped values are all different from each other. */
static uint64_t argument(const struct cell *cell, int index, int pe, int step)
{
    uint64_t value = mix((uint64_t)stress.round, (uint64_t)(pe * CELLS + index), (uint64_t)step);
    uint64_t single = UINT64_C(1) << value % cell->type->bits;
    switch (cell->law) {
    case SWAP: return (uint64_t)(pe * STEPS + step + 1);
    case SET_BITS: return single;
    case CLEAR_BITS: return cut(cell->type, ~single);
    case ADD: return cell->type->bits == 32 ? value % 1000 : value % (UINT64_C(1) << 40);
    default: return cut(cell->type, value);
    }
}

static uint64_t increment_by_compare_swap(const struct cell *cell, shmem_ctx_t ctx)
{
    uint64_t seen = cut(cell->type, cell->type->fetch(ctx, cell->address, cell->owner));
    for (;;) {
        uint64_t old = cut(cell->type, cell->type->compare_swap(ctx, cell->address, seen, seen + 1,
                                                                cell->owner));
        if (old == seen)
            return old;
        seen = old;
    }
}

static void step_cell(const struct cell *cell, int index, int step)
{
    const struct routines *type = cell->type;
    shmem_ctx_t ctx = contexts[step % 2];
    uint64_t value = argument(cell, index, stress.me, step), old = 0;
    int fetching = mix(value, (uint64_t)step, 3) % 2;
    switch (cell->law) {
    case ADD:
        if (fetching)
            type->fetch_add(ctx, cell->address, value, cell->owner);
        else
            type->add(ctx, cell->address, value, cell->owner);
        break;
    case FETCH_ADD:
        old = fetching ? type->fetch_add(ctx, cell->address, 1, cell->owner)
                       : type->fetch_inc(ctx, cell->address, cell->owner);
        break;
    case FLIP: (fetching ? (void)type->fetch_xor(ctx, cell->address, value, cell->owner)
                         : type->xor(ctx, cell->address, value, cell->owner)); break;
    case SET_BITS: (fetching ? (void)type->fetch_or(ctx, cell->address, value, cell->owner)
                             : type->or(ctx, cell->address, value, cell->owner)); break;
    case CLEAR_BITS: (fetching ? (void)type->fetch_and(ctx, cell->address, value, cell->owner)
                               : type->and(ctx, cell->address, value, cell->owner)); break;
    case SWAP: old = type->swap(ctx, cell->address, value, cell->owner); break;
    default: old = increment_by_compare_swap(cell, ctx);
    }
    fetched[index][step] = cut(type, old);
}

/* The final value where it does not depend on the order. */
static uint64_t model(const struct cell *cell, int index)
{
    uint64_t value = cell->start;
    for (int pe = 0; pe < stress.npes; pe++)
        for (int step = 0; step < STEPS; step++) {
            uint64_t operand = argument(cell, index, pe, step);
            switch (cell->law) {
            case ADD: value += operand; break;
            case FLIP: value ^= operand; break;
            case SET_BITS: value |= operand; break;
            case CLEAR_BITS: value &= operand; break;
            default: value++;
            }
        }
    return cut(cell->type, value);
}

/* Everything fetched and the value left are, in some order, first and the rest of the values that
 * went in: each once. */
static void check_each_once(const struct cell *cell, int index, uint64_t final)
{
    size_t total = (size_t)stress.npes * STEPS;
    unsigned char *seen = calloc(total + 1, 1);
    CHECK(seen != NULL);
    for (size_t i = 0; i <= total; i++) {
        size_t pe = i / STEPS;
        uint64_t value = i < total ? all_fetched[(pe * CELLS + (size_t)index) * STEPS + i % STEPS]
                                   : final;
        uint64_t place = cell->law == SWAP ? (value == cell->start ? 0 : value)
                                           : value - cell->start;
        STRESS_CHECK(place <= total && !seen[place],
                     "%s of %s, cell %d of PE %d: value %#llx is fetched twice or was never stored",
                     names[cell->law], cell->type->name, index, cell->owner,
                     (unsigned long long)value);
        seen[place] = 1;
    }
    free(seen);
}

static void check_cell(const struct cell *cell, int index)
{
    uint64_t final = cut(cell->type, cell->type->fetch(SHMEM_CTX_DEFAULT, cell->address, cell->owner));
    if (cell->law != SWAP)
        STRESS_CHECK(final == model(cell, index), "%s of %s, cell %d of PE %d: %#llx, expected %#llx",
                     names[cell->law], cell->type->name, index, cell->owner,
                     (unsigned long long)final, (unsigned long long)model(cell, index));
    if (cell->law == SWAP || cell->law == FETCH_ADD || cell->law == COMPARE_SWAP)
        check_each_once(cell, index, final);
}

static void run_round(void)
{
    struct cell cells[CELLS];
    for (int i = 0; i < CELLS; i++)
        draw_cell(&cells[i], i);
    shmem_barrier_all();
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < CELLS; i++)
            step_cell(&cells[i], i, step);
    shmem_ctx_quiet(contexts[1]);
    for (int pe = 0; pe < stress.npes; pe++)
        shmem_putmem(all_fetched + (size_t)stress.me * CELLS * STEPS, fetched, sizeof fetched, pe);
    shmem_barrier_all();
    for (int i = 0; i < CELLS; i++)
        check_cell(&cells[i], i);
    shmem_barrier_all();
}

static void amo(void)
{
    contexts[0] = SHMEM_CTX_DEFAULT;
    STRESS_CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &contexts[1]) == 0, "ctx_create");
    heap_cells = stress_allocate(CELLS * sizeof *heap_cells);
    all_fetched = stress_allocate((size_t)stress.npes * sizeof fetched);
    for (stress.round = 0; stress.round < stress.rounds; stress.round++)
        run_round();
    shmem_ctx_destroy(contexts[1]);
    shmem_free(all_fetched);
    shmem_free(heap_cells);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "amo", 250, amo);
}

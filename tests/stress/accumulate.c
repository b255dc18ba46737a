/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates of all PEs on the same numbers at once, of one type per area, contiguous and strided,
 * blocking, with a handle and with quiet alone, over teams' contexts; between them strided and vector
 * puts into areas of their own, which accumulates must not touch. Terms are small whole numbers, so
 * that sums are exact: none may be lost, and none added twice.
 */
#include "stress.h"

#include <shmemx.h>

#include <complex.h>

#define CELLS 96 /* numbers of an area; 16-byte ones may lie across cache lines */
#define STEPS 2000 /* of each PE per round: PEs on few processors must meet at a number */

enum { INT, LONG, FLOAT, DOUBLE, COMPLEXF, COMPLEXD, TYPES };
static const char *const names[] = {"int", "long", "float", "double", "complexf", "complexd"};

/* An area per type on every PE, shifted by half a complex number in some rounds. */
static struct areas {
    int ints[CELLS];
    long longs[CELLS];
    float floats[CELLS + 1];
    double doubles[CELLS + 1];
    float complexf[2 * CELLS + 1];
    double complexd[2 * CELLS + 1];
    long puts[STRESS_MOST_PES][CELLS]; /* of one writer each */
} static_areas, *heap_areas, *areas;

/* What must be there: by the schedule, real and imaginary part. */
static double _Complex model[TYPES][CELLS];
static long put_model[STRESS_MOST_PES][CELLS];

static struct stress_team teams[2];
static shmem_ctx_t contexts[2];
static size_t shift; /* of the complex areas, in parts */

/* A step of PE pe, which every PE can compute. */
struct step {
    int type, root, strided, way;
    size_t first, count, apart;
    int alpha, alpha_imaginary;
};

static struct step step_of(int pe, int index)
{
    uint64_t state = mix((uint64_t)stress.round, (uint64_t)pe, (uint64_t)index);
    struct step step = {.type = (int)test_random_below(&state, TYPES),
                        .root = (int)test_random_below(&state, (uint64_t)stress.npes),
                        .strided = (int)test_random_below(&state, 2),
                        .way = (int)test_random_below(&state, 3),
                        .first = (size_t)test_random_below(&state, CELLS),
                        .apart = 1 + (size_t)test_random_below(&state, 4),
                        .alpha = (int)test_random_below(&state, 5) - 2,
                        .alpha_imaginary = (int)test_random_below(&state, 3) - 1};
    if (test_random_below(&state, 2)) /* most meet at a few numbers */
        step.first %= 4;
    if (stress.round % 3 != 0) { /* all at one type of one PE */
        step.type = (int)(stress.round / 3 % TYPES);
        step.root = (int)(stress.round % stress.npes);
    }
    step.count = (size_t)test_random_below(&state, (CELLS - step.first) / step.apart + 1);
    return step;
}

static int term(int pe, int index, size_t i)
{
    return (pe * 7 + index * 3 + (int)i) % 9 - 4;
}

static void add_to_model(int pe, int index)
{
    struct step step = step_of(pe, index);
    int is_complex = step.type >= COMPLEXF;
    double _Complex alpha = step.alpha + (is_complex ? step.alpha_imaginary * _Complex_I : 0);
    size_t apart = step.strided ? step.apart : 1;
    for (size_t i = 0; i < step.count && step.root == stress.me; i++) {
        double _Complex value = term(pe, index, i);
        if (is_complex)
            value += term(pe, index, i + 1) * _Complex_I;
        model[step.type][step.first + i * apart] += alpha * value;
    }
}

/* One call of a type; ctx numbers its PEs as the world does. */
#define ADD(NAME, TYPE, MAKE, AREA, ALPHA)                                                         \
    do {                                                                                           \
        TYPE source[CELLS + 1], *dest = (TYPE *)(AREA) + step->first;                              \
        const ptrdiff_t to[] = {(ptrdiff_t)(step->apart * sizeof(TYPE))}, from[] = {sizeof(TYPE)}; \
        const size_t counts[] = {sizeof(TYPE), step->count};                                       \
        for (size_t i = 0; i < step->count; i++)                                                   \
            source[i] = MAKE;                                                                      \
        if (step->way == 0 && step->strided)                                                       \
            shmemx_ctx_##NAME##_accumulate_strided(ctx, dest, source, ALPHA, to, from, counts, 2,  \
                                                   pe);                                            \
        else if (step->way == 0)                                                                   \
            shmemx_ctx_##NAME##_accumulate(ctx, dest, source, ALPHA, step->count, pe);             \
        else if (step->strided)                                                                    \
            shmemx_ctx_##NAME##_accumulate_strided_nb(ctx, dest, source, ALPHA, to, from, counts,  \
                                                      2, pe, &handle);                             \
        else                                                                                       \
            shmemx_ctx_##NAME##_accumulate_nb(ctx, dest, source, ALPHA, step->count, pe,           \
                                              step->way == 1 ? &handle : NULL);                    \
        if (step->way == 2)                                                                        \
            shmem_ctx_quiet(ctx);                                                                  \
        shmemx_wait(&handle);                                                                      \
    } while (0)

static void add(const struct step *step, int index, shmem_ctx_t ctx, int pe)
{
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    const int me = stress.me;
    switch (step->type) {
    case INT: ADD(int, int, term(me, index, i), areas->ints, step->alpha); break;
    case LONG: ADD(long, long, term(me, index, i), areas->longs, step->alpha); break;
    case FLOAT: ADD(float, float, (float)term(me, index, i), areas->floats, (float)step->alpha); break;
    case DOUBLE: ADD(double, double, term(me, index, i), areas->doubles, step->alpha); break;
    case COMPLEXF:
        ADD(complexf, float _Complex,
            (float)term(me, index, i) + (float)term(me, index, i + 1) * _Complex_I,
            areas->complexf + shift, (float)step->alpha + (float)step->alpha_imaginary * _Complex_I);
        break;
    default:
        ADD(complexd, double _Complex, term(me, index, i) + term(me, index, i + 1) * _Complex_I,
            areas->complexd + shift, step->alpha + step->alpha_imaginary * _Complex_I);
    }
}

/* Every second number of this PE's own row, on PE pe of the world. */
static void put_row(int pe, long value)
{
    long source[CELLS / 2];
    void *dests[CELLS / 2];
    const void *sources[CELLS / 2];
    const shmemx_vector_t vector = {dests, sources, CELLS / 2, sizeof(long)};
    const ptrdiff_t to[] = {2 * sizeof(long)}, from[] = {sizeof(long)};
    const size_t counts[] = {sizeof(long), CELLS / 2};
    size_t odd = (size_t)value % 2;
    for (size_t i = 0; i < CELLS / 2; i++) {
        source[i] = value + (long)i;
        dests[i] = &areas->puts[stress.me][2 * i + odd];
        sources[i] = &source[i];
    }
    if (value % 3)
        shmemx_putmem_strided(&areas->puts[stress.me][odd], source, to, from, counts, 2, pe);
    else
        shmemx_putmem_vector(&vector, 1, pe);
    shmem_fence();
}

static long put_value(int pe, int index)
{
    return (long)(mix((uint64_t)stress.round, (uint64_t)pe, (uint64_t)index + 1000) % 1000000);
}

static void run_steps(void)
{
    for (int index = 0; index < STEPS; index++) {
        struct step step = step_of(stress.me, index);
        const struct stress_team *team = &teams[index % 2];
        int pe = -1;
        for (int i = 0; i < team->size && team->rank >= 0; i++)
            if (team->pes[i] == step.root)
                pe = i;
        if (pe >= 0)
            add(&step, index, contexts[index % 2], pe);
        else
            add(&step, index, SHMEM_CTX_DEFAULT, step.root);
        if (index % 10 == 0)
            put_row(step.root, put_value(stress.me, index));
    }
}

static void make_model(void)
{
    memset(model, 0, sizeof model);
    memset(put_model, 0, sizeof put_model);
    for (int pe = 0; pe < stress.npes; pe++)
        for (int index = 0; index < STEPS; index++) {
            long value = put_value(pe, index);
            add_to_model(pe, index);
            for (size_t i = 0; i < CELLS / 2 && index % 10 == 0; i++)
                if (step_of(pe, index).root == stress.me)
                    put_model[pe][2 * i + (size_t)value % 2] = value + (long)i;
        }
}

static double _Complex found(int type, size_t i)
{
    switch (type) {
    case INT: return areas->ints[i];
    case LONG: return (double)areas->longs[i];
    case FLOAT: return areas->floats[i];
    case DOUBLE: return areas->doubles[i];
    case COMPLEXF: return areas->complexf[shift + 2 * i] + areas->complexf[shift + 2 * i + 1] * _Complex_I;
    default: return areas->complexd[shift + 2 * i] + areas->complexd[shift + 2 * i + 1] * _Complex_I;
    }
}

static void check_all(void)
{
    for (int type = 0; type < TYPES; type++)
        for (size_t i = 0; i < CELLS; i++) {
            double _Complex is = found(type, i), wanted = model[type][i];
            STRESS_CHECK(is == wanted, "%s %zu is %g + %gi, expected %g + %gi", names[type], i,
                         creal(is), cimag(is), creal(wanted), cimag(wanted));
        }
    for (int pe = 0; pe < stress.npes; pe++)
        for (size_t i = 0; i < CELLS; i++)
            STRESS_CHECK(areas->puts[pe][i] == put_model[pe][i], "number %zu of PE %d is %ld, not %ld",
                         i, pe, areas->puts[pe][i], put_model[pe][i]);
}

static void run_round(void)
{
    stress_team_world(&teams[0]);
    stress_team_create(&teams[1]);
    for (int i = 0; i < 2; i++)
        STRESS_CHECK(teams[i].rank < 0 || shmem_team_create_ctx(teams[i].handle, i ? 0 : SHMEM_CTX_PRIVATE,
                                                                &contexts[i]) == 0, "a context");
    areas = draw(2) ? &static_areas : heap_areas;
    shift = draw(2);
    memset(areas, 0, sizeof *areas);
    shmem_barrier_all();
    run_steps();
    for (int i = 0; i < 2; i++)
        if (teams[i].rank >= 0)
            shmem_ctx_destroy(contexts[i]);
    shmem_barrier_all();
    make_model();
    check_all();
    stress_team_destroy(&teams[1]);
    shmem_barrier_all();
}

static void accumulate(void)
{
    /* Between nodes a step takes a hundred times as long. */
    long rounds = shmem_team_n_pes(SHMEM_TEAM_SHARED) == stress.npes ? stress.rounds
                                                                     : (stress.rounds + 9) / 10;
    heap_areas = stress_allocate(sizeof *heap_areas);
    for (stress.round = 0; stress.round < rounds; stress.round++)
        run_round();
    shmem_free(heap_areas);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "accumulate", 80, accumulate);
}

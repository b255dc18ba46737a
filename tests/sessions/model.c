/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random small and large operations on contexts in a session, compared with what a model of one PE's own
 * stretch of every other PE's memory predicts: a batch does one origin's operations on one PE in the
 * order of the calls, whatever else comes between, and a quiet completes them. Contexts of all kinds,
 * teams that count backwards, pools of a few buffers and of many, sessions that stop and start anew.
 * Arguments: [seed [rounds]].
 */
#include "check.h"

#include <shmemx.h>
#include <string.h>

enum { WORDS = 700, MOST_PES = 64, STEPS = 400, MOST_LARGE = 600 };

static uint64_t in_data[MOST_PES][WORDS]; /* of PE i: written by PE i alone */
static uint64_t (*in_heap)[WORDS];
static uint64_t mirror[2][MOST_PES][WORDS];
static uint64_t state;
static int me, npes;

/* What nonblocking operations will have brought by the next quiet. */
enum { MOST_RESULTS = STEPS + 8 };
static struct {
    uint64_t got[4], expected[4];
    size_t words;
} results[MOST_RESULTS];
static int pending;

/* Sources of nonblocking puts stay as they are until the next quiet. */
static uint64_t sources[STEPS][MOST_LARGE];

struct place {
    uint64_t *object, *model;
    int pe; /* in the context's team */
    size_t room;
};

static uint64_t draw(uint64_t limit)
{
    return test_random_below(&state, limit);
}

static struct place draw_place(int backwards)
{
    int world = (int)draw((uint64_t)npes), segment = (int)draw(2);
    size_t at = draw(WORDS);
    return (struct place){segment ? &in_heap[me][at] : &in_data[me][at], &mirror[segment][world][at],
                          backwards ? npes - 1 - world : world, WORDS - at};
}

static void check_results(void)
{
    for (int i = 0; i < pending; i++)
        for (size_t k = 0; k < results[i].words; k++)
            CHECK_EQ(results[i].got[k], results[i].expected[k]);
    pending = 0;
}

static size_t draw_words(const struct place *place, size_t most)
{
    size_t words = 1 + draw(most);
    return words < place->room ? words : place->room;
}

static void put(shmem_ctx_t ctx, const struct place *place, uint64_t *source, int nbi)
{
    size_t words = draw_words(place, draw(8) ? 6 : MOST_LARGE);
    for (size_t i = 0; i < words; i++)
        place->model[i] = source[i] = test_random(&state);
    if (nbi) {
        shmem_ctx_uint64_put_nbi(ctx, place->object, source, words, place->pe);
        return;
    }
    shmem_ctx_uint64_put(ctx, place->object, source, words, place->pe);
    memset(source, 0x5a, words * sizeof *source);
}

/* Bytes that start and end anywhere. */
static void put_bytes(shmem_ctx_t ctx, const struct place *place, unsigned char *source)
{
    size_t skip = draw(8), bytes = 1 + draw(40);
    if (skip + bytes > place->room * 8)
        return;
    for (size_t i = 0; i < bytes; i++)
        source[i] = (unsigned char)draw(256);
    memcpy((char *)place->model + skip, source, bytes);
    shmem_ctx_putmem(ctx, (char *)place->object + skip, source, bytes, place->pe);
    memset(source, 0x5a, bytes);
}

static void get_nbi(shmem_ctx_t ctx, const struct place *place)
{
    size_t words = draw_words(place, 4);
    results[pending].words = words;
    memcpy(results[pending].expected, place->model, words * 8);
    shmem_ctx_uint64_get_nbi(ctx, results[pending++].got, place->object, words, place->pe);
}

static void get(shmem_ctx_t ctx, const struct place *place)
{
    uint64_t got[8];
    size_t words = draw_words(place, 8);
    shmem_ctx_uint64_get(ctx, got, place->object, words, place->pe);
    CHECK(memcmp(got, place->model, words * 8) == 0);
}

static void atomic(shmem_ctx_t ctx, const struct place *place, uint64_t value)
{
    uint64_t *model = place->model, *object = place->object;
    uint32_t *half = (uint32_t *)object + value % 2, *half_model = (uint32_t *)model + value % 2;
    switch (draw(9)) {
    case 0: *model += value, shmem_ctx_uint64_atomic_add(ctx, object, value, place->pe); break;
    case 1: *model += 1, shmem_ctx_uint64_atomic_inc(ctx, object, place->pe); break;
    case 2: *model = value, shmem_ctx_uint64_atomic_set(ctx, object, value, place->pe); break;
    case 3: *model &= value, shmem_ctx_uint64_atomic_and(ctx, object, value, place->pe); break;
    case 4: *model |= value, shmem_ctx_uint64_atomic_or(ctx, object, value, place->pe); break;
    case 5: *model ^= value, shmem_ctx_uint64_atomic_xor(ctx, object, value, place->pe); break;
    case 6: *half_model += 1, shmem_ctx_uint32_atomic_inc(ctx, half, place->pe); break;
    case 7:
        *half_model += (uint32_t)value;
        shmem_ctx_uint32_atomic_add(ctx, half, (uint32_t)value, place->pe);
        break;
    default:
        *half_model ^= (uint32_t)value;
        shmem_ctx_uint32_atomic_xor(ctx, half, (uint32_t)value, place->pe);
    }
}

static void fetch_nbi(shmem_ctx_t ctx, const struct place *place, uint64_t value)
{
    uint64_t *model = place->model, *object = place->object, *got = results[pending].got;
    uint64_t cond = draw(2) ? *model : value;
    results[pending].words = 1;
    results[pending++].expected[0] = *model;
    switch (draw(6)) {
    case 0: shmem_ctx_uint64_atomic_fetch_nbi(ctx, got, object, place->pe); break;
    case 1:
        *model += value;
        shmem_ctx_uint64_atomic_fetch_add_nbi(ctx, got, object, value, place->pe);
        break;
    case 2:
        *model += 1;
        shmem_ctx_uint64_atomic_fetch_inc_nbi(ctx, got, object, place->pe);
        break;
    case 3:
        *model ^= value;
        shmem_ctx_uint64_atomic_fetch_xor_nbi(ctx, got, object, value, place->pe);
        break;
    case 4:
        *model = value;
        shmem_ctx_uint64_atomic_swap_nbi(ctx, got, object, value, place->pe);
        break;
    default:
        *model = *model == cond ? value : *model;
        shmem_ctx_uint64_atomic_compare_swap_nbi(ctx, got, object, cond, value, place->pe);
    }
}

/* A half, so that a result of 4 bytes goes to its place and no further. */
static void fetch_half_nbi(shmem_ctx_t ctx, const struct place *place, uint32_t value)
{
    uint32_t *half = (uint32_t *)place->model;
    results[pending].words = 1;
    results[pending].got[0] = UINT64_MAX;
    results[pending].expected[0] = UINT64_MAX << 32 | *half;
    *half += value;
    shmem_ctx_uint32_atomic_fetch_add_nbi(ctx, (uint32_t *)results[pending++].got,
                                          (uint32_t *)place->object, value, place->pe);
}

static void fetch(shmem_ctx_t ctx, const struct place *place, uint64_t value)
{
    CHECK_EQ(shmem_ctx_uint64_atomic_fetch_add(ctx, place->object, value, place->pe), *place->model);
    *place->model += value;
}

static void put_signal(shmem_ctx_t ctx, const struct place *place, uint64_t *source)
{
    const struct place flag = {place->object + place->room - 1, place->model + place->room - 1, 0, 1};
    size_t words = draw(4);
    if (words + 1 > place->room)
        return;
    for (size_t i = 0; i < words; i++)
        place->model[i] = source[i] = test_random(&state);
    *flag.model = draw(2) ? words : *flag.model + words;
    if (*flag.model == words)
        shmem_ctx_uint64_put_signal_nbi(ctx, place->object, source, words, flag.object, words,
                                        SHMEM_SIGNAL_SET, place->pe);
    else
        shmem_ctx_uint64_put_signal(ctx, place->object, source, words, flag.object, words,
                                    SHMEM_SIGNAL_ADD, place->pe);
}

static void strided(shmem_ctx_t ctx, const struct place *place, uint64_t *source)
{
    const ptrdiff_t step = 1 + (ptrdiff_t)draw(3);
    size_t count = 1 + draw(draw(4) ? 8 : 60);
    if (count * (size_t)step > place->room)
        return;
    for (size_t i = 0; i < count; i++)
        place->model[i * (size_t)step] = source[i] = test_random(&state);
    shmem_ctx_uint64_iput(ctx, place->object, source, step, 1, count, place->pe);
    memset(source, 0x5a, count * sizeof *source);
}

static void step(shmem_ctx_t ctx, int backwards, uint64_t *source)
{
    const struct place place = draw_place(backwards);
    const uint64_t value = test_random(&state);
    switch (draw(24)) {
    case 0: case 1: case 2: put(ctx, &place, source, 0); break;
    case 3: case 4: case 5: put(ctx, &place, source, 1); break;
    case 6: case 7:
        *place.model = value;
        shmem_ctx_uint64_p(ctx, place.object, value, place.pe);
        break;
    case 8: put_bytes(ctx, &place, (unsigned char *)source); break;
    case 9: case 10: case 11: case 12: atomic(ctx, &place, value); break;
    case 13: case 14: case 15: get_nbi(ctx, &place); break;
    case 16: case 17: fetch_nbi(ctx, &place, value); break;
    case 18: fetch_half_nbi(ctx, &place, (uint32_t)value); break;
    case 19: get(ctx, &place); break;
    case 20: fetch(ctx, &place, value); break;
    case 21: put_signal(ctx, &place, source); break;
    case 22: strided(ctx, &place, source); break;
    default: shmem_ctx_fence(ctx);
    }
}

static void start_session(shmem_ctx_t ctx)
{
    const shmem_ctx_session_config_t config = {.total_ops = 1 + (size_t)draw(draw(2) ? 4 : 100000)};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config,
                            draw(3) ? SHMEM_CTX_SESSION_TOTAL_OPS : 0);
}

/* Now and then, within the steps. */
static void interrupt(shmem_ctx_t ctx, int backwards)
{
    switch (draw(60)) {
    case 0: shmem_ctx_session_stop(ctx); break;
    case 1: case 2: start_session(ctx); break;
    case 3: {
        const int pe = (int)draw((uint64_t)npes);
        shmem_ctx_pe_quiet(ctx, &pe, 1);
        CHECK_EQ(shmem_ctx_uint64_g(ctx, &in_data[me][0], pe),
                 mirror[0][backwards ? npes - 1 - pe : pe][0]);
        break;
    }
    default: break;
    }
}

static void use(shmem_ctx_t ctx, int backwards)
{
    if (draw(4))
        start_session(ctx);
    for (int i = 0; i < STEPS; i++) {
        step(ctx, backwards, sources[i]);
        interrupt(ctx, backwards);
        if (draw(100) == 0) {
            shmem_ctx_quiet(ctx);
            check_results();
        }
    }
    if (draw(2))
        shmem_ctx_session_stop(ctx);
    shmem_ctx_quiet(ctx);
    check_results();
    shmem_ctx_session_stop(ctx);
}

/* What every PE holds of this one's, against the model. */
static void compare_all(void)
{
    static uint64_t copy[WORDS];
    for (int pe = 0; pe < npes; pe++) {
        shmem_uint64_get(copy, in_data[me], WORDS, pe);
        for (int i = 0; i < WORDS; i++)
            CHECK_EQ(copy[i], mirror[0][pe][i]);
        shmem_uint64_get(copy, in_heap[me], WORDS, pe);
        for (int i = 0; i < WORDS; i++)
            CHECK_EQ(copy[i], mirror[1][pe][i]);
    }
}

static void round_of(shmem_team_t reversed)
{
    static const long options[] = {0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEMX_CTX_BATCH,
                                   SHMEMX_CTX_BATCH | SHMEM_CTX_PRIVATE};
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    int backwards = (int)draw(2), is_default = draw(3) == 0;
    if (is_default)
        backwards = 0;
    else
        CHECK_EQ(shmem_team_create_ctx(backwards ? reversed : SHMEM_TEAM_WORLD, options[draw(5)], &ctx),
                 0);
    use(ctx, backwards);
    if (!is_default)
        shmem_ctx_destroy(ctx);
    compare_all();
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 30;
    int provided;
    CHECK_EQ(shmem_init_thread(seed % 2 ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE, &provided), 0);
    me = shmem_my_pe(), npes = shmem_n_pes();
    if (npes > MOST_PES)
        TEST_SKIP("more PEs than the model holds");
    state = seed * 1000 + (uint64_t)me;
    in_heap = shmem_calloc(MOST_PES, sizeof *in_heap);
    shmem_team_t reversed;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &reversed), 0);
    for (long i = 0; i < rounds; i++)
        round_of(reversed);
    shmem_barrier_all();
    shmem_free(in_heap);
    return test_finish();
}

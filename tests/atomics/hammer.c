/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several threads of every PE, on the same host and on others, hammer the same words with every
 * atomic operation of both widths, blocking and not, at random: through the default context, their
 * own private one, one that the threads share, one that takes turns, one of a team that numbers the
 * PEs backwards. Each word has a law that holds whatever the order: sums, bits flipped, what swaps
 * pass on, compare-and-swap loops, bits and neighbours that one thread alone changes.
 *
 * The words lie where the domains differ: static, in a block with the hint, in a block without, and
 * in words that contexts of the shared team alone use. Arguments: [seed [rounds]], see stress.h.
 */
#include "../stress/stress.h"

#include <pthread.h>

enum { THREADS = 3, MOST_PES = 8, MOST_ACTORS = THREADS * MOST_PES, STEPS = 40 };

/* The words of one width at one place; each actor, a thread of a PE, has one of OWN. */
enum word { ADDED, COUNTED, FLIPPED, MARKED, SWAPPED, COMPARED, OWN, WORDS = OWN + MOST_ACTORS };
enum place { STATIC, HINTED, PLAIN, OF_NODE, PLACES };
enum width { NARROW, WIDE, WIDTHS };

static const char *const place_names[] = {"static", "hinted", "plain", "of the node"};

struct routines {
    size_t bytes;
    void (*set)(shmem_ctx_t, void *, uint64_t, int);
    void (*add)(shmem_ctx_t, void *, uint64_t, int);
    void (*and)(shmem_ctx_t, void *, uint64_t, int);
    void (*or)(shmem_ctx_t, void *, uint64_t, int);
    void (*xor)(shmem_ctx_t, void *, uint64_t, int);
    void (*inc)(shmem_ctx_t, void *, int);
    uint64_t (*fetch)(shmem_ctx_t, const void *, int, int nbi);
    uint64_t (*fetch_inc)(shmem_ctx_t, void *, int, int nbi);
    uint64_t (*swap)(shmem_ctx_t, void *, uint64_t, int, int nbi);
    uint64_t (*fetch_add)(shmem_ctx_t, void *, uint64_t, int, int nbi);
    uint64_t (*fetch_and)(shmem_ctx_t, void *, uint64_t, int, int nbi);
    uint64_t (*fetch_or)(shmem_ctx_t, void *, uint64_t, int, int nbi);
    uint64_t (*fetch_xor)(shmem_ctx_t, void *, uint64_t, int, int nbi);
    uint64_t (*compare_swap)(shmem_ctx_t, void *, uint64_t, uint64_t, int, int nbi);
};

/* The same arguments, but for the result's place, of the blocking and the nonblocking routine. */
#define BOTH(NAME, T, OP, ...)                                                                     \
    T result;                                                                                      \
    if (nbi) {                                                                                     \
        shmem_ctx_##NAME##_atomic_##OP##_nbi(ctx, &result, __VA_ARGS__);                           \
        shmem_ctx_quiet(ctx);                                                                      \
    } else {                                                                                       \
        result = shmem_ctx_##NAME##_atomic_##OP(ctx, __VA_ARGS__);                                 \
    }                                                                                              \
    return result;
#define POST(NAME, T, OP)                                                                          \
    static void NAME##_##OP(shmem_ctx_t ctx, void *word, uint64_t value, int pe)                   \
    {                                                                                              \
        shmem_ctx_##NAME##_atomic_##OP(ctx, (T *)word, (T)value, pe);                              \
    }
#define FETCH(NAME, T, OP)                                                                         \
    static uint64_t NAME##_##OP(shmem_ctx_t ctx, void *word, uint64_t value, int pe, int nbi)      \
    {                                                                                              \
        BOTH(NAME, T, OP, (T *)word, (T)value, pe)                                                 \
    }
#define ROUTINES(NAME, T)                                                                          \
    POST(NAME, T, set) POST(NAME, T, add) POST(NAME, T, and) POST(NAME, T, or) POST(NAME, T, xor)  \
    FETCH(NAME, T, swap) FETCH(NAME, T, fetch_add) FETCH(NAME, T, fetch_and)                       \
    FETCH(NAME, T, fetch_or) FETCH(NAME, T, fetch_xor)                                             \
    static void NAME##_inc(shmem_ctx_t ctx, void *word, int pe)                                    \
    {                                                                                              \
        shmem_ctx_##NAME##_atomic_inc(ctx, (T *)word, pe);                                         \
    }                                                                                              \
    static uint64_t NAME##_fetch_inc(shmem_ctx_t ctx, void *word, int pe, int nbi)                 \
    {                                                                                              \
        BOTH(NAME, T, fetch_inc, (T *)word, pe)                                                    \
    }                                                                                              \
    static uint64_t NAME##_fetch(shmem_ctx_t ctx, const void *word, int pe, int nbi)               \
    {                                                                                              \
        BOTH(NAME, T, fetch, (const T *)word, pe)                                                  \
    }                                                                                              \
    static uint64_t NAME##_compare_swap(shmem_ctx_t ctx, void *word, uint64_t old, uint64_t value, \
                                        int pe, int nbi)                                           \
    {                                                                                              \
        BOTH(NAME, T, compare_swap, (T *)word, (T)old, (T)value, pe)                               \
    }
ROUTINES(uint32, uint32_t)
ROUTINES(uint64, uint64_t)

#define ROW(NAME, BYTES)                                                                           \
    {BYTES, NAME##_set, NAME##_add, NAME##_and, NAME##_or, NAME##_xor, NAME##_inc, NAME##_fetch,   \
     NAME##_fetch_inc, NAME##_swap, NAME##_fetch_add, NAME##_fetch_and, NAME##_fetch_or,           \
     NAME##_fetch_xor, NAME##_compare_swap}
static const struct routines table[WIDTHS] = {ROW(uint32, 4), ROW(uint64, 8)};

struct area {
    uint32_t narrow[WORDS];
    uint64_t wide[WORDS];
};
static struct area static_words, node_words;
static struct area *areas[PLACES];

static shmem_team_t backwards;
static shmem_ctx_t shared_context, serialized_context, backwards_context, node_context;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* What the laws predict: of one actor first, then of all. */
struct tally {
    uint64_t sums[WIDTHS][PLACES][MOST_PES][WORDS]; /* added modulo 2^64 */
    uint64_t bits[WIDTHS][PLACES][MOST_PES][WORDS]; /* exclusive or */
};
static struct tally mine, all;

struct actor {
    pthread_t thread;
    int number;
    uint64_t state; /* of its own generator */
    shmem_ctx_t private_context;
    struct tally tally;
    uint64_t own[WIDTHS][PLACES][MOST_PES];
};
static struct actor actors[THREADS];

/* One operation to come. */
struct step {
    struct actor *actor;
    const struct routines *type;
    enum width width;
    enum place place;
    int pe, team_pe; /* in the world, in the context's team */
    shmem_ctx_t ctx;
    int nbi;
};

static void *word_at(enum place place, enum width width, int word)
{
    return width == NARROW ? (void *)&areas[place]->narrow[word] : &areas[place]->wide[word];
}

static void *at(const struct step *step, int word)
{
    return word_at(step->place, step->width, word);
}

static uint64_t cut(const struct step *step, uint64_t value)
{
    return step->type->bytes == 4 ? (uint32_t)value : value;
}

static void expect(const struct step *step, const char *what, uint64_t seen, uint64_t expected)
{
    STRESS_CHECK(seen == expected, "%s of %zu bytes, %s, actor %d on PE %d: %#llx, expected %#llx",
                 what, step->type->bytes, place_names[step->place], step->actor->number, step->pe,
                 (unsigned long long)seen, (unsigned long long)expected);
}

static void count(const struct step *step, enum word word, uint64_t value)
{
    step->actor->tally.sums[step->width][step->place][step->pe][word] += value;
}

static void add(const struct step *step, uint64_t value)
{
    if (value % 2)
        step->type->add(step->ctx, at(step, ADDED), value, step->team_pe);
    else
        step->type->fetch_add(step->ctx, at(step, ADDED), value, step->team_pe, step->nbi);
    count(step, ADDED, value);
}

static void increment(const struct step *step, uint64_t value)
{
    if (value % 2)
        step->type->inc(step->ctx, at(step, COUNTED), step->team_pe);
    else
        step->type->fetch_inc(step->ctx, at(step, COUNTED), step->team_pe, step->nbi);
    count(step, COUNTED, 1);
}

static void flip(const struct step *step, uint64_t value)
{
    if (value % 2)
        step->type->xor(step->ctx, at(step, FLIPPED), value, step->team_pe);
    else
        step->type->fetch_xor(step->ctx, at(step, FLIPPED), value, step->team_pe, step->nbi);
    step->actor->tally.bits[step->width][step->place][step->pe][FLIPPED] ^= cut(step, value);
}

/* One's own bit, which nobody else may change: what it was is known. */
static void mark(const struct step *step, uint64_t value)
{
    const struct routines *type = step->type;
    uint64_t bit = UINT64_C(1) << step->actor->number;
    uint64_t *now = &step->actor->tally.bits[step->width][step->place][step->pe][MARKED];
    void *word = at(step, MARKED);
    if (value % 4 == 0)
        type->or(step->ctx, word, bit, step->team_pe);
    else if (value % 4 == 1)
        type->and(step->ctx, word, ~bit, step->team_pe);
    else if (value % 4 == 2)
        expect(step, "fetch_or", type->fetch_or(step->ctx, word, bit, step->team_pe, step->nbi) & bit, *now);
    else
        expect(step, "fetch_and", type->fetch_and(step->ctx, word, ~bit, step->team_pe, step->nbi) & bit, *now);
    shmem_ctx_quiet(step->ctx); /* the next one may take another context */
    *now = value % 2 ? 0 : bit;
}

/* All that went in comes out again, or is left. */
static void swap(const struct step *step, uint64_t value)
{
    uint64_t got = step->type->swap(step->ctx, at(step, SWAPPED), value, step->team_pe, step->nbi);
    count(step, SWAPPED, cut(step, value) - got);
}

static void compare_and_add(const struct step *step, uint64_t value)
{
    const struct routines *type = step->type;
    void *word = at(step, COMPARED);
    uint64_t held = type->fetch(step->ctx, word, step->team_pe, step->nbi);
    for (uint64_t seen;; held = seen) {
        seen = type->compare_swap(step->ctx, word, held, held + value, step->team_pe, step->nbi);
        if (seen == held)
            break;
    }
    count(step, COMPARED, value);
}

/* A word between others that others set meanwhile. */
static void set_own(const struct step *step, uint64_t value)
{
    void *word = at(step, OWN + step->actor->number);
    uint64_t *own = &step->actor->own[step->width][step->place][step->pe];
    expect(step, "fetch", step->type->fetch(step->ctx, word, step->team_pe, step->nbi), *own);
    step->type->set(step->ctx, word, value, step->team_pe);
    shmem_ctx_quiet(step->ctx);
    *own = cut(step, value);
}

static void (*const operations[])(const struct step *, uint64_t) = {
    add, increment, flip, mark, swap, compare_and_add, set_own};
enum { OPERATIONS = sizeof operations / sizeof *operations };

enum { BACKWARDS = 3, SERIALIZED = 4, CONTEXTS = 5 };

static void carry_out(struct step *step, unsigned context, int operation)
{
    const shmem_ctx_t contexts[CONTEXTS] = {SHMEM_CTX_DEFAULT, step->actor->private_context,
                                            shared_context, backwards_context, serialized_context};
    uint64_t value = test_random(&step->actor->state);
    step->ctx = step->place == OF_NODE ? node_context : contexts[context];
    step->team_pe = step->pe;
    if (step->place == OF_NODE)
        step->team_pe = shmem_team_translate_pe(SHMEM_TEAM_WORLD, step->pe, SHMEM_TEAM_SHARED);
    else if (context == BACKWARDS)
        step->team_pe = stress.npes - 1 - step->pe;
    if (context == SERIALIZED)
        pthread_mutex_lock(&one_at_a_time);
    operations[operation](step, value);
    if (context == SERIALIZED)
        pthread_mutex_unlock(&one_at_a_time);
}

static void take_step(struct actor *actor)
{
    uint64_t *state = &actor->state;
    struct step step = {.actor = actor};
    step.width = (enum width)test_random_below(state, WIDTHS);
    step.type = &table[step.width];
    step.place = (enum place)test_random_below(state, PLACES);
    step.nbi = (int)test_random_below(state, 2);
    do
        step.pe = (int)test_random_below(state, (uint64_t)stress.npes);
    while (step.place == OF_NODE && !test_is_near(step.pe));
    carry_out(&step, (unsigned)test_random_below(state, CONTEXTS),
              (int)test_random_below(state, OPERATIONS));
}

static int in_sessions(void)
{
    return stress.round % 2 == 1;
}

static void *act(void *argument)
{
    struct actor *actor = argument;
    STRESS_CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &actor->private_context) == 0, "ctx_create");
    if (in_sessions())
        shmem_ctx_session_start(actor->private_context, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    for (int i = 0; i < STEPS; i++)
        take_step(actor);
    shmem_ctx_destroy(actor->private_context);
    return NULL;
}

static void add_own_words(struct actor *actor)
{
    for (int width = 0; width < WIDTHS; width++)
        for (int place = 0; place < PLACES; place++)
            for (int pe = 0; pe < stress.npes; pe++)
                actor->tally.sums[width][place][pe][OWN + actor->number] =
                    actor->own[width][place][pe];
}

static void gather(void)
{
    uint64_t *sums = &mine.sums[0][0][0][0], *bits = &mine.bits[0][0][0][0];
    size_t length = sizeof mine.sums / sizeof *sums;
    memset(&mine, 0, sizeof mine);
    for (int i = 0; i < THREADS; i++) {
        add_own_words(&actors[i]);
        for (size_t k = 0; k < length; k++) {
            sums[k] += (&actors[i].tally.sums[0][0][0][0])[k];
            bits[k] ^= (&actors[i].tally.bits[0][0][0][0])[k];
        }
    }
    CHECK_EQ(shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &all.sums[0][0][0][0], sums, length), 0);
    CHECK_EQ(shmem_uint64_xor_reduce(SHMEM_TEAM_WORLD, &all.bits[0][0][0][0], bits, length), 0);
    shmem_barrier_all();
}

/* What lies in this PE's memory, and what an atomic operation says. */
static void check_word(enum place place, enum width width, int word)
{
    const struct step step = {.actor = &actors[0], .type = &table[width], .width = width,
                              .place = place, .pe = stress.me};
    uint64_t expected = word == FLIPPED || word == MARKED ? all.bits[width][place][stress.me][word]
                                                          : all.sums[width][place][stress.me][word];
    uint64_t held = width == NARROW ? areas[place]->narrow[word] : areas[place]->wide[word];
    char what[32];
    snprintf(what, sizeof what, "word %d", word);
    expect(&step, what, held, cut(&step, expected));
    int node = place == OF_NODE;
    expect(&step, what, table[width].fetch(node ? node_context : SHMEM_CTX_DEFAULT, at(&step, word),
                                           node ? shmem_team_my_pe(SHMEM_TEAM_SHARED) : stress.me, 0),
           cut(&step, expected));
}

static void act_in_threads(void)
{
    for (int i = 0; i < THREADS; i++) {
        actors[i].number = stress.me * THREADS + i;
        actors[i].state = mix((uint64_t)stress.round, (uint64_t)actors[i].number, 7);
        CHECK_EQ(pthread_create(&actors[i].thread, NULL, act, &actors[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(actors[i].thread, NULL), 0);
}

static void run_round(void)
{
    const shmem_ctx_t used[] = {SHMEM_CTX_DEFAULT, shared_context, serialized_context,
                                backwards_context, node_context};
    const size_t count_used = sizeof used / sizeof *used;
    for (int place = 0; place < PLACES; place++)
        memset(areas[place], 0, sizeof *areas[place]);
    memset(actors, 0, sizeof actors);
    shmem_barrier_all();
    for (size_t i = 0; i < count_used && in_sessions(); i++)
        shmem_ctx_session_start(used[i], SHMEM_CTX_SESSION_BATCH, NULL, 0);
    act_in_threads();
    for (size_t i = 0; i < count_used; i++) {
        shmem_ctx_session_stop(used[i]);
        shmem_ctx_quiet(used[i]);
    }
    shmem_barrier_all();
    gather();
    for (int place = 0; place < PLACES; place++)
        for (int word = 0; word < WORDS; word++)
            for (int width = 0; width < WIDTHS; width++)
                check_word((enum place)place, (enum width)width, word);
    shmem_barrier_all();
}

static void hammer(void)
{
    CHECK(stress.npes <= MOST_PES);
    areas[STATIC] = &static_words;
    areas[HINTED] = shmem_malloc_with_hints(sizeof(struct area), SHMEM_MALLOC_ATOMICS_REMOTE);
    areas[PLAIN] = shmem_malloc(sizeof(struct area));
    areas[OF_NODE] = &node_words;
    CHECK(areas[HINTED] && areas[PLAIN]);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, stress.npes - 1, -1, stress.npes, NULL, 0,
                                      &backwards), 0);
    CHECK_EQ(shmem_ctx_create(0, &shared_context), 0);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &serialized_context), 0);
    CHECK_EQ(shmem_team_create_ctx(backwards, 0, &backwards_context), 0);
    CHECK_EQ(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &node_context), 0);
    for (stress.round = 0; stress.round < stress.rounds; stress.round++)
        run_round();
    shmem_ctx_destroy(node_context);
    shmem_ctx_destroy(backwards_context);
    shmem_ctx_destroy(serialized_context);
    shmem_ctx_destroy(shared_context);
    shmem_team_destroy(backwards);
    shmem_free(areas[PLAIN]);
    shmem_free(areas[HINTED]);
}

int main(int argc, char **argv)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
    int status = stress_main(argc, argv, "hammer", 40, hammer);
    shmem_finalize();
    return status;
}

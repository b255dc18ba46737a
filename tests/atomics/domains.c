/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations in every domain: all PEs, on the same host and on others, hammer the same words
 * with every operation, and no update is lost; neighbours of 32 bits in one word do not disturb each
 * other; fences order them with puts; contexts of the shared team are the processors'. What
 * shmemx_provider says is what SHEAF_ATOMICS and SHEAF_ATOMICS_NATIVE ask for.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

enum { ROUNDS = 30 };

static int me, npes, target;

/* One word per law. */
#define WORDS(NAME, TYPE)                                                                          \
    struct words_##NAME {                                                                          \
        TYPE added, counted, fetched, flipped, marked, cleared, swapped, compared;                 \
    };                                                                                             \
    static struct words_##NAME static_##NAME;
WORDS(uint32, uint32_t)
WORDS(uint64, uint64_t)

static uint64_t sum_of(uint64_t value)
{
    static uint64_t source, dest;
    source = value;
    CHECK_EQ(shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1), 0);
    shmem_barrier_all();
    return dest;
}

/* Each PE adds distinct values, sets and clears its own bit, and passes values on by swaps. */
#define HAMMER(NAME, TYPE)                                                                         \
    static void hammer_##NAME(struct words_##NAME *words, int pe)                                  \
    {                                                                                              \
        TYPE mine = (TYPE)1 << me, swapped = 0, fetched = 0;                                       \
        if (me == pe)                                                                              \
            *words = (struct words_##NAME){.cleared = (TYPE)-1};                                   \
        shmem_barrier_all();                                                                       \
        for (int i = 0; i < ROUNDS; i++) {                                                         \
            TYPE held, wanted;                                                                     \
            shmem_##NAME##_atomic_add(&words->added, (TYPE)(i + 1), pe);                           \
            shmem_##NAME##_atomic_inc(&words->counted, pe);                                        \
            fetched += shmem_##NAME##_atomic_fetch_inc(&words->fetched, pe);                       \
            shmem_##NAME##_atomic_xor(&words->flipped, mine, pe);                                  \
            shmem_##NAME##_atomic_fetch_xor(&words->flipped, mine << 16, pe);                      \
            CHECK_EQ(shmem_##NAME##_atomic_fetch_or(&words->marked, mine, pe) & mine, 0);      \
            CHECK_EQ(shmem_##NAME##_atomic_fetch_and(&words->marked, (TYPE)~mine, pe) & mine, mine); \
            shmem_##NAME##_atomic_or(&words->marked, mine << 16, pe);                              \
            shmem_##NAME##_atomic_and(&words->cleared, (TYPE)~mine, pe);                           \
            swapped += shmem_##NAME##_atomic_swap(&words->swapped, (TYPE)(me * ROUNDS + i + 1), pe); \
            held = shmem_##NAME##_atomic_fetch(&words->compared, pe);                              \
            while ((wanted = shmem_##NAME##_atomic_compare_swap(&words->compared, held,            \
                                                                held + 3, pe)) != held)            \
                held = wanted;                                                                     \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
        uint64_t all = (uint64_t)npes * ROUNDS, marks = ((uint64_t)1 << npes) - 1;                 \
        uint64_t last = shmem_##NAME##_atomic_fetch(&words->swapped, pe);                          \
        uint64_t fetches = sum_of(fetched), swaps = sum_of(swapped);                               \
        CHECK_EQ(fetches, all * (all - 1) / 2);                                                    \
        CHECK_EQ(swaps + last, all * (all + 1) / 2);                                               \
        CHECK_EQ(shmem_##NAME##_atomic_fetch(&words->compared, pe), 3 * all);                      \
        if (me == pe) {                                                                            \
            CHECK_EQ(words->added, (uint64_t)npes * ROUNDS * (ROUNDS + 1) / 2);                    \
            CHECK_EQ(words->counted, all);                                                         \
            CHECK_EQ(words->fetched, all);                                                         \
            CHECK_EQ(words->flipped, ROUNDS % 2 ? marks | marks << 16 : 0);                        \
            CHECK_EQ(words->marked, marks << 16);                                                  \
            CHECK_EQ((TYPE)~words->cleared, marks);                                                \
        }                                                                                          \
        shmem_barrier_all();                                                                       \
    }
HAMMER(uint32, uint32_t)
HAMMER(uint64, uint64_t)

/* Results of nonblocking ones are there after a quiet, and puts do not pass them behind a fence. */
static void order(uint64_t *counter, uint64_t *data, int pe)
{
    uint64_t results[ROUNDS];
    *counter = 0;
    memset(data, 0, ROUNDS * sizeof *data);
    shmem_barrier_all();
    if (me == (pe + 1) % npes)
        for (uint64_t i = 1; i <= ROUNDS; i++) {
            shmem_uint64_p(&data[i - 1], i, pe);
            shmem_fence();
            shmem_uint64_atomic_fetch_add_nbi(&results[i - 1], counter, 1, pe);
            shmem_fence();
        }
    if (me == pe)
        for (uint64_t i = 1; i <= ROUNDS; i++) {
            shmem_uint64_wait_until(counter, SHMEM_CMP_GE, i);
            CHECK_EQ(__atomic_load_n(&data[i - 1], __ATOMIC_RELAXED), i);
        }
    shmem_quiet();
    if (me == (pe + 1) % npes)
        for (uint64_t i = 0; i < ROUNDS; i++)
            CHECK_EQ(results[i], i);
    shmem_barrier_all();
}

/* A domain of its own, whatever the others are. */
static void shared_team(void)
{
    static uint64_t word;
    shmem_ctx_t ctx;
    int nears = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    word = 0;
    CHECK_EQ(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &ctx), 0);
    CHECK_EQ(shmemx_ctx_provider(ctx, "add", 8, &word, 0, NULL), SHMEMX_PROVIDER_PROCESSOR);
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++)
        shmem_ctx_uint64_atomic_add(ctx, &word, 1, 0);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    if (shmem_team_my_pe(SHMEM_TEAM_SHARED) == 0)
        CHECK_EQ(word, nears * ROUNDS);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static int is_setting(const char *name, const char *value)
{
    const char *now = getenv(name);
    return now && strcmp(now, value) == 0;
}

static int is_spanning(void)
{
    return shmem_team_n_pes(SHMEM_TEAM_SHARED) < npes;
}

/* Where an adapter does it by itself, the channel names that adapter: the first of UCX_NET_DEVICES. */
static void check_adapter(const void *object, int pe)
{
    char name[SHMEM_MAX_NAME_LEN];
    const char *transports = getenv("UCX_TLS"), *devices = getenv("UCX_NET_DEVICES");
    int who = shmemx_provider("add", 8, object, pe, name);
    if (who == SHMEMX_PROVIDER_NETWORK && transports && strstr(transports, "rc_verbs") && devices) {
        const char *device = strstr(name, " by ");
        CHECK(device && device[4] && strncmp(device + 4, devices, strlen(device + 4)) == 0);
    }
}

/* What the settings of CMakeLists.txt ask for: all, InfiniBand's own two, or compare-and-swap alone. */
static void check_providers(const void *object, int is_device)
{
    static const char *const names[] = {"fetch", "set", "add", "and", "or", "xor", "swap", "cswap"};
    int all = is_setting("SHEAF_ATOMICS_NATIVE", "all"), adds = !is_setting("SHEAF_ATOMICS_NATIVE", "cswap64");
    for (int pe = 0; pe < npes; pe++) {
        check_adapter(object, pe);
        for (int i = 0; i < 8; i++)
            for (size_t bytes = 4; bytes <= 8; bytes += 4) {
                int own = bytes == 8 && (i == 0 || (i == 2 && adds) || i == 7);
                int expected = test_is_near(pe) ? SHMEMX_PROVIDER_PROCESSOR : SHMEMX_PROVIDER_MESSAGE;
                if (is_device && is_spanning())
                    expected = all || own ? SHMEMX_PROVIDER_NETWORK : SHMEMX_PROVIDER_BUILT;
                CHECK_EQ(shmemx_provider(names[i], bytes, object, pe, NULL), expected);
                if (object && bytes == 8 && shmem_my_pe() == 0)
                    CHECK(shmemx_provider_ns(names[i], bytes, (void *)(uintptr_t)object, pe) > 0);
            }
    }
    shmem_barrier_all();
}

/* With SHEAF_ATOMICS=auto: whether the first hinted block's operations have become the network's, which all PEs say
 * alike. Either may be: of two measurements on a busy machine the slower way may win, a fetch-add that the network
 * builds of two round trips as well. */
static int as_measured(const void *block)
{
    static long says, sum;
    int who = shmemx_provider("cswap", 8, block, 0, NULL);
    says = who == SHMEMX_PROVIDER_NETWORK;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &says, 1), 0);
    CHECK(sum == (says ? npes : 0));
    return (int)says;
}

static void hammer_all(void *block)
{
    hammer_uint32(&static_uint32, target);
    hammer_uint64(&static_uint64, target);
    hammer_uint32(block, target);
    hammer_uint64(block, 0);
}

/* A memory space of the network's, of all PEs. */
static void network_space(void)
{
    shmemx_space_t space;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "atomics:network", 65536, &space), 0);
    uint64_t *words = shmemx_space_calloc(space, 1, 4096), *plain = shmem_malloc(ROUNDS * sizeof *plain);
    check_providers(words, 1);
    hammer_uint32((void *)words, target);
    hammer_uint64((void *)words, 0);
    order(words, plain, target);
    shmem_free(plain);
    shmemx_space_destroy(space);
}

/* Of teams, one after the other in the same place of the list: keys of the former are of no use. Beside one whose
 * operations are the processors'. */
static void network_spaces_of_teams(void)
{
    shmemx_space_t plain_space;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 4096, &plain_space), 0);
    uint64_t *plain = shmemx_space_calloc(plain_space, 1, 64);
    check_providers(plain, 0);
    for (int size = npes; size >= 2; size--) {
        shmem_team_t team;
        shmemx_space_t space;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - size, 1, size, NULL, 0, &team);
        for (int i = 0; i < 2 && team != SHMEM_TEAM_INVALID; i++) {
            CHECK_EQ(shmemx_space_create(team, "atomics:network", 4096 << i, &space), 0);
            uint64_t *sum = shmemx_space_calloc(space, 1, 64);
            for (int pe = npes - size; pe < npes; pe++)
                shmem_uint64_atomic_add(sum, (uint64_t)me + 1, pe);
            shmem_team_sync(team);
            shmem_quiet();
            shmem_team_sync(team);
            CHECK_EQ(shmem_uint64_atomic_fetch(sum, me),
                     (npes * (npes + 1) - (npes - size) * (npes - size + 1)) / 2);
            shmemx_space_destroy(space);
        }
        shmem_team_destroy(team);
    }
    shmemx_space_destroy(plain_space);
}

/* One that the network has and one that it cannot even build. */
static void declare(void)
{
    static uint64_t word;
    CHECK_EQ(shmemx_provider("add", 8, NULL, 0, NULL) == SHMEMX_PROVIDER_NETWORK, 0);
    CHECK_EQ(shmemx_atomics_declare("inc64,fetch64"), is_spanning());
    CHECK_EQ(shmemx_provider("add", 8, NULL, 0, NULL) == SHMEMX_PROVIDER_NETWORK, is_spanning());
    for (int i = 0; i < ROUNDS; i++)
        shmem_uint64_atomic_inc(&word, 0);
    shmem_barrier_all();
    CHECK_EQ(shmem_uint64_atomic_fetch(&word, 0), npes * ROUNDS);
    CHECK_EQ(shmemx_atomics_declare("all"), 0);
    shmem_uint64_atomic_xor(&word, 1, 0);
    shmem_barrier_all();
}

/* Blocks of the hint keep their contents, apart from others. */
static void hinted_blocks(void)
{
    long *first = shmem_malloc_with_hints(1000, SHMEM_MALLOC_ATOMICS_REMOTE);
    long *other = shmem_malloc(1000);
    long *second = shmem_malloc_with_hints(5000, SHMEM_MALLOC_ATOMICS_REMOTE);
    CHECK(first && other && second);
    memset(second, 2, 5000);
    memset(other, 3, 1000);
    memset(first, 1, 1000);
    first = shmem_realloc(first, 3000);
    CHECK(first && ((char *)first)[999] == 1 && ((char *)second)[4999] == 2);
    CHECK(((char *)other)[0] == 3 && ((char *)other)[999] == 3);
    shmem_free(other);
    shmem_free(second);
    shmem_free(first);
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    target = npes - 1;
    if (argc > 1 && strcmp(argv[1], "declare") == 0) {
        declare();
    } else {
        int device = is_setting("SHEAF_ATOMICS", "device");
        int hinted = is_setting("SHEAF_ATOMICS", "hinted") || is_setting("SHEAF_ATOMICS", "auto");
        uint64_t *block = shmem_malloc_with_hints(4096, SHMEM_MALLOC_ATOMICS_REMOTE);
        uint64_t *plain = shmem_malloc(ROUNDS * sizeof *plain);
        check_providers(NULL, device);
        check_providers(plain, device);
        if (is_setting("SHEAF_ATOMICS", "auto"))
            hinted = as_measured(block);
        check_providers(block, device || hinted);
        hammer_all(block);
        if (npes > 1)
            order(block, plain, target);
        shared_team();
        hinted_blocks();
        if (is_spanning() && (device || getenv("SHEAF_ATOMICS_NATIVE"))) {
            network_space();
            network_spaces_of_teams();
        }
        check_providers(block, device || hinted);
        shmem_free(plain);
        shmem_free(block);
    }
    shmem_finalize();
    return 0;
}

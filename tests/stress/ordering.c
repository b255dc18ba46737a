/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order: data before the flag that announces it, whether a fence, a quiet or a put with signal
 * stands between, on different contexts; barriers and syncs of overlapping teams that nobody
 * passes early. All PEs write to all others at once.
 */
#include "stress.h"

#define MOST  STRESS_MOST_PES
#define WORDS 128
#define TEAMS 3

enum way { FENCE, QUIET, SIGNAL, SIGNAL_NBI, CONTEXT_FENCE, ATOMIC_FLAG, STORE_FLAG, WAYS };
static const char *const names[] = {"fence", "quiet", "put_signal", "put_signal_nbi", "ctx_fence",
                                    "fence and atomic", "stores through shmem_ptr"};

static uint64_t static_data[MOST][WORDS];
static uint64_t (*heap_data)[WORDS];
static uint64_t flags[MOST];
static uint64_t passed[TEAMS][MOST];
static shmem_ctx_t context;

static void send(enum way way, uint64_t (*data)[WORDS], size_t words, uint64_t stamp, int pe)
{
    static uint64_t source[MOST][WORDS];
    uint64_t *from = source[pe], *to = data[stress.me], *flag = &flags[stress.me];
    for (size_t i = 0; i < words; i++)
        from[i] = stamp + i;
    switch (way) {
    case FENCE:
        shmem_uint64_put(to, from, words, pe);
        shmem_fence();
        shmem_uint64_p(flag, stamp, pe);
        break;
    case QUIET:
        shmem_uint64_put_nbi(to, from, words, pe);
        shmem_quiet();
        shmem_uint64_p(flag, stamp, pe);
        break;
    case SIGNAL:
        shmem_uint64_put_signal(to, from, words, flag, stamp, SHMEM_SIGNAL_SET, pe);
        break;
    case SIGNAL_NBI:
        shmem_ctx_uint64_put_signal_nbi(context, to, from, words, flag, stamp, SHMEM_SIGNAL_SET, pe);
        break;
    case CONTEXT_FENCE:
        shmem_ctx_uint64_put_nbi(context, to, from, words, pe);
        shmem_ctx_fence(context);
        shmem_ctx_uint64_p(context, flag, stamp, pe);
        break;
    case ATOMIC_FLAG:
        shmem_uint64_put(to, from, words, pe);
        shmem_fence();
        shmem_uint64_atomic_set(flag, stamp, pe);
        break;
    default: {
        uint64_t *theirs = shmem_ptr(to, pe), *their_flag = shmem_ptr(flag, pe);
        CHECK((theirs != NULL) == test_is_near(pe) && !theirs == !their_flag);
        if (theirs)
            memcpy(theirs, from, words * sizeof *from);
        else
            shmem_uint64_put(to, from, words, pe);
        shmem_fence();
        shmem_uint64_p(flag, stamp, pe);
    }
    }
}

static void receive(enum way way, uint64_t (*data)[WORDS], size_t words, uint64_t stamp, int pe)
{
    shmem_uint64_wait_until(&flags[pe], SHMEM_CMP_EQ, stamp);
    for (size_t i = 0; i < words; i++)
        STRESS_CHECK(data[pe][i] == stamp + i, "%s: word %zu of %zu from PE %d is %llu, its flag "
                     "says %llu", names[way], i, words, pe, (unsigned long long)data[pe][i],
                     (unsigned long long)stamp + i);
}

static void exchange(void)
{
    enum way way = (enum way)draw(WAYS);
    uint64_t (*data)[WORDS] = draw(2) ? static_data : heap_data;
    size_t words = 1 + draw(WORDS);
    int turn = (int)draw((uint64_t)stress.npes);
    uint64_t stamp = (uint64_t)stress.round * 1000 + 1;
    for (int i = 0; i < stress.npes; i++)
        send(way, data, words, stamp, (i + turn + stress.me) % stress.npes);
    for (int i = 0; i < stress.npes; i++)
        receive(way, data, words, stamp, (stress.me + stress.npes - i) % stress.npes);
    shmem_ctx_quiet(context);
    shmem_barrier_all();
}

/* Nobody leaves a barrier of a team before every member has entered it. */
static void meet(const struct stress_team *team, int which, uint64_t round)
{
    if (team->rank < 0)
        return;
    for (int rank = 0; rank < team->size; rank++)
        shmem_uint64_p(&passed[which][stress.me], round, team->pes[rank]);
    if (team->handle == SHMEM_TEAM_WORLD && round % 2)
        shmem_barrier_all();
    else {
        shmem_quiet();
        STRESS_CHECK(shmem_team_sync(team->handle) == 0, "team_sync of %s", team->kind);
    }
    for (int rank = 0; rank < team->size; rank++)
        STRESS_CHECK(passed[which][team->pes[rank]] >= round, "PE %d had not entered barrier %llu "
                     "of %s", team->pes[rank], (unsigned long long)round, team->kind);
}

static void meet_often(void)
{
    struct stress_team teams[TEAMS];
    memset(passed, 0, sizeof passed);
    for (int i = 0; i < TEAMS; i++)
        stress_team_create(&teams[i]);
    shmem_barrier_all();
    uint64_t rounds[TEAMS] = {0};
    for (int i = 0; i < 40; i++) {
        int which = (int)draw(TEAMS);
        meet(&teams[which], which, ++rounds[which]);
    }
    shmem_barrier_all();
    for (int i = 0; i < TEAMS; i++)
        stress_team_destroy(&teams[i]);
}

static void ordering(void)
{
    STRESS_CHECK(shmem_ctx_create(0, &context) == 0, "ctx_create");
    heap_data = stress_allocate(sizeof static_data);
    memset(flags, 0, sizeof flags);
    shmem_barrier_all();
    for (stress.round = 0; stress.round < stress.rounds; stress.round++) {
        exchange();
        if (stress.round % 16 == 0)
            meet_often();
    }
    shmem_ctx_destroy(context);
    shmem_free(heap_data);
}

int main(int argc, char **argv)
{
    return stress_main(argc, argv, "ordering", 10000, ordering);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, collect, fcollect, alltoall and alltoalls over teams, for all types and in bytes:
 * over the world, the world backwards, and every second PE; back to back on one team.
 */
#include "types.h"

#include "check.h"


typedef int exchange_call(shmem_team_t team, void *dest, const void *source, size_t count);

struct row {
    const char *type;
    exchange_call *collect, *fcollect, *alltoall;
    int (*broadcast)(shmem_team_t team, void *dest, const void *source, size_t count, int root);
    int (*alltoalls)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                     ptrdiff_t sst, size_t count);
};

#define DEFINE_EXCHANGE(ID, ROUTINE)                                                               \
    static int ID(shmem_team_t team, void *dest, const void *source, size_t count)                 \
    {                                                                                              \
        return ROUTINE(team, dest, source, count);                                                 \
    }
#define DEFINE_ROW(NAME, PREFIX, SUFFIX)                                                           \
    DEFINE_EXCHANGE(collect_##NAME, PREFIX##collect##SUFFIX)                                       \
    DEFINE_EXCHANGE(fcollect_##NAME, PREFIX##fcollect##SUFFIX)                                     \
    DEFINE_EXCHANGE(alltoall_##NAME, PREFIX##alltoall##SUFFIX)                                     \
    static int broadcast_##NAME(shmem_team_t team, void *dest, const void *source, size_t count,   \
                                int root)                                                          \
    {                                                                                              \
        return PREFIX##broadcast##SUFFIX(team, dest, source, count, root);                         \
    }                                                                                              \
    static int alltoalls_##NAME(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,  \
                                ptrdiff_t sst, size_t count)                                       \
    {                                                                                              \
        return PREFIX##alltoalls##SUFFIX(team, dest, source, dst, sst, count);                     \
    }
#define DEFINE_TYPED(NAME, TYPE) DEFINE_ROW(NAME, shmem_##NAME##_, )
TYPES_RMA(DEFINE_TYPED)
DEFINE_ROW(mem, shmem_, mem)

#define ROW(NAME, TYPE)                                                                            \
    {#NAME, collect_##NAME, fcollect_##NAME, alltoall_##NAME, broadcast_##NAME, alltoalls_##NAME},
static const struct row rows[] = {TYPES_RMA(ROW) ROW(mem, )};

enum { COUNT = 13, STRIDED = 5, DST = 3, SST = 2, GUARD = 4 };

struct round {
    const struct row *row;
    const struct test_type *type;
    shmem_team_t team;
    int me, n;
    size_t capacity;          /* elements in each of the four */
    char *source, *dest;      /* symmetric */
    char *expected;
};

/* Each collective has data of its own on each PE, so that a late or an early one shows. */
static uint64_t key(int rank, int step)
{
    return 100000 * (uint64_t)(rank + 1) + 1003 * (uint64_t)step;
}

static void fill_guarded(const struct round *round, char *array, uint64_t seed)
{
    test_fill(round->type, array, round->capacity, seed);
}

static void prepare(const struct round *round, int step)
{
    fill_guarded(round, round->source, key(round->me, step));
    fill_guarded(round, round->dest, 1);
    fill_guarded(round, round->expected, 1);
    CHECK_EQ(shmem_team_sync(round->team), 0);
}

static void place(const struct round *round, size_t to, int rank, int step, size_t from,
                  size_t count)
{
    test_fill(round->type, round->expected + to * round->type->size, count, key(rank, step) + from);
}

/* The whole of dest, what lies behind the result included. */
static void verify(const struct round *round, int status, const char *what)
{
    CHECK_EQ(status, 0);
    test_compare(round->type, round->dest, round->expected, round->capacity, what);
}

static void check_broadcast(const struct round *round, int root, size_t count)
{
    const int step = root;
    prepare(round, step);
    place(round, 0, root, step, 0, count);
    verify(round, round->row->broadcast(round->team, round->dest, round->source, count, root),
           "broadcast");
}

static void check_fcollect(const struct round *round)
{
    prepare(round, 50);
    for (int rank = 0; rank < round->n; rank++)
        place(round, (size_t)rank * COUNT, rank, 50, 0, COUNT);
    verify(round, round->row->fcollect(round->team, round->dest, round->source, COUNT),
           "fcollect");
}

/* Rank r gives r + 1 modulo 4 elements: some give none. */
static void check_collect(const struct round *round)
{
    size_t to = 0;
    prepare(round, 60);
    for (int rank = 0; rank < round->n; rank++) {
        const size_t count = (size_t)(rank + 1) % 4;
        place(round, to, rank, 60, 0, count);
        to += count;
    }
    verify(round, round->row->collect(round->team, round->dest, round->source,
                                      (size_t)(round->me + 1) % 4),
           "collect");
}

static void check_alltoall(const struct round *round)
{
    prepare(round, 70);
    for (int rank = 0; rank < round->n; rank++)
        place(round, (size_t)rank * COUNT, rank, 70, (size_t)round->me * COUNT, COUNT);
    verify(round, round->row->alltoall(round->team, round->dest, round->source, COUNT),
           "alltoall");
}

static void check_alltoalls(const struct round *round)
{
    prepare(round, 80);
    for (int rank = 0; rank < round->n; rank++) {
        const size_t to = (size_t)rank * STRIDED * DST;
        const size_t from = (size_t)round->me * STRIDED * SST;
        for (size_t i = 0; i < STRIDED; i++)
            place(round, to + i * DST, rank, 80, from + i * SST, 1);
    }
    verify(round,
           round->row->alltoalls(round->team, round->dest, round->source, DST, SST, STRIDED),
           "alltoalls");
}

/* No sync between: each collective goes to a part of dest of its own. */
static void check_back_to_back(const struct round *round)
{
    prepare(round, 90);
    const size_t size = round->type->size;
    for (int root = 0; root < round->n; root++) {
        place(round, (size_t)root, root, 90, (size_t)root, 1);
        CHECK_EQ(round->row->broadcast(round->team, round->dest + (size_t)root * size,
                                       round->source + (size_t)root * size, 1, root),
                 0);
    }
    verify(round, 0, "broadcasts back to back");
}

static void check_team(struct round *round, shmem_team_t team)
{
    if (team == SHMEM_TEAM_INVALID)
        return;
    round->team = team;
    round->me = shmem_team_my_pe(team);
    round->n = shmem_team_n_pes(team);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        round->row = &rows[i];
        round->type = test_type(rows[i].type);
        check_broadcast(round, 0, COUNT);
        check_broadcast(round, round->n - 1, 1);
        check_broadcast(round, round->n / 2, 0);
        check_fcollect(round);
        check_collect(round);
        check_alltoall(round);
        check_alltoalls(round);
        check_back_to_back(round);
    }
}

int main(void)
{
    shmem_init();
    const int n = shmem_n_pes();
    struct round round = {.capacity = (size_t)n * STRIDED * DST + GUARD};
    const size_t bytes = round.capacity * TYPE_MAX_BYTES;
    round.source = shmem_malloc(bytes);
    round.dest = shmem_malloc(bytes);
    round.expected = malloc(bytes);
    CHECK(round.source && round.dest && round.expected);

    check_team(&round, SHMEM_TEAM_WORLD);
    shmem_team_t backwards;
    shmem_team_t every_second;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards), 0);
    check_team(&round, backwards);
    shmem_team_destroy(backwards);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &every_second),
             0);
    check_team(&round, every_second);
    shmem_team_destroy(every_second);

    free(round.expected);
    shmem_free(round.dest);
    shmem_free(round.source);
    return test_finish();
}

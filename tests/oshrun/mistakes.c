/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One mistake each, as its first argument says: those after which a job hangs, or would go on with wrong
 * data. The comment at the end of a line is how the test finds the line.
 */
#include <shmemx.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, npes;
static long dest[64], source[64], flag, first, second, met;

/* The last PE computes, and never comes. */
static void missing(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
    if (me == npes - 1)
        for (volatile long turns = 0; turns >= 0; turns++) /* computes */
            ;
    shmem_barrier_all(); /* meets */
}

/* The last PE waits for something else. */
static void elsewhere(void)
{
    if (me == npes - 1)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* waits */
    shmem_barrier_all(); /* meets */
}

static void wrong_root(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 8, me == npes - 1 ? 1 : 0); /* root */
    shmem_barrier_all();
}

/* Each takes the next one for the root, so that nobody sends. */
static void all_receive(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 8, (me + 1) % npes); /* next root */
    shmem_barrier_all();
}

static void wrong_size(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, me == 0 ? 4 : 3); /* size */
    shmem_barrier_all();
}

static void wrong_type(void)
{
    if (me == 0)
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, (int *)dest, (int *)source, 2); /* int */
    else
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1); /* long */
    shmem_barrier_all();
}

static void wrong_call(void)
{
    if (me == 0)
        shmem_barrier_all(); /* barrier */
    else
        shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, 1); /* fcollect */
    shmem_barrier_all();
}

static void wrong_malloc(void)
{
    long *block = shmem_malloc(me == 0 ? 64 : 128); /* malloc */
    block[0] = 1;
    shmem_barrier_all();
}

/* Two blocks of one size: PE 0 frees the other one. */
static void wrong_free(void)
{
    long *blocks[] = {shmem_malloc(64), shmem_malloc(64)};
    shmem_free(blocks[me == 0]); /* free */
    shmem_barrier_all();
}

/* Two teams of all PEs, in another order on the last. */
static void wrong_teams(void)
{
    shmem_team_t a, b;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &a);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &b);
    shmem_team_sync(me == npes - 1 ? b : a); /* once */
    shmem_team_sync(me == npes - 1 ? a : b);
}

/* PE 0 keeps the lock and goes on. */
static void lock(void)
{
    if (me == 0)
        shmem_set_lock(&first); /* takes */
    shmem_barrier_all();
    if (me != 0)
        shmem_set_lock(&first); /* wants */
    shmem_barrier_all(); /* meets */
}

static void locks(void)
{
    shmem_set_lock(me == 0 ? &first : &second); /* takes */
    shmem_sync_all();
    shmem_set_lock(me == 0 ? &second : &first); /* wants */
    shmem_barrier_all();
}

static void value(void)
{
    if (me == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, 3); /* waits */
    shmem_barrier_all(); /* meets */
}

/* The value moves while it is shown, and never gets there. */
static void moves(void)
{
    if (me == 1) {
        usleep(200000);
        shmem_long_p(&flag, 2, 0);
    }
    value();
}

static int *volatile nowhere;
static void fault(void)
{
    if (me == npes - 1)
        *nowhere = 1;
    shmem_barrier_all();
}

static void leave(void)
{
    if (me == npes - 1)
        exit(0);
    shmem_barrier_all(); /* meets */
}

/* Every PE looks again and again, in calls that wait for nobody. */
static void poll_for(void)
{
    while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 1))
        ;
}

/* No mistake: the last PE is early, and has waited for a while when the others come. */
static void early(void)
{
    if (me != npes - 1)
        usleep(1500000);
    shmem_barrier_all();
    shmem_barrier_all();
}

/* The same on all PEs. */
static unsigned next(unsigned long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

/* No mistake: calls by seed, while each PE pauses as it likes. */
static void healthy(unsigned long seed, int turns)
{
    unsigned long mine = seed * 64 + (unsigned long)me;
    shmem_team_t rows, columns;
    long *block = NULL;
    int root;
    for (int turn = 0; turn < turns; turn++) {
        if (next(&mine) % 16 == 0)
            usleep(next(&mine) % 3000);
        switch (next(&seed) % 8) {
        case 0:
            shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &rows, NULL, 0, &columns);
            shmem_team_sync(rows);
            shmem_team_sync(columns);
            shmem_team_destroy(rows);
            shmem_team_destroy(columns);
            break;
        case 1:
            shmem_free(block);
            block = shmem_malloc(next(&seed) % 1000 + 8);
            break;
        case 2:
            shmem_set_lock(&first);
            shmem_clear_lock(&first);
            break;
        case 3:
            root = (int)(next(&seed) % (unsigned)npes);
            shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1 + next(&seed) % 32, root);
            break;
        case 4:
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1 + next(&seed) % 32);
            break;
        case 5:
            shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, (size_t)(me % 3));
            break;
        case 6:
            shmem_long_atomic_inc(&flag, (me + 1) % npes);
            shmem_long_wait_until(&flag, SHMEM_CMP_GT, met++);
            break;
        default:
            shmem_barrier_all();
        }
    }
}

/* What a library over this one would do. */
__attribute__((noinline)) static void wait_for_halo(void)
{
    shmemx_call_for("WAIT_FOR_HALO", __builtin_return_address(0));
    if (npes == 1)
        shmemx_fail("", "WAIT_FOR_HALO", "there are no neighbours");
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmemx_call_for(NULL, NULL);
}

static void layer(void)
{
    wait_for_halo(); /* halo */
    flag = 0;
}

/* A collective of such a library's own puts. */
__attribute__((noinline)) static void exchange_halo(void)
{
    static int arrived[64], turn;
    shmemx_call_for("HALO_EXCHANGE", __builtin_return_address(0));
    uint64_t number = shmemx_call_begin(SHMEM_TEAM_WORLD);
    turn++;
    for (int pe = 0; pe < npes; pe++)
        shmem_int_p(&arrived[me], turn, pe);
    for (int looks = 0; !shmem_int_test_all(arrived, (size_t)npes, NULL, SHMEM_CMP_GE, turn); looks++)
        if (looks > 1000)
            shmemx_call_wait(SHMEM_TEAM_WORLD, number);
    shmemx_call_wait(SHMEM_TEAM_WORLD, 0);
    shmemx_call_for(NULL, NULL);
}

/* The last PE makes a collective of the library's once, and the others twice. */
static void own(void)
{
    exchange_halo(); /* first exchange */
    if (me == npes - 1)
        for (volatile long turns = 0; turns >= 0; turns++) /* computes */
            ;
    exchange_halo(); /* second exchange */
}

#define MOST 200000 /* longs of each PE, and those of four */
static long far_dest[4 * MOST], far_source[4 * MOST];

static void call_one(unsigned which, size_t count, int root)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    switch (which) {
    case 0:
        shmem_sync_all();
        break;
    case 1:
        shmem_long_broadcast(world, far_dest, far_source, count, root);
        break;
    case 2:
        shmem_long_sum_reduce(world, far_dest, far_source, count);
        break;
    case 3:
        shmem_ulong_xor_reduce(world, (unsigned long *)far_dest, (unsigned long *)far_source, count);
        break;
    case 4:
        shmem_long_fcollect(world, far_dest, far_source, count);
        break;
    case 5:
        shmem_long_collect(world, far_dest, far_source, count);
        break;
    case 6:
        shmem_long_alltoall(world, far_dest, far_source, count);
        break;
    default:
        shmem_free(shmem_malloc(count));
    }
}

/* By seed: one PE makes another call than the others, or with another size or root. */
static void other_call(unsigned long seed)
{
    static const size_t counts[] = {1, 7, 40, 1100, 9000, MOST};
    for (int i = 0; i < 8; i++)
        next(&seed);
    unsigned odd = next(&seed) % (unsigned)npes, which = next(&seed) % 8, size = next(&seed) % 6,
             root = next(&seed) % (unsigned)npes, what = next(&seed) % 3;
    bool differs = me == (int)odd;
    for (unsigned calls = next(&seed) % 3; calls > 0; calls--)
        call_one(next(&seed) % 8, 3, 0);
    if (what == 0 || which == 0 || which == 5)
        call_one((which + (differs ? 1 + next(&seed) % 7 : 0)) % 8, counts[size], (int)root);
    else if (what == 1 || which != 1)
        call_one(which, counts[(size + differs) % 6], (int)root);
    else
        call_one(which, counts[size], (int)(root + differs) % npes);
    shmem_barrier_all();
}

static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"missing", missing}, {"elsewhere", elsewhere}, {"root", wrong_root}, {"receive", all_receive}, {"size", wrong_size},
    {"type", wrong_type}, {"call", wrong_call}, {"malloc", wrong_malloc}, {"free", wrong_free}, {"teams", wrong_teams},
    {"lock", lock}, {"locks", locks}, {"value", value}, {"moves", moves},
    {"leave", leave}, {"fault", fault}, {"poll", poll_for}, {"early", early}, {"layer", layer},
    {"own", own},
};

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    for (size_t i = 0; argc > 1 && i < sizeof mistakes / sizeof *mistakes; i++)
        if (!strcmp(argv[1], mistakes[i].name))
            mistakes[i].make();
    if (argc > 2 && !strcmp(argv[1], "other"))
        other_call((unsigned long)atol(argv[2]));
    else if (argc > 2)
        healthy((unsigned long)atol(argv[2]), argc > 3 ? atoi(argv[3]) : 120);
    shmem_finalize();
    return 0;
}

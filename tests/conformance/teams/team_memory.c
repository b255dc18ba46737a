/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of team memory: every kind of access to another member's copy, near and far; PEs that have no copy;
 * random allocation and release by many overlapping teams, against a model; a thousand blocks at once, which
 * take no descriptor; and memory that goes back to the system.
 */
#include "check.h"
#include "descriptors.h"

#include <shmemx.h>

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MIB   ((size_t)1 << 20)
#define TEAMS 8
#define LIVE  200
#define STEPS 400

static int me, npes;

static void check_results(void)
{
    CHECK(shmemx_team_malloc(SHMEM_TEAM_WORLD, 0) == NULL);
    CHECK(shmemx_team_calloc(SHMEM_TEAM_WORLD, 0, 8) == NULL);
    CHECK(shmemx_team_malloc(SHMEM_TEAM_WORLD, SIZE_MAX / 2) == NULL);
    CHECK(shmemx_team_calloc(SHMEM_TEAM_WORLD, SIZE_MAX / 2, 3) == NULL);
    shmemx_team_free(SHMEM_TEAM_WORLD, NULL);
    unsigned char *block = shmemx_team_malloc(SHMEM_TEAM_WORLD, 10000);
    memset(block, 0xff, 10000);
    shmemx_team_free(SHMEM_TEAM_WORLD, block);
    block = shmemx_team_calloc(SHMEM_TEAM_WORLD, 100, 100);
    for (int i = 0; i < 10000; i++)
        CHECK_EQ(block[i], 0);
    CHECK_EQ((uintptr_t)block % 64, 0);
    shmemx_team_free(SHMEM_TEAM_WORLD, block);
}

static void check_pointers(long *block)
{
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_addr_accessible(block, pe), 1);
        CHECK((shmem_ptr(block, pe) != NULL) == test_is_near(pe));
        CHECK(shmemx_local_address(shmemx_owner_address(block + 3, pe), pe) == block + 3);
    }
    CHECK(shmemx_owner_address(block, me) == block);
}

/* block: 16 zeros. The PE before writes to next's. */
static void check_access(long *block)
{
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    long two[2] = {me + 10, me + 11}, back[2] = {0};
    void *dests[] = {block + 4}, *sources[] = {&two[0]};
    const shmemx_vector_t vector = {dests, (const void *const *)sources, 1, sizeof *two};
    shmem_long_p(&block[0], me + 1, next);
    shmem_long_put(&block[1], two, 2, next);
    shmem_long_atomic_add(&block[3], me + 5, next);
    shmemx_putmem_vector(&vector, 1, next);
    shmemx_long_accumulate(&block[5], two, 2, 1, next);
    shmem_long_iput(&block[6], two, 2, 1, 2, next);
    shmem_putmem_signal(&block[9], two, 8, (uint64_t *)&block[10], 7, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until((uint64_t *)&block[10], SHMEM_CMP_EQ, 7);
    shmem_barrier_all();
    const long expected[] = {previous + 1, previous + 10, previous + 11, previous + 5, previous + 10,
                             2 * (previous + 10), previous + 10, 0, previous + 11, previous + 10, 7};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CHECK_EQ(block[i], expected[i]);
    shmem_barrier_all();
    shmem_long_get(back, &block[1], 2, next);
    CHECK(back[0] == me + 10 && back[1] == me + 11);
    CHECK_EQ(shmem_long_g(&block[3], next), me + 5);
    CHECK_EQ(shmem_long_atomic_fetch_inc(&block[3], next), me + 5);
    shmem_set_lock(&block[15]);
    shmem_long_p(&block[11], shmem_long_g(&block[11], 0) + 1, 0);
    shmem_clear_lock(&block[15]);
    block[12] = me;
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &block[13], &block[12], 1), 0);
    CHECK_EQ(block[13], npes * (npes - 1) / 2);
    shmem_barrier_all();
    CHECK(me != 0 || block[11] == npes);
}

static shmem_team_t teams[TEAMS];

/* World, even, first half, second half, all but the first, backwards, pairs, every third. */
static void make_teams(void)
{
    int backwards[64], half = (npes + 1) / 2;
    for (int i = 0; i < npes && i < 64; i++)
        backwards[i] = npes - 1 - i;
    teams[0] = SHMEM_TEAM_WORLD;
    shmem_team_split_strided(teams[0], 0, 2, half, NULL, 0, &teams[1]);
    shmem_team_split_strided(teams[0], 0, 1, half, NULL, 0, &teams[2]);
    shmem_team_split_strided(teams[0], npes - half, 1, half, NULL, 0, &teams[3]);
    shmem_team_split_strided(teams[0], npes > 1, 1, npes > 1 ? npes - 1 : 1, NULL, 0, &teams[4]);
    CHECK_EQ(shmemx_team_from_pes(teams[0], backwards, npes, NULL, 0, &teams[5]), 0);
    shmem_team_t unused;
    shmem_team_split_2d(teams[0], 2, NULL, 0, &teams[6], NULL, 0, &unused);
    shmem_team_split_strided(teams[0], 0, 3, (npes + 2) / 3, NULL, 0, &teams[7]);
}

/* Those of the world and of even PEs: the others have no copy. */
static void check_members(void)
{
    int half = (npes + 1) / 2;
    if (teams[2] == SHMEM_TEAM_INVALID)
        return;
    char *block = shmemx_team_malloc(teams[2], 1000);
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(shmem_addr_accessible(block + 999, pe), pe < half);
        CHECK((shmem_ptr(block, pe) != NULL) == (pe < half && test_is_near(pe)));
    }
    shmemx_team_free(teams[2], block);
    CHECK_EQ(shmem_addr_accessible(block, me), 0);
}

/* The model: every PE draws the same steps, and does those of its own teams. */
static struct live {
    long *words;
    size_t count;
    int team;
    long stamp; /* words[i] is stamp + i * me */
} lives[LIVE];

static void check_block(const struct live *live)
{
    shmem_team_t team = teams[live->team];
    int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);
    int next = shmem_team_translate_pe(team, (rank + 1) % size, SHMEM_TEAM_WORLD);
    for (size_t i = 0; i < live->count; i++)
        CHECK_EQ(live->words[i], live->stamp + (long)i * me);
    CHECK_EQ(shmem_long_g(&live->words[live->count - 1], next), live->stamp + (long)(live->count - 1) * next);
}

static void take(struct live *live, int team, size_t count, long stamp)
{
    *live = (struct live){.team = team, .count = count, .stamp = stamp};
    if (teams[team] == SHMEM_TEAM_INVALID)
        return;
    live->words = shmemx_team_malloc(teams[team], count * sizeof *live->words);
    CHECK(live->words != NULL);
    for (size_t i = 0; i < count; i++)
        live->words[i] = stamp + (long)i * me;
}

static void release(struct live *live)
{
    if (teams[live->team] != SHMEM_TEAM_INVALID) {
        shmem_team_sync(teams[live->team]); /* the stamps of all are there */
        check_block(live);
        shmemx_team_free(teams[live->team], live->words);
    }
    live->count = 0;
}

static void check_at_random(uint64_t seed)
{
    uint64_t state = seed;
    for (int step = 0; step < STEPS; step++) {
        struct live *live = &lives[test_random(&state) % LIVE];
        int team = (int)(test_random(&state) % TEAMS);
        size_t count = 1 + test_random(&state) % (test_random(&state) % 8 ? 300 : 20000);
        if (live->count)
            release(live);
        else
            take(live, team, count, 1000000L * step);
    }
    for (int i = 0; i < LIVE; i++)
        if (lives[i].count)
            release(&lives[i]);
}

static void check_thousand(void)
{
    static long *blocks[1000];
    int before = test_count_descriptors();
    for (int i = 0; i < 1000; i++)
        CHECK((blocks[i] = shmemx_team_malloc(teams[i % 2 ? 5 : 0], 8 * (size_t)(1 + i % 50))) != NULL);
    CHECK_EQ(test_count_descriptors(), before);
    for (int i = 0; i < 1000; i++)
        blocks[i][0] = i;
    for (int i = 999; i >= 0; i -= 2)
        shmemx_team_free(teams[5], blocks[i]);
    for (int i = 0; i < 1000; i += 2) {
        CHECK_EQ(blocks[i][0], i);
        shmemx_team_free(teams[0], blocks[i]);
    }
}

/* Memory that was freed reads as zero where the system has taken it. */
static void check_return(void)
{
    char *block = shmemx_team_malloc(SHMEM_TEAM_WORLD, MIB), *again;
    memset(block, 1, MIB);
    shmemx_team_free(SHMEM_TEAM_WORLD, block);
    again = shmemx_team_malloc(SHMEM_TEAM_WORLD, MIB);
    CHECK(again == block);
    for (size_t i = 0; i < MIB; i += 512)
        CHECK_EQ(again[i], 0);
    shmemx_team_free(SHMEM_TEAM_WORLD, again);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    CHECK(npes <= 64);
    check_results();
    make_teams();
    long *block = shmemx_team_calloc(SHMEM_TEAM_WORLD, 16, sizeof *block);
    check_pointers(block);
    check_access(block);
    shmemx_team_free(SHMEM_TEAM_WORLD, block);
    check_members();
    check_return();
    check_at_random(seed);
    check_thousand();
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thousand teams alive at once, and thousands of contexts on them: each keeps its own members
 * and numbers. Then one collective per thread at a time, each thread on a team of its own.
 */
#include "threads.h"

#define TEAMS    1000
#define CONTEXTS 5000
#define WORKERS  4

static shmem_team_t teams[TEAMS];
static shmem_ctx_t contexts[CONTEXTS];
static long source, dest;
static long inputs[WORKERS][100], outputs[WORKERS][100];

/* Team i: from PE i % npes on, reversed where i is odd. */
static int start_of(int i, int npes)
{
    return i % npes;
}

static int size_of(int i, int npes)
{
    return i % 2 ? i % npes + 1 : npes - i % npes;
}

static void create_teams(int npes)
{
    for (int i = 0; i < TEAMS; i++)
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start_of(i, npes), i % 2 ? -1 : 1,
                                          size_of(i, npes), NULL, 0, &teams[i]), 0);
}

static void check_teams(int me, int npes)
{
    for (int i = 0; i < TEAMS; i++) {
        int start = start_of(i, npes), rank = i % 2 ? start - me : me - start;
        if (rank < 0 || rank >= size_of(i, npes)) {
            CHECK(teams[i] == SHMEM_TEAM_INVALID);
            continue;
        }
        CHECK_EQ(shmem_team_my_pe(teams[i]), rank);
        CHECK_EQ(shmem_team_n_pes(teams[i]), size_of(i, npes));
        source = i + me;
        CHECK_EQ(shmem_long_max_reduce(teams[i], &dest, &source, 1), 0);
        CHECK_EQ(dest, i + (i % 2 ? start : npes - 1));
        CHECK_EQ(shmem_team_sync(teams[i]), 0);
    }
}

static void check_contexts(int me, int npes)
{
    static long cells[MOST_PES];
    for (int i = 0; i < CONTEXTS; i++) {
        shmem_team_t team = teams[i % TEAMS];
        if (team == SHMEM_TEAM_INVALID)
            CHECK_EQ(shmem_ctx_create(0, &contexts[i]), 0);
        else
            CHECK_EQ(shmem_team_create_ctx(team, 0, &contexts[i]), 0);
    }
    for (int i = 0; i < CONTEXTS; i++) {
        shmem_team_t team = teams[i % TEAMS], found = SHMEM_TEAM_INVALID;
        CHECK_EQ(shmem_ctx_get_team(contexts[i], &found), 0);
        CHECK(found == (team == SHMEM_TEAM_INVALID ? SHMEM_TEAM_WORLD : team));
        int last = shmem_team_n_pes(found) - 1;
        int world = shmem_team_translate_pe(found, last, SHMEM_TEAM_WORLD);
        shmem_ctx_long_p(contexts[i], &cells[me], i, last);
        shmem_ctx_quiet(contexts[i]);
        CHECK_EQ(shmem_long_g(&cells[me], world), i);
    }
    for (int i = CONTEXTS - 1; i >= 0; i -= 2)
        shmem_ctx_destroy(contexts[i]);
    for (int i = 0; i < CONTEXTS; i += 2)
        shmem_ctx_destroy(contexts[i]);
    CHECK(npes <= MOST_PES);
}

static void destroy_teams(void)
{
    for (int i = 0; i < TEAMS; i += 2)
        shmem_team_destroy(teams[i]);
    for (int i = TEAMS - 1; i >= 0; i -= 2)
        shmem_team_destroy(teams[i]);
}

/* Thread t reduces over team t, again and again, while the other threads do the same. */
static void *reduce_often(void *argument)
{
    struct worker *worker = argument;
    shmem_team_t *own = worker->argument;
    long *input = inputs[worker->index], *output = outputs[worker->index];
    int npes = worker->npes;
    for (long round = 0; round < 300; round++) {
        size_t count = 1 + (size_t)(round * 7 + worker->index) % 100;
        for (size_t i = 0; i < count; i++)
            input[i] = round + worker->me + (long)i;
        CHECK_EQ(shmem_long_sum_reduce(own[worker->index], output, input, count), 0);
        for (size_t i = 0; i < count; i++)
            CHECK_EQ(output[i], npes * (round + (long)i) + (long)npes * (npes - 1) / 2);
        CHECK_EQ(shmem_team_sync(own[worker->index]), 0);
    }
    return NULL;
}

int main(void)
{
    multiple_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    create_teams(npes);
    check_teams(me, npes);
    check_contexts(me, npes);
    check_teams(me, npes);
    destroy_teams();
    create_teams(npes);
    check_teams(me, npes);
    destroy_teams();

    shmem_team_t own[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &own[i]), 0);
    run_workers(WORKERS, reduce_often, own);
    shmem_barrier_all();
    for (int i = 0; i < WORKERS; i++)
        shmem_team_destroy(own[i]);
    return test_finish();
}

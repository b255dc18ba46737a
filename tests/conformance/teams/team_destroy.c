/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_team_destroy, and what becomes of a team's contexts; two teams' collectives at once in
 * one PE, each in a thread of its own.
 */
#include "check.h"

#include <pthread.h>

enum { TIMES = 300, THREADS = 2, ROUNDS = 50 };

struct worker {
    shmem_team_t team;
    long *sum, *term;
};

static void destroy_of_invalid_does_nothing(int me)
{
    if (me == 0)
        shmem_team_destroy(SHMEM_TEAM_INVALID);
    shmem_barrier_all();
}

static void teams_come_and_go(int me, int n)
{
    for (int i = 0; i < TIMES; i++) {
        shmem_team_t team;
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % n, 0, 1, NULL, 0, &team), 0);
        CHECK_EQ(shmem_team_n_pes(team), me == i % n ? 1 : -1);
        shmem_team_destroy(team);
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0);
        CHECK_EQ(shmem_team_sync(team), 0);
        shmem_team_destroy(team);
    }
}

/* What a context of it had pending is complete afterwards. */
static void destroy_takes_shareable_contexts_along(int me, int n)
{
    static long data[4];
    for (int round = 0; round < ROUNDS; round++) {
        shmem_team_t team;
        shmem_ctx_t contexts[4];
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team), 0);
        const int right = (shmem_team_my_pe(team) + 1) % n;
        for (int i = 0; i < 4; i++) {
            const long value = 100 * round + 10 * me + i;
            CHECK_EQ(shmem_team_create_ctx(team, i % 2 ? SHMEM_CTX_SERIALIZED : 0, &contexts[i]),
                     0);
            shmem_ctx_long_p(contexts[i], &data[i], value, right);
            shmem_ctx_quiet(contexts[i]);
        }
        shmem_team_destroy(team);
        shmem_barrier_all();
        for (int i = 0; i < 4; i++)
            CHECK_EQ(data[i], 100 * round + 10 * ((me + 1) % n) + i);
        shmem_barrier_all();
    }
}

static void *reduce(void *argument)
{
    const struct worker *worker = argument;
    const int n = shmem_team_n_pes(worker->team);
    for (int i = 0; i < ROUNDS; i++) {
        *worker->term = i + shmem_team_my_pe(worker->team);
        CHECK_EQ(shmem_long_sum_reduce(worker->team, worker->sum, worker->term, 1), 0);
        CHECK_EQ(*worker->sum, (long)n * i + (long)n * (n - 1) / 2);
        CHECK_EQ(shmem_team_sync(worker->team), 0);
    }
    return NULL;
}

static void different_teams_run_collectives_at_once(int n)
{
    static long sums[THREADS], terms[THREADS];
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.sum = &sums[i], .term = &terms[i]};
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, i ? n - 1 : 0, i ? -1 : 1, n, NULL, 0,
                                          &workers[i].team),
                 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, reduce, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        shmem_team_destroy(workers[i].team);
}

int main(void)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    destroy_of_invalid_does_nothing(me);
    teams_come_and_go(me, n);
    destroy_takes_shareable_contexts_along(me, n);
    if (provided == SHMEM_THREAD_MULTIPLE)
        different_teams_run_collectives_at_once(n);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same ranking with OpenMP, to compare with: a thread reads the keys of its buckets where the others
 * have put them.
 */
#include "task.h"

#include <omp.h>

#include <stdlib.h>
#include <string.h>

struct state {
    struct ranks *ranks; /* one per thread */
    uint32_t *grouped;   /* of all threads, one behind the other */
    int32_t *all;        /* likewise */
    int threads;
};

static const uint32_t *segment_of(const struct state *state, const struct ranks *mine, int thread,
                                  long *count)
{
    const struct segment segment = ranks_segment_of(mine, thread);
    *count = segment.count;
    return state->ranks[thread].grouped + segment.first;
}

static void rank_keys(const struct state *state, struct ranks *ranks, int iteration)
{
    ranks_count(ranks, iteration);
#pragma omp barrier
    ranks_group(ranks);
#pragma omp barrier
    ranks_clear(ranks);
    for (int i = 0; i < state->threads; i++) {
        long count;
        const uint32_t *keys = segment_of(state, ranks, (ranks->part + i) % state->threads, &count);
        ranks_add(ranks, keys, count);
    }
    ranks_finish(ranks, iteration);
}

/* The keys that a thread counts per bucket are read by others until these have grouped theirs and read all.
 */
static void work(void *argument)
{
    const struct state *state = argument;
#pragma omp parallel num_threads(state->threads)
    {
        struct ranks *ranks = &state->ranks[omp_get_thread_num()];
        for (int iteration = 1; iteration <= PROBLEM_ITERATIONS; iteration++) {
            rank_keys(state, ranks, iteration);
#pragma omp barrier
        }
    }
}

static bool are_sorted(const struct state *state, struct ranks *ranks)
{
    const size_t bytes = (size_t)(ranks->total + 1) * sizeof(uint32_t);
    uint32_t *sorted = malloc(bytes);
    if (sorted == NULL)
        return false;
    memset(sorted, 0xff, bytes);
    for (int thread = 0; thread < state->threads; thread++) {
        long count;
        const uint32_t *keys = segment_of(state, ranks, thread, &count);
        ranks_place(ranks, keys, count, sorted);
    }
    const bool sound = ranks_are_sorted(ranks, sorted);
    free(sorted);
    return sound;
}

static int verify(const struct state *state, const struct task *task)
{
    long wrong = 0;
    bool sorted = true;
    for (int thread = 0; thread < state->threads; thread++) {
        wrong += state->ranks[thread].wrong;
        sorted = are_sorted(state, &state->ranks[thread]) && sorted;
    }
    return task_verify(task, wrong, sorted);
}

/* A thread is the first to touch its keys. */
static int create(struct state *state, const struct problem *problem)
{
    const int threads = state->threads;
    int lacking = 0, given = 0;
    state->ranks = calloc((size_t)threads, sizeof *state->ranks);
    state->grouped = malloc(sizeof(uint32_t) << problem->log_keys);
    state->all = malloc((size_t)threads * RANKS_BUCKETS * sizeof *state->all);
    if (state->ranks == NULL || state->grouped == NULL || state->all == NULL)
        return app_fail("not enough memory for class %c", problem->class);
#pragma omp parallel num_threads(threads) reduction(max : lacking, given)
    {
        const int me = omp_get_thread_num();
        struct ranks *ranks = &state->ranks[me];
        given = omp_get_num_threads();
        lacking = ranks_create(ranks, problem, me, threads) != 0;
        ranks->grouped = state->grouped + ranks->first;
        ranks->mine = state->all + (long)me * RANKS_BUCKETS;
        ranks->all = state->all;
    }
    if (given != threads)
        return app_fail("OpenMP gives %d threads of %d: see OMP_THREAD_LIMIT and OMP_DYNAMIC", given,
                        threads);
    return lacking ? app_fail("not enough memory for class %c", problem->class) : 0;
}

static void destroy(struct state *state)
{
    for (int thread = 0; state->ranks != NULL && thread < state->threads; thread++)
        ranks_destroy(&state->ranks[thread]);
    free(state->all);
    free(state->grouped);
    free(state->ranks);
}

int main(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, &task);
    if (status != APP_RUN)
        return status;
    struct state state = {.threads = app_workers()};
    status = create(&state, task.problem);
    if (status == 0) {
        task_time(&task, work, &state);
        status = verify(&state, &task);
    }
    destroy(&state);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same ranking with MPI, to compare with: every rank's keys travel to the ranks of their buckets.
 */
#include "task.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

struct state {
    struct ranks ranks;
    uint32_t *landing;
    long landing_count;
    int *counts; /* four lists of one number per rank: sent, from where, received, to where */
};

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        app_fail("not enough memory");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Keys of this rank's buckets, from all. */
static long exchange(struct state *state)
{
    const struct ranks *ranks = &state->ranks;
    const int parts = ranks->parts;
    int *sent = state->counts, *from = sent + parts, *received = from + parts, *to = received + parts;
    long landed = 0;
    for (int rank = 0; rank < parts; rank++) {
        const struct segment segment = ranks_segment_for(ranks, rank);
        sent[rank] = (int)segment.count;
        from[rank] = (int)segment.first;
        received[rank] = (int)ranks_segment_of(ranks, rank).count;
        to[rank] = (int)landed;
        landed += received[rank];
    }
    if (landed > state->landing_count) {
        free(state->landing);
        state->landing = allocate((size_t)landed * sizeof *state->landing);
        state->landing_count = landed;
    }
    MPI_Alltoallv(ranks->grouped, sent, from, MPI_UINT32_T, state->landing, received, to, MPI_UINT32_T,
                  MPI_COMM_WORLD);
    return landed;
}

static void work(void *argument)
{
    struct state *state = argument;
    struct ranks *ranks = &state->ranks;
    for (int iteration = 1; iteration <= PROBLEM_ITERATIONS; iteration++) {
        ranks_count(ranks, iteration);
        MPI_Allgather(ranks->mine, RANKS_BUCKETS, MPI_INT32_T, (int32_t *)ranks->all, RANKS_BUCKETS,
                      MPI_INT32_T, MPI_COMM_WORLD);
        ranks_group(ranks);
        const long landed = exchange(state);
        ranks_clear(ranks);
        ranks_add(ranks, state->landing, landed);
        ranks_finish(ranks, iteration);
    }
}

static int verify(struct state *state, const struct task *task)
{
    const size_t bytes = (size_t)(state->ranks.total + 1) * sizeof(uint32_t);
    uint32_t *sorted = allocate(bytes);
    memset(sorted, 0xff, bytes);
    ranks_place(&state->ranks, state->landing, state->ranks.total, sorted);
    const int status = task_verify(task, state->ranks.wrong, ranks_are_sorted(&state->ranks, sorted));
    free(sorted);
    return status;
}

static int run(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, &task);
    if (status != APP_RUN)
        return status;
    const size_t ranks = (size_t)app_workers();
    struct state state = {.counts = allocate(4 * ranks * sizeof(int))};
    if (ranks_create(&state.ranks, task.problem, app_rank(), (int)ranks) != 0)
        MPI_Abort(MPI_COMM_WORLD, app_fail("not enough memory for class %c", task.problem->class));
    state.ranks.grouped = allocate((size_t)(state.ranks.count + 1) * sizeof(uint32_t));
    state.ranks.mine = allocate(RANKS_BUCKETS * sizeof(int32_t));
    state.ranks.all = allocate(ranks * RANKS_BUCKETS * sizeof(int32_t));
    task_time(&task, work, &state);
    status = verify(&state, &task);
    free((void *)state.ranks.all);
    free(state.ranks.mine);
    free(state.ranks.grouped);
    ranks_destroy(&state.ranks);
    free(state.landing);
    free(state.counts);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int status = run(argc, argv);
    MPI_Finalize();
    return status;
}

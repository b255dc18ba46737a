/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The integer sort benchmark of the NAS parallel benchmarks, over PEs. See README.md.
 */
#include "app.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct ranks ranks;
    uint32_t *grouped; /* symmetric: my keys by bucket */
    int32_t *mine;     /* symmetric: my keys per bucket */
    int32_t *all[2];   /* symmetric: those of all PEs, in turn */
    uint32_t *landing; /* private: keys from PEs whose memory is not to be read in place */
    long landing_count;
    bool lacks_memory;
};

/* A PE's keys of my buckets where they lie; NULL for one whose memory cannot be read. */
static const uint32_t *keys_there(const struct state *state, int pe)
{
    return shmem_ptr(state->grouped, pe);
}

/* Keys that have to be fetched. */
static long count_far(const struct state *state)
{
    long count = 0;
    for (int pe = 0; pe < state->ranks.parts; pe++)
        if (keys_there(state, pe) == NULL)
            count += ranks_segment_of(&state->ranks, pe).count;
    return count;
}

static bool make_room(struct state *state, long count)
{
    if (count <= state->landing_count)
        return true;
    free(state->landing);
    state->landing = malloc((size_t)count * sizeof *state->landing);
    state->landing_count = state->landing != NULL ? count : 0;
    return state->landing != NULL;
}

/* What is done with each run of keys. */
typedef void visitor(struct ranks *ranks, const uint32_t *keys, long count, void *argument);

/* All keys of my buckets: those of other hosts travel while those of this one are visited where they lie.
 * Each PE begins with its own, so that not all read from the same one. */
static void visit(struct state *state, visitor *visitor, void *argument)
{
    struct ranks *ranks = &state->ranks;
    if (!make_room(state, count_far(state))) {
        state->lacks_memory = true;
        return;
    }
    uint32_t *landing = state->landing;
    long landed = 0;
    for (int pe = 0; pe < ranks->parts; pe++) {
        const struct segment segment = ranks_segment_of(ranks, pe);
        if (keys_there(state, pe) != NULL || segment.count == 0)
            continue;
        shmem_uint32_get_nbi(landing + landed, state->grouped + segment.first, (size_t)segment.count, pe);
        landed += segment.count;
    }
    for (int i = 0; i < ranks->parts; i++) {
        const int pe = (ranks->part + i) % ranks->parts;
        const struct segment segment = ranks_segment_of(ranks, pe);
        const uint32_t *there = keys_there(state, pe);
        if (there != NULL)
            visitor(ranks, there + segment.first, segment.count, argument);
    }
    shmem_quiet();
    visitor(ranks, landing, landed, argument);
}

static void add(struct ranks *ranks, const uint32_t *keys, long count, void *argument)
{
    (void)argument;
    ranks_add(ranks, keys, count);
}

static void place(struct ranks *ranks, const uint32_t *keys, long count, void *argument)
{
    ranks_place(ranks, keys, count, argument);
}

/* Once fcollect returns all PEs have entered it, so none reads the groups of the iteration before any more.
 */
static void rank_keys(struct state *state, int iteration)
{
    struct ranks *ranks = &state->ranks;
    int32_t *all = state->all[iteration % 2];
    ranks_count(ranks, iteration);
    shmem_int32_fcollect(SHMEM_TEAM_WORLD, all, state->mine, RANKS_BUCKETS);
    ranks->all = all;
    ranks_group(ranks);
    shmem_barrier_all();
    ranks_clear(ranks);
    visit(state, add, NULL);
    ranks_finish(ranks, iteration);
}

static void work(void *argument)
{
    for (int iteration = 1; iteration <= PROBLEM_ITERATIONS; iteration++)
        rank_keys(argument, iteration);
}

/* Collective. 0, or 1 on all PEs and the reason is printed. */
static int create(struct state *state, const struct problem *problem)
{
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    if (app_agree(ranks_create(&state->ranks, problem, me, pes) != 0) != 0)
        return app_fail("not enough memory for class %c", problem->class);
    const size_t most = (size_t)(app_block_first(1L << problem->log_keys, 1, pes));
    state->grouped = app_allocate(most, sizeof *state->grouped, "keys by bucket");
    state->mine = state->grouped == NULL ? NULL : app_allocate(RANKS_BUCKETS, sizeof(int32_t), "buckets");
    for (int turn = 0; turn < 2 && state->mine != NULL; turn++) {
        state->all[turn] =
            app_allocate((size_t)pes * RANKS_BUCKETS, sizeof(int32_t), "everybody's buckets");
        if (state->all[turn] == NULL)
            return 1;
    }
    state->ranks.grouped = state->grouped;
    state->ranks.mine = state->mine;
    return state->mine == NULL;
}

static void destroy(struct state *state)
{
    for (int turn = 1; turn >= 0; turn--)
        shmem_free(state->all[turn]);
    shmem_free(state->mine);
    shmem_free(state->grouped);
    free(state->landing);
    ranks_destroy(&state->ranks);
}

/* Collective. 0, or 1 and the reason is printed. */
static int verify(struct state *state, const struct task *task)
{
    const size_t bytes = (size_t)(state->ranks.total + 1) * sizeof(uint32_t);
    uint32_t *sorted = malloc(bytes);
    if (app_agree(sorted == NULL || state->lacks_memory) != 0) {
        free(sorted);
        return app_fail("not enough memory for the keys of a PE's buckets");
    }
    memset(sorted, 0xff, bytes);
    visit(state, place, sorted);
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
    struct state state = {0};
    status = create(&state, task.problem);
    if (status == 0) {
        task_time(&task, work, &state);
        status = verify(&state, &task);
    }
    destroy(&state);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    const int status = run(argc, argv);
    shmem_finalize();
    return status;
}

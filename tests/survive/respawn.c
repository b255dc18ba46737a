/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs die at random moments of a job that has processes in reserve, some of them again once they were
 * respawned, and while the others meet. The living ask for new ones and meet them, and all go on from what
 * is in the symmetric heap: in the end every PE has every step's sum once. Arguments: seed; how many in a
 * hundred new processes die while they start, where a proxy has started them (several hosts).
 */
#define _GNU_SOURCE
#include "check.h"
#include "meet.h"

#include <shmemx.h>
#include <shmemx_ft.h>

#include <setjmp.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define STEPS  300
#define LATEST 6000 /* us until a death */

/* In the heap, which outlives its PE. Whoever dies leaves a step done or not: the sum of the next one is
 * written first. */
struct state {
    long step;    /* done */
    long sums[2]; /* up to step, by parity, and up to the step before or after */
    int lives;    /* of this PE */
};

static struct state *state; /* static, so that others can be asked for it */
static long mine, all, least, last_step = -1; /* of this process: it dies in it */
static sigjmp_buf out;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static void set_timer(long us)
{
    struct itimerval timer = {.it_value = {.tv_usec = us}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Before shmem_init, in it, or soon after. */
static void die_while_starting(int seed, long percent)
{
    char environment[65536];
    uint64_t random = (uint64_t)seed * 1000003 + (uint64_t)getpid();
    FILE *file = fopen("/proc/self/environ", "r"); /* the library has taken the variable away */
    size_t length = file ? fread(environment, 1, sizeof environment, file) : 0;
    if (file)
        fclose(file);
    if (memmem(environment, length, "\0SHEAF_PLACE=", 13) &&
        test_random_below(&random, 100) < (uint64_t)percent)
        set_timer(1 + (long)test_random_below(&random, 3 * LATEST));
}

static void set_death(uint64_t *random)
{
    if (test_random_below(random, 2))
        set_timer(1 + (long)test_random_below(random, LATEST));
    else
        last_step = (long)test_random_below(random, STEPS);
}

/* One PE dies once or twice, and of some jobs another, too: oshrun has four in reserve. Half of them die in a
 * step: on many processors the job takes less than the time. */
static void die_later(int seed)
{
    uint64_t random = (uint64_t)seed, own = (uint64_t)seed * 100 + (uint64_t)state->lives;
    int npes = shmem_n_pes(), victim = (int)test_random_below(&random, (uint64_t)npes);
    int other = test_random_below(&random, 2) ? (victim + 1) % npes : -1;
    int times = 1 + (int)test_random_below(&random, 2);
    if ((shmem_my_pe() == victim || shmem_my_pe() == other) && state->lives < times)
        set_death(&own);
}

/* Its blocks are where the others have them, whatever their addresses here. */
static void find_state(void)
{
    int other = 0;
    struct state *theirs;
    while (shmemx_pe_status(other) != SHMEMX_PE_ALIVE)
        other++;
    CHECK(other < shmem_n_pes());
    shmem_getmem(&theirs, &state, sizeof theirs, other);
    state = shmemx_local_address(theirs, other);
    CHECK(state != NULL);
    state->lives++;
}

/* Some have done the last step and some have not. */
static void agree_on_step(void)
{
    mine = state->step;
    shmem_barrier_all();
    shmem_long_min_reduce(SHMEM_TEAM_WORLD, &least, &mine, 1);
    CHECK(state->step == least || state->step == least + 1);
    shmem_barrier_all();
    state->step = least;
}

static void work(void)
{
    while (state->step < STEPS) {
        long step = state->step;
        mine = step + shmem_my_pe();
        if (step == last_step)
            set_timer(1);
        shmem_barrier_all();
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
        if (step % 8 == 0)
            shmem_free(shmem_malloc(100 + (size_t)step));
        state->sums[(step + 1) % 2] = state->sums[step % 2] + all;
        shmem_atomic_set(&state->step, step + 1, shmem_my_pe());
    }
}

static void check(void)
{
    long sum = 0, npes = shmem_n_pes();
    for (long step = 0; step < STEPS; step++)
        sum += npes * step + npes * (npes - 1) / 2;
    CHECK_EQ(state->sums[STEPS % 2], sum);
    char *block = shmem_malloc(64);
    uint64_t offset = (uint64_t)(block - (char *)state), same = offset;
    CHECK_EQ(shmemx_agree(SHMEM_TEAM_WORLD, &same), 0);
    CHECK_EQ(same, offset);
}

int main(int argc, char **argv)
{
    static int seed; /* of the stack, siglongjmp might lose it */
    seed = argc > 1 ? atoi(argv[1]) : 1;
    die_while_starting(seed, argc > 2 ? atol(argv[2]) : 0);
    shmem_init();
    CHECK(shmem_n_pes() <= MOST_PES);
    if (shmemx_is_respawned()) {
        while (sigsetjmp(out, 0) != 0) /* the PE that it has asked is dead */
            continue;
        shmemx_on_failure(leave, NULL);
        find_state();
    } else {
        state = shmem_calloc(1, sizeof *state);
    }
    if (sigsetjmp(out, 0) == 0) {
        shmemx_on_failure(leave, NULL);
        if (!shmemx_is_respawned())
            shmem_barrier_all(); /* some may leave it by the handler: others may be out, and dead */
    }
    die_later(seed);
    if (sigsetjmp(out, 0) != 0 || shmemx_failed_pes(NULL) != 0 || shmemx_is_respawned()) {
        meet();
        agree_on_step();
    }
    work();
    set_timer(0);
    shmem_barrier_all();
    check();
    shmem_finalize();
    return 0;
}

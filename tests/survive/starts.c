/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE is killed at a random moment of its start: before shmem_init, in it, or soon after. The job ends then and
 * says so, or goes on without it. Arguments: seed; the latest moment, in us.
 */
#include "check.h"

#include <shmemx.h>
#include <shmemx_ft.h>

#include <setjmp.h>
#include <sys/time.h>

#define ROUNDS 100

static sigjmp_buf out;
static shmem_team_t team;
static long mine, sum;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static int number_of(const char *one, const char *other)
{
    const char *text = getenv(one) ? getenv(one) : getenv(other);
    if (!text)
        TEST_SKIP("a launcher that tells its processes which they are");
    return atoi(text);
}

/* Who it is before the library says so. */
static void die_later(uint64_t seed, uint64_t latest)
{
    uint64_t random = seed;
    int me = number_of("PMI_RANK", "OMPI_COMM_WORLD_RANK"), pes = number_of("PMI_SIZE", "OMPI_COMM_WORLD_SIZE");
    int victim = (int)test_random_below(&random, (uint64_t)pes);
    long us = 1 + (long)test_random_below(&random, latest);
    struct itimerval timer = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};
    if (me == victim)
        setitimer(ITIMER_REAL, &timer, NULL);
}

int main(int argc, char **argv)
{
    CHECK(argc > 2);
    die_later(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
    shmem_init();
    team = SHMEM_TEAM_WORLD;
    shmemx_on_failure(leave, NULL);
    if (sigsetjmp(out, 0) != 0)
        CHECK_EQ(shmemx_team_shrink(team, &team), 0);
    for (long round = 1; round <= ROUNDS; round++) {
        mine = round;
        CHECK_EQ(shmem_long_sum_reduce(team, &sum, &mine, 1), 0);
        CHECK_EQ(sum, round * shmem_team_n_pes(team));
    }
    shmem_finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE, or all PEs of a host, die while all are in barriers: when has each survivor left, when have they
 * agreed, when are they a team and have met. In s of CLOCK_MONOTONIC, which hosts that one machine plays
 * have in common. Argument: the PE that kills itself, or -1: others see to it once "ready" is said.
 */
#include "bench.h"

#include <shmemx_ft.h>

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf out;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static void say(const char *what, double when_ns)
{
    printf("%s %d %.9f\n", what, bench_me, when_ns / 1e9);
    fflush(stdout);
}

static void die(void)
{
    usleep(20000);
    say("died", bench_now_ns());
    kill(getpid(), SIGKILL);
}

/* What all of the living do. */
static void go_on(double left)
{
    uint64_t flags = 1;
    shmem_team_t living;
    double begun = bench_now_ns();
    shmemx_agree(SHMEM_TEAM_WORLD, &flags);
    double agreed = bench_now_ns();
    shmemx_team_shrink(SHMEM_TEAM_WORLD, &living);
    shmem_team_sync(living);
    double met = bench_now_ns();
    say("left", left);
    say("begun", begun);
    say("agreed", agreed);
    say("met", met);
}

int main(int argc, char **argv)
{
    int victim = argc > 1 ? atoi(argv[1]) : -1;
    bench_start();
    shmemx_on_failure(leave, NULL);
    if (sigsetjmp(out, 0) != 0) {
        go_on(bench_now_ns());
        shmem_finalize();
        return 0;
    }
    for (int i = 0; i < 100; i++)
        shmem_barrier_all();
    if (bench_me == 0)
        say("ready", bench_now_ns());
    if (bench_me == victim)
        die();
    for (;;)
        shmem_barrier_all();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last PE dies over and over, and a new process takes its place: how long until the others know, until
 * they are a team of their own and have met, and until all have met again. Times are those of the last PE
 * that got so far, from the death on or from the request for a process. Argument: deaths. Started with
 * SHEAF_FAILURES=report and as many spares.
 */
#include "bench.h"

#include <shmemx_ft.h>

#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#define MOST 1000

enum step { DETECTED, GOES_ON, RESPAWNED, RECOVERED, STEPS };
static const char *const names[STEPS] = {"detection", "shrink and barrier", "respawn", "recovery"};

/* In the heap, which outlives its PE; written by PE 0 but for times, which are each PE's own. */
struct record {
    int round;
    double died_ns;
    double time_us[STEPS][MOST];
};

static struct record *record; /* static, so that others can be asked for it */
static sigjmp_buf out;
static int deaths;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static int victim(void)
{
    return bench_pes - 1;
}

static void note(enum step step, double since_ns)
{
    record->time_us[step][record->round] = (bench_now_ns() - since_ns) / 1e3;
}

/* The others write its time down first: it is the last thing that the dead PE does. */
static void die(void)
{
    double now = bench_now_ns();
    for (int pe = 0; pe < bench_pes; pe++)
        shmem_double_p(&record->died_ns, now, pe);
    shmem_quiet();
    kill(getpid(), SIGKILL);
}

/* The living alone. */
static void go_on(void)
{
    shmem_team_t living;
    note(DETECTED, record->died_ns);
    shmemx_team_shrink(SHMEM_TEAM_WORLD, &living);
    shmem_team_sync(living);
    note(GOES_ON, record->died_ns);
    shmem_team_destroy(living);
}

static void meet_again(void)
{
    double begin = bench_now_ns();
    if (bench_me == 0 && shmemx_respawn(victim()) != 0) {
        fprintf(stderr, "recovery: no process in reserve\n");
        shmem_global_exit(1);
    }
    while (shmemx_rejoin() != 0)
        ;
    note(RESPAWNED, begin);
    shmem_barrier_all();
    note(RECOVERED, record->died_ns);
    record->round++;
    shmem_barrier_all();
}

static void find_record(void)
{
    struct record *theirs;
    shmem_getmem(&theirs, &record, sizeof theirs, 0);
    record = shmemx_local_address(theirs, 0);
    shmemx_rejoin();
    shmem_barrier_all();
    shmem_barrier_all();
}

static void report(void)
{
    static double theirs[MOST];
    for (int step = 0; step < STEPS; step++) {
        for (int pe = 1; pe < victim(); pe++) {
            shmem_double_get(theirs, record->time_us[step], (size_t)deaths, pe);
            for (int i = 0; i < deaths; i++)
                if (theirs[i] > record->time_us[step][i])
                    record->time_us[step][i] = theirs[i];
        }
        for (int i = 0; i < deaths; i++)
            bench_report(names[step], 0, record->time_us[step][i], "us");
    }
}

static void one_death(void)
{
    if (sigsetjmp(out, 0) == 0) {
        shmem_barrier_all();
        if (bench_me == victim())
            die();
        shmem_barrier_all();
    }
    go_on();
    meet_again();
}

int main(int argc, char **argv)
{
    deaths = argc > 1 ? atoi(argv[1]) : 100;
    shmem_init();
    bench_me = shmem_my_pe();
    bench_pes = shmem_n_pes();
    if (deaths < 1 || deaths > MOST || bench_pes < 2)
        return 1;
    bench_pin(bench_me);
    shmemx_on_failure(leave, NULL);
    if (shmemx_is_respawned())
        find_record();
    else
        record = shmem_calloc(1, sizeof *record);
    while (shmem_int_g(&record->round, 0) < deaths) /* the last one alone lives on */
        one_death();
    shmem_barrier_all();
    if (bench_me == 0)
        report();
    bench_end();
}

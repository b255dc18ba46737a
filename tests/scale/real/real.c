/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Real PEs, on hosts that are namespaces of this machine, with whose times the model is compared. Prints a line with tabs for the start
 * and for each call: name, nodes, PEs, microseconds, microseconds of all processors, of all PEs together. Arguments:
 * the nodes, the time of CLOCK_MONOTONIC in nanoseconds at which the launcher was started, and "start" for the start alone.
 * real.py runs it.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LARGE   8192 /* words: 64 KiB */
#define BATCHES 41
#define BATCH   3e6 /* nanoseconds */
#define WARM    3e8 /* the same, of barriers before the first call: until what follows a start has ended */

static long *source, *dest;
static double mine, longest, ran, ran_by_all;
static int calls;

static double now_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void run_barrier(void)
{
    shmem_sync_all();
}

static void run_broadcast(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, 0);
}

static void run_large_broadcast(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, LARGE, 0);
}

static void run_sum(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
}

static void run_large_sum(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, LARGE);
}

static void run_alltoall(void)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, 1);
}

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {
    {"barrier", run_barrier}, {"broadcast, 8 B", run_broadcast}, {"broadcast, 64 KiB", run_large_broadcast},
    {"sum, 8 B", run_sum},    {"sum, 64 KiB", run_large_sum},    {"alltoall, 8 B", run_alltoall},
};

/* Each call but the barrier has a barrier behind it, so that no PE runs ahead. */
static double batch(void (*run)(void), int count)
{
    double begun = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < count; i++) {
        run();
        if (run != run_barrier)
            run_barrier();
    }
    return (now_ns(CLOCK_MONOTONIC) - begun) / count;
}

static void warm(void)
{
    double until = now_ns(CLOCK_MONOTONIC) + WARM;
    for (calls = 1; calls != 0;) {
        batch(run_barrier, 10);
        calls = now_ns(CLOCK_MONOTONIC) < until;
        shmem_int_broadcast(SHMEM_TEAM_WORLD, &calls, &calls, 1, 0);
    }
}

static int compare(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static void measure(const char *name, void (*run)(void), const char *nodes)
{
    double took[BATCHES];
    batch(run, 4);
    calls = (int)(BATCH / batch(run, 4));
    calls = calls < 1 ? 1 : calls > 200 ? 200 : calls;
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &calls, &calls, 1, 0);
    run_barrier();
    ran = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < BATCHES; i++)
        took[i] = batch(run, calls);
    ran = (now_ns(CLOCK_PROCESS_CPUTIME_ID) - ran) / BATCHES / calls;
    qsort(took, BATCHES, sizeof *took, compare);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &ran_by_all, &ran, 1);
    if (shmem_my_pe() == 0)
        printf("%s\t%s\t%d\t%.1f\t%.1f\n", name, nodes, shmem_n_pes(), took[BATCHES / 2] / 1000, ran_by_all / 1000);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    shmem_init();
    mine = now_ns(CLOCK_MONOTONIC) - atof(argv[2]);
    ran = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &longest, &mine, 1);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &ran_by_all, &ran, 1);
    if (shmem_my_pe() == 0)
        printf("start\t%s\t%d\t%.1f\t%.1f\n", argv[1], shmem_n_pes(), longest / 1000, ran_by_all / 1000);
    source = shmem_calloc(LARGE, sizeof *source);
    dest = shmem_calloc(LARGE, sizeof *dest);
    if (argc == 3)
        warm();
    for (size_t i = 0; argc == 3 && i < sizeof all / sizeof *all; i++)
        measure(all[i].name, all[i].run, argv[1]);
    shmem_finalize();
    return 0;
}

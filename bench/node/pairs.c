/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The latency of every pair of CPUs that this job may use: PE 0 on one and PE 1 on the other play ping-pong with 8 bytes.
 * Half of a trip there and back is told.
 */
#include "../bench.h"

#define TRIPS 20000

static long ball;
static double trips[TRIPS];

static void run_on(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        shmem_global_exit(1);
}

static double median_trip_ns(long count)
{
    static long turn;
    shmem_barrier_all();
    for (long i = 0; i < count; i++) {
        double begun_ns = bench_now_ns();
        turn++;
        if (bench_me == 0)
            shmem_long_p(&ball, turn, 1);
        shmem_long_wait_until(&ball, SHMEM_CMP_EQ, turn);
        if (bench_me == 1)
            shmem_long_p(&ball, turn, 0);
        trips[i] = (bench_now_ns() - begun_ns) / 2;
    }
    return bench_median(trips, (int)count);
}

/* A PE that its launcher has bound to some of the CPUs may have the others too, where the system lets it. */
static int usable_cpus(int *cpus)
{
    cpu_set_t all;
    int count = 0;
    memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
    sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all))
            cpus[count++] = cpu;
    return count;
}

int main(void)
{
    bench_start();
    int cpus[CPU_SETSIZE], count = usable_cpus(cpus);
    long wanted = bench_setting("BENCH_TRIPS", TRIPS);
    for (int i = 0; i < count && bench_pes == 2; i++)
        for (int j = i + 1; j < count; j++) {
            char name[48];
            run_on(cpus[bench_me == 0 ? i : j]);
            snprintf(name, sizeof name, "CPU %d and CPU %d", cpus[i], cpus[j]);
            bench_report(name, 8, median_trip_ns(wanted < TRIPS ? wanted : TRIPS), "ns");
        }
    bench_end();
}

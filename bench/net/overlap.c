/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of a nonblocking transfer computation hides, by size. Between a transfer's issue and its
 * quiet stands computation: three to four times what the transfer takes alone, and just as much as
 * that. What the whole takes beyond the computation is what the transfer cost; the rest of the
 * transfer's own time, in per cent, was overlapped. What the call that issues the transfer takes bounds
 * it. The target PE waits in a barrier; with BENCH_ASLEEP=1 also one that sleeps and does not call the
 * library, which leaves its CPU to others. All its threads stay on that CPU, as on a host of its own.
 *
 * With BENCH_KERNEL=1 also what the kernel leaves: its work for a transfer on the initiator's CPU, which no
 * computation there can overlap, over the transfer's own time, taken from 100 %.
 */
#include "../bench.h"
#include "compute.h"
#include "kernel_time.h"

#include <dirent.h>

#define MOST     ((size_t)4 << 20)
#define SAMPLES  41
#define LEAST_NS 30e6 /* of samples at every amount of computation */
#define KERNEL_NS 4e8 /* of transfers for the kernel's share: 8,000 looks, 1.5 % of a transfer's time */

typedef void transfer(char *target, const char *source, size_t bytes, int pe);

static long over;
static double step_ns;

static void put_nbi(char *target, const char *source, size_t bytes, int pe)
{
    shmem_putmem_nbi(target, source, bytes, pe);
}

static void get_nbi(char *target, const char *source, size_t bytes, int pe)
{
    shmem_getmem_nbi(target, source, bytes, pe);
}

/* Medians: of the call that issues, and of all until the quiet is over. */
struct times {
    double issue, all;
};

static struct times sample(transfer *issue, char *target, const char *source, size_t bytes, long steps)
{
    double issued[SAMPLES], took[SAMPLES], begin = bench_now_ns();
    int count = 0;
    while (count < SAMPLES && (count < 7 || bench_now_ns() - begin < LEAST_NS)) {
        double start = bench_now_ns();
        issue(target, source, bytes, bench_pes - 1);
        issued[count] = bench_now_ns() - start;
        compute(steps);
        shmem_quiet();
        took[count++] = bench_now_ns() - start;
    }
    return (struct times){bench_median(issued, count), bench_median(took, count)};
}

static void report_share(const char *what, const char *which, size_t bytes, double share)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", what, which);
    bench_report(name, bytes, 100 * (share < 0 ? 0 : share > 1 ? 1 : share), "%");
}

static void measure(transfer *issue, char *target, const char *source, size_t bytes, const char *what)
{
    double hidden[5];
    for (double begin = bench_now_ns(); bench_now_ns() - begin < LEAST_NS;) /* a thread that helps is awake then */
        sample(issue, target, source, bytes, 0);
    struct times alone = sample(issue, target, source, bytes, 0);
    for (int i = 4; i >= 0; i--) {
        long steps = (long)((i == 0 ? 1 : 3 + i / 4.0) * alone.all / step_ns);
        double work = (double)steps * step_ns;
        hidden[i] = 1 - (sample(issue, target, source, bytes, steps).all - work) / alone.all;
    }
    report_share(what, "", bytes, bench_median(hidden + 1, 4));
    report_share(what, ", as much computation", bytes, hidden[0]);
    report_share(what, ", all but issuing", bytes, 1 - alone.issue / alone.all);
}

static void measure_kernel(transfer *issue, char *target, const char *source, size_t bytes, const char *what)
{
    char name[96];
    struct kernel_time kernel;
    struct times alone = sample(issue, target, source, bytes, 0);
    long steps = (long)(3.5 * alone.all / step_ns), count = 0;
    if (!kernel_time_open(&kernel, sched_getcpu()))
        return;
    for (double start = bench_now_ns(); bench_now_ns() - start < KERNEL_NS; count++) {
        issue(target, source, bytes, bench_pes - 1);
        compute(steps);
        shmem_quiet();
    }
    double each = kernel_time_ns(&kernel) / (double)count;
    kernel_time_close(&kernel);
    snprintf(name, sizeof name, "%s, left by the kernel", what);
    bench_report(name, bytes, 100 * (1 - each / alone.all), "%");
}

static void sizes(char *target, const char *source, const char *put, const char *get)
{
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure(put_nbi, target, source, bytes, put);
        measure(get_nbi, target, source, bytes, get);
        if (bench_setting("BENCH_KERNEL", 0)) {
            measure_kernel(put_nbi, target, source, bytes, put);
            measure_kernel(get_nbi, target, source, bytes, get);
        }
    }
}

static void keep_threads_here(void)
{
    cpu_set_t cpus;
    DIR *threads = opendir("/proc/self/task");
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
        for (struct dirent *thread; threads && (thread = readdir(threads)) != NULL;)
            sched_setaffinity((pid_t)strtol(thread->d_name, NULL, 10), sizeof cpus, &cpus);
    if (threads)
        closedir(threads);
}

/* Until PE 0 writes to `over`, which without calls only a library with progress of its own shows. */
static void sleep_meanwhile(void)
{
    struct timespec moment = {0, 2000000};
    while (!*(volatile long *)&over)
        nanosleep(&moment, NULL);
}

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    step_ns = compute_step_ns();
    if (bench_me == 1)
        keep_threads_here();
    shmem_barrier_all();
    if (bench_me == 0)
        sizes(target, source, "overlap of put", "overlap of get");
    shmem_barrier_all();
    if (bench_setting("BENCH_ASLEEP", 0) && bench_me == 0) {
        sizes(target, source, "overlap of put, target asleep", "overlap of get, target asleep");
        shmem_long_p(&over, 1, 1);
        shmem_quiet();
    } else if (bench_setting("BENCH_ASLEEP", 0) && bench_me == 1) {
        sleep_meanwhile();
    }
    bench_end();
}

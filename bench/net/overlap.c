/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of a nonblocking transfer computation hides, by size. Between a transfer's issue and its
 * quiet stands computation, which grows until the whole takes half as long again as the transfer
 * alone. What the whole then takes beyond the computation is what the transfer cost the
 * computation; the rest of the transfer's own time, in per cent, was overlapped. What the call that
 * issues it takes bounds that. The target PE waits in a barrier; with BENCH_ASLEEP=1 also one that
 * sleeps and does not call the library, which leaves its CPU to others.
 */
#include "compute.h"

#define MOST     ((size_t)4 << 20)
#define SAMPLES  41
#define LEAST_NS 30e6 /* of samples at every amount of computation */

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
        issue(target, source, bytes, 1);
        issued[count] = bench_now_ns() - start;
        compute(steps);
        shmem_quiet();
        took[count++] = bench_now_ns() - start;
    }
    return (struct times){bench_median(issued, count), bench_median(took, count)};
}

static void report_share(const char *what, size_t bytes, double share)
{
    bench_report(what, bytes, 100 * (share < 0 ? 0 : share > 1 ? 1 : share), "%");
}

static void measure(transfer *issue, char *target, const char *source, size_t bytes, const char *what)
{
    char bound[64];
    sample(issue, target, source, bytes, 0);
    struct times alone = sample(issue, target, source, bytes, 0), grown = alone;
    double work = 0;
    for (double share = 0.75; share < 4 && grown.all < 1.5 * alone.all; share += 0.25) {
        long steps = (long)(share * alone.all / step_ns);
        work = (double)steps * step_ns;
        grown = sample(issue, target, source, bytes, steps);
    }
    report_share(what, bytes, 1 - (grown.all - work) / alone.all);
    snprintf(bound, sizeof bound, "%s, all but issuing", what);
    report_share(bound, bytes, 1 - alone.issue / alone.all);
}

static void sizes(char *target, const char *source, const char *put, const char *get)
{
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure(put_nbi, target, source, bytes, put);
        measure(get_nbi, target, source, bytes, get);
    }
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

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE costs others while it computes: PE 1 computes for BENCH_COMPUTE_MS (10000) without a
 * call of the library, and PE 0 gets from it, puts and waits, and adds atomically, first with
 * pauses of a millisecond, then one after another. Each kind has such a stretch of its own. The
 * median of single operations is reported, and what the library's other threads take of a CPU in
 * a computing PE that nobody talks to, in per cent.
 */
#include "../bench.h"
#include "compute.h"

#define MOST_SAMPLES 4000
#define PAUSE_NS     1000000

static long word;
static double share;

static void get_word(int pe)
{
    BENCH_KEEP(shmem_long_g(&word, pe));
}

static void put_word(int pe)
{
    shmem_long_p(&word, 1, pe);
    shmem_quiet();
}

static void add_word(int pe)
{
    BENCH_KEEP(shmem_long_atomic_fetch_add(&word, 1, pe));
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void compute_until(double end_ns)
{
    while (bench_now_ns() < end_ns)
        compute(20000);
}

/* Single operations until the time is over or there are enough; at least one. */
static void sample(void (*operation)(int), double end_ns, long pause_ns, const char *what)
{
    static double took[MOST_SAMPLES];
    struct timespec pause = {0, pause_ns};
    int count = 0;
    do {
        if (pause_ns)
            nanosleep(&pause, NULL);
        double start = bench_now_ns();
        operation(1);
        took[count++] = bench_now_ns() - start;
    } while (count < MOST_SAMPLES && bench_now_ns() < end_ns);
    bench_report(what, 8, bench_median(took, count), "ns");
}

static void stretch(void (*operation)(int), double compute_ns, const char *apart, const char *together)
{
    shmem_barrier_all();
    double start = bench_now_ns();
    if (bench_me == 1)
        compute_until(start + compute_ns);
    if (bench_me == 0) {
        struct timespec settle = {0, 20000000};
        nanosleep(&settle, NULL);
        sample(operation, start + 0.5 * compute_ns, PAUSE_NS, apart);
        if (bench_now_ns() < start + 0.8 * compute_ns)
            sample(operation, start + 0.8 * compute_ns, 0, together);
    }
    shmem_barrier_all();
}

/* PE 1 computes, PE 0 sleeps: what PE 1's process takes beyond its computing thread. */
static void idle_threads(double compute_ns)
{
    shmem_barrier_all();
    double start = bench_now_ns();
    if (bench_me == 1) {
        double others = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
        compute_until(start + compute_ns);
        others = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID) - others;
        shmem_double_p(&share, others > 0 ? 100 * others / (compute_ns * 1e-9) : 0, 0);
    } else {
        struct timespec wait = {(time_t)(compute_ns / 1e9), (long)compute_ns % 1000000000};
        nanosleep(&wait, NULL);
    }
    shmem_barrier_all();
    bench_report("threads of a PE left alone", 0, share, "%");
}

int main(void)
{
    bench_start();
    if (bench_pes >= 2) {
        double compute_ns = (double)bench_setting("BENCH_COMPUTE_MS", 10000) * 1e6;
        shmem_long_p(&word, 0, bench_partner()); /* connections are not what is measured */
        add_word(bench_partner());
        stretch(get_word, compute_ns, "get, target computes", "get, target computes, back to back");
        stretch(put_word, compute_ns, "put + quiet, target computes", "put + quiet, target computes, back to back");
        stretch(add_word, compute_ns, "fetch-add, target computes", "fetch-add, target computes, back to back");
        idle_threads(1e9);
    }
    bench_end();
}

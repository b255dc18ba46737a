/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the benchmarks share: start and end, agreement among PEs, a shared stretch of time for
 * measurements of contention. Portable OpenSHMEM 1.4; newer features behind BENCH_HAS().
 */
#ifndef BENCH_H
#define BENCH_H

#include "timing.h"

#ifndef SHMEM_NO_DEPRECATED /* peers of before 1.5 have the older forms alone */
#define SHMEM_NO_DEPRECATED
#endif
#include <shmem.h>

/* Whether the library's interface is at least this version. */
#define BENCH_HAS(major, minor) \
    (SHMEM_MAJOR_VERSION > (major) || (SHMEM_MAJOR_VERSION == (major) && SHMEM_MINOR_VERSION >= (minor)))

#define BENCH_MAX_PES 1024

static long bench_word;
static long bench_counts[BENCH_MAX_PES];

static inline void bench_barrier(void)
{
    shmem_barrier_all();
}

static inline long bench_agree(long value)
{
    shmem_barrier_all();
    if (bench_me == 0)
        for (int pe = 0; pe < bench_pes; pe++)
            shmem_long_p(&bench_word, value, pe);
    shmem_barrier_all();
    return bench_word;
}

/* Collective: of all PEs' values, on PE 0. */
static inline double bench_mean(double value)
{
    static double values[BENCH_MAX_PES];
    double sum = 0;
    shmem_double_p(&values[bench_me], value, 0);
    shmem_barrier_all();
    for (int pe = 0; pe < bench_pes; pe++)
        sum += values[pe];
    shmem_barrier_all();
    return sum / bench_pes;
}

static inline void bench_start(void)
{
    shmem_init();
    bench_me = shmem_my_pe();
    bench_pes = shmem_n_pes();
    if (bench_pes > BENCH_MAX_PES) {
        fprintf(stderr, "bench: at most %d PEs\n", BENCH_MAX_PES);
        shmem_global_exit(1);
    }
    bench_pin(bench_me);
    shmem_barrier_all();
}

static inline void bench_end(void)
{
    fflush(stdout);
    shmem_barrier_all();
    shmem_finalize();
}

/* Symmetric memory, every byte written once, so that its pages are there; not with zeros, which some processors
 * write faster than anything else. */
static inline void *bench_memory(size_t bytes)
{
    void *memory = shmem_align(4096, bytes);
    if (!memory) {
        fprintf(stderr, "bench: PE %d: no symmetric memory for %zu bytes\n", bench_me, bytes);
        shmem_global_exit(1);
    }
    memset(memory, 1, bytes);
    shmem_barrier_all();
    return memory;
}

/* The PE that PE 0 talks to: the next one, or itself when it is alone. */
static inline int bench_partner(void)
{
    return (bench_me + 1) % bench_pes;
}

/* Contention: every PE repeats something for the same stretch of time. Use:
 *   struct bench_contest contest;
 *   for (bench_contest_begin(&contest); bench_contest_goes_on(&contest);)
 *       ...
 *   bench_contest_end(&contest, "what", bytes);
 * reports nanoseconds per operation of all PEs together, and "what, fairness": the most that a
 * PE got done over the least. The clock is read every 16 rounds. */
#define BENCH_STRETCH 40 /* batches per PE: many turns of each PE where PEs share a CPU */
struct bench_contest {
    long done;
    double start_ns, end_ns;
};

static inline void bench_contest_begin(struct bench_contest *contest)
{
    contest->done = -1;
    shmem_barrier_all();
    contest->start_ns = bench_now_ns();
    contest->end_ns = contest->start_ns +
                      (double)bench_setting("BENCH_BATCH_US", 2000) * 1e3 * BENCH_STRETCH * bench_pes;
}

static inline int bench_contest_goes_on(struct bench_contest *contest)
{
    contest->done++;
    return contest->done % 16 != 15 || bench_now_ns() < contest->end_ns;
}

static inline void bench_contest_end(struct bench_contest *contest, const char *what, size_t bytes)
{
    char fairness[64];
    double took_ns = bench_now_ns() - contest->start_ns;
    shmem_long_p(&bench_counts[bench_me], contest->done, 0);
    shmem_barrier_all();
    if (bench_me == 0) {
        long all = 0, most = 0, least = bench_counts[0];
        for (int pe = 0; pe < bench_pes; pe++) {
            all += bench_counts[pe];
            most = bench_counts[pe] > most ? bench_counts[pe] : most;
            least = bench_counts[pe] < least ? bench_counts[pe] : least;
        }
        snprintf(fairness, sizeof fairness, "%s, fairness", what);
        bench_report(what, bytes, took_ns / (double)all, "ns");
        bench_report(fairness, bytes, (double)most / (double)(least ? least : 1), "x");
    }
    shmem_barrier_all();
}

#endif

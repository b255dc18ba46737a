/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a benchmark takes time and says what it found: the part that needs no OpenSHMEM, shared
 * with limits/. Measures batches of as many rounds as fill BENCH_BATCH_US microseconds and
 * reports the median of BENCH_BATCHES of them, on PE 0, as one line of six fields between tabs:
 * "bench", what, PEs, bytes, value, unit.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_MAX_BATCHES 64
#define BENCH_MAX_COUNT   (1L << 24)

/* Who takes part; set by bench_start() of bench.h or limits/limit.h. */
static int bench_me, bench_pes;

/* Both are collective: PEs wait for one another; all get PE 0's value. */
static void bench_barrier(void);
static long bench_agree(long value);

/* Keeps a value that nothing else uses from being optimized away. */
#define BENCH_KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

static inline double bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The number in an environment variable, or what to use without it. */
static inline long bench_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* This process onto one CPU: number `index` of the list in BENCH_CPUS, round and round. Without
 * the list it stays where its launcher put it. */
static inline void bench_pin(int index)
{
    const char *text = getenv("BENCH_CPUS");
    int cpus[1024], count = 0;
    while (text && *text && count < 1024) {
        char *end;
        cpus[count++] = (int)strtol(text, &end, 10);
        text = *end == ',' ? end + 1 : "";
    }
    if (count == 0)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpus[index % count], &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        fprintf(stderr, "bench: CPU %d cannot be had\n", cpus[index % count]);
}

static inline void bench_report(const char *what, size_t bytes, double value, const char *unit)
{
    if (bench_me == 0)
        printf("bench\t%s\t%d\t%zu\t%.4f\t%s\n", what, bench_pes, bytes, value, unit);
}

/* One measurement. Use:
 *   struct bench_run run;
 *   for (bench_begin(&run, "barrier", 0); bench_batch(&run);)
 *       for (long i = 0; i < run.count; i++)
 *           ...
 * on every PE; or, for what one PE does alone, bench_begin_alone() on that PE. */
struct bench_run {
    long count;         /* rounds of the batch that begins */
    const char *what;
    size_t bytes;
    int parts;          /* a round's time is reported divided by this */
    int alone;
    int least;          /* the least batch is reported, in place of the median */
    int touched;        /* the first round, which touches new pages, is over: it says nothing of others */
    int warm;           /* count is settled */
    int batches, wanted;
    double batch_ns, start_ns;
    double per_round[BENCH_MAX_BATCHES];
};

static inline void bench_begin(struct bench_run *run, const char *what, size_t bytes)
{
    memset(run, 0, sizeof *run);
    run->what = what;
    run->bytes = bytes;
    run->parts = 1;
    run->wanted = (int)bench_setting("BENCH_BATCHES", 9);
    if (run->wanted < 1 || run->wanted > BENCH_MAX_BATCHES)
        run->wanted = 9;
    run->batch_ns = (double)bench_setting("BENCH_BATCH_US", 2000) * 1e3;
}

static inline void bench_begin_alone(struct bench_run *run, const char *what, size_t bytes)
{
    bench_begin(run, what, bytes);
    run->alone = 1;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* The rounds for the next batch, given how long this one took: more until it is long enough. */
static inline long bench_next_count(struct bench_run *run, double took_ns)
{
    if (took_ns >= run->batch_ns / 2 || run->count >= BENCH_MAX_COUNT) {
        run->warm = 1;
        return run->count;
    }
    double wanted = (double)run->count * run->batch_ns / (took_ns > 100 ? took_ns : 100);
    long most = run->count * 16;
    return wanted > (double)most ? most : (long)wanted + 1;
}

static inline void bench_note(struct bench_run *run)
{
    double took_ns = bench_now_ns() - run->start_ns;
    if (run->warm)
        run->per_round[run->batches++] = took_ns / (double)run->count / run->parts;
    long count = run->touched ? bench_next_count(run, took_ns) : run->count;
    run->touched = 1;
    if (!run->alone) {
        count = bench_agree(run->warm ? -count : count);
        run->warm = count < 0;
        count = labs(count);
    }
    run->count = count;
}

/* Ends a batch and begins the next; 0 when there were enough. */
static inline int bench_batch(struct bench_run *run)
{
    if (run->count == 0)
        run->count = 1;
    else
        bench_note(run);
    if (run->batches == run->wanted) {
        double median = bench_median(run->per_round, run->batches); /* sorts them */
        bench_report(run->what, run->bytes, run->least ? run->per_round[0] : median, "ns");
        return 0;
    }
    if (!run->alone)
        bench_barrier();
    run->start_ns = bench_now_ns();
    return 1;
}

/* The first of the numbers in a list between commas that is above at; 0 without one. */
static inline size_t bench_next_of_list(const char *list, size_t at)
{
    while (*list) {
        char *end;
        size_t size = strtoul(list, &end, 10);
        if (end == list || size > at)
            return end == list ? 0 : size;
        list = *end == ',' ? end + 1 : end;
    }
    return 0;
}

/* The sizes to measure, in bytes, from 8 to most; BENCH_SIZES=few leaves some out, BENCH_SIZES=one
 * all but 8, and a list such as 8,4096 is the sizes themselves, growing.
 * Use: for (size_t bytes = 0; (bytes = bench_next_size(bytes, most)) != 0;) */
static inline size_t bench_next_size(size_t at, size_t most)
{
    static const char few[] = "8,1024,4096,32768,1048576,4194304,67108864";
    static const char usual[] = "8,64,1024,4096,32768,262144,1048576,4194304,16777216,67108864";
    const char *which = getenv("BENCH_SIZES");
    const char *list = usual;
    if (which && *which >= '0' && *which <= '9')
        list = which;
    else if (which && strcmp(which, "few") == 0)
        list = few;
    else if (which && strcmp(which, "one") == 0)
        list = "8";
    size_t size = bench_next_of_list(list, at);
    return size <= most ? size : 0;
}

#endif

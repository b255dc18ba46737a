/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The measuring part: an OpenSHMEM program that repeats each operation with each algorithm. Each time the
 * source was just written, the dest is then read, and a barrier follows. It prints "FAMILY ALGORITHM BYTES
 * NANOSECONDS" per size. Copies are puts alone, by all PEs at once, one after the other. The algorithm is
 * chosen by shmemx_tool_write().
 */
#include "tune.h"

#include "base/clock.h"

#include <shmem.h>
#include <shmemx.h>
#include <stdlib.h>
#include <string.h>

#define LINE    64
#define BATCHES 5

static char *source, *dest;
static shmem_team_t team; /* a new one for each algorithm of the barrier, which a team keeps */
static long verdict; /* repetitions to come, told by PE 0 */

/* Every cache line of the source comes from its owner anew, as in a program that computed it. */
static void touch(size_t bytes, long value)
{
    for (size_t at = 0; at < bytes; at += LINE)
        *(long *)(source + at) = value;
}

/* The result comes into the cache of who uses it: without this, leaving it in the cache of who
 * wrote it would look like a gain. */
static void consume(size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE)
        (void)*(const volatile long *)(dest + at);
}

static void operate(enum sheaf_family family, size_t bytes)
{
    switch (family) {
    case SHEAF_BROADCAST:
        shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
        break;
    case SHEAF_FCOLLECT:
        shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, source, bytes);
        break;
    case SHEAF_REDUCE:
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, (long *)dest, (long *)source, bytes / sizeof(long));
        break;
    case SHEAF_COPIES: /* all PEs at once */
        shmem_putmem(dest, source, bytes, (shmem_my_pe() + 1) % shmem_n_pes());
        return;
    default:
        break;
    }
    consume(family == SHEAF_FCOLLECT ? bytes * (size_t)shmem_n_pes() : bytes);
    shmem_team_sync(team);
}

static uint64_t repeat(enum sheaf_family family, size_t bytes, long repetitions)
{
    shmem_barrier_all();
    uint64_t start = sheaf_clock_ns();
    for (long i = 0; i < repetitions; i++) {
        if (family != SHEAF_COPIES)
            touch(bytes, i);
        operate(family, bytes);
    }
    if (family == SHEAF_COPIES)
        shmem_barrier_all();
    return sheaf_clock_ns() - start;
}

/* What PE 0 has decided, on all PEs. */
static long agree(long decision)
{
    if (shmem_my_pe() == 0)
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_p(&verdict, decision, pe);
    shmem_barrier_all();
    long agreed = verdict;
    shmem_barrier_all();
    return agreed;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Twice as many repetitions until they take a part of the slice, or until the job's time is over;
 * then as many again, some times. The median of these shrugs off what interrupts one of them. */
static void measure_size(const struct subject *subject, size_t bytes, uint64_t slice, uint64_t end)
{
    double ns[BATCHES] = {0};
    long repetitions = 1;
    int batches = 0; /* that count; PE 0 alone knows */
    repeat(subject->family, bytes, 1);
    while (repetitions > 0) {
        uint64_t took = repeat(subject->family, bytes, repetitions);
        bool late = sheaf_clock_ns() >= end, done = false;
        if (shmem_my_pe() == 0 && (batches > 0 || late || took >= slice / BATCHES)) {
            ns[batches++] = (double)took / (double)repetitions;
            done = late || batches == BATCHES;
        }
        repetitions = agree(done ? 0 : batches > 0 ? repetitions : repetitions * 2);
    }
    qsort(ns, (size_t)batches, sizeof *ns, compare);
    if (shmem_my_pe() == 0)
        printf("%s %s %zu %.1f\n", sheaf_family_names[subject->family],
               sheaf_algorithm_names[subject->family][subject->algorithm], bytes, ns[batches / 2]);
}

static void force(enum sheaf_family family, const char *algorithm)
{
    shmem_barrier_all();
    if (shmemx_tool_write(tune_settings[family], algorithm) != 0)
        shmem_global_exit(1);
    shmem_barrier_all();
}

/* On a host of one cache "levels" is another algorithm, which is measured already. */
static bool is_another(const struct subject *subject)
{
    char name[SHMEM_MAX_NAME_LEN];
    const char *algorithm = sheaf_algorithm_names[subject->family][subject->algorithm];
    if (strcmp(algorithm, "levels") != 0)
        return false;
    shmemx_provider(sheaf_family_names[subject->family], sizeof(long), NULL, 0, name);
    return !strstr(name, algorithm);
}

static void measure_algorithm(const struct subject *subject, uint64_t budget)
{
    size_t sizes[MOST_SIZES];
    int count = tune_sizes(subject, sizes);
    uint64_t end = sheaf_clock_ns() + budget;
    force(subject->family, sheaf_algorithm_names[subject->family][subject->algorithm]);
    if (subject->family == SHEAF_BARRIER)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, subject->pes, NULL, 0, &team);
    touch(sizes[count - 1], 0);
    for (int i = 0; i < count && !is_another(subject); i++)
        measure_size(subject, sizes[i], budget / (uint64_t)count / 3, end);
    if (subject->family == SHEAF_BARRIER)
        shmem_team_destroy(team);
    team = SHMEM_TEAM_WORLD;
    force(subject->family, "auto");
}

/* Calls measure, or counts alone; returns the number of algorithms. largest: the bytes that they need. */
static int for_each_algorithm(void measure(const struct subject *, uint64_t), uint64_t budget,
                              size_t *largest)
{
    size_t sizes[MOST_SIZES];
    struct subject subject = {.pes = shmem_n_pes()};
    int algorithms = 0;
    for (int family = 0; family < MEASURED_FAMILIES; family++) {
        subject.family = (enum sheaf_family)family;
        for (subject.algorithm = 1; sheaf_algorithm_names[family][subject.algorithm]; subject.algorithm++) {
            if (!tune_is_possible(subject.family, subject.algorithm))
                continue;
            size_t last = sizes[tune_sizes(&subject, sizes) - 1];
            size_t bytes = family == SHEAF_FCOLLECT ? last * (size_t)subject.pes : last;
            *largest = bytes > *largest ? bytes : *largest;
            algorithms++;
            if (measure)
                measure(&subject, budget);
        }
    }
    return algorithms;
}

int tune_measure(int argc, char **argv)
{
    size_t largest = 0;
    if (argc != 1)
        return 2;
    shmem_init();
    team = SHMEM_TEAM_WORLD;
    uint64_t budget = (uint64_t)(strtod(argv[0], NULL) * 1e9);
    int algorithms = for_each_algorithm(NULL, 0, &largest);
    largest = (largest + LINE) & ~(size_t)(LINE - 1);
    source = shmem_align(LINE, largest);
    dest = shmem_align(LINE, largest);
    if (!source || !dest)
        return 1;
    for_each_algorithm(measure_algorithm, budget / (uint64_t)algorithms, &largest);
    shmem_finalize();
    return 0;
}

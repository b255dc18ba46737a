/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The measuring part: an OpenSHMEM program that repeats one operation, each time with a source that was
 * just written, a dest that is then read, and a barrier, and prints "BYTES NANOSECONDS" per size. Copies
 * are puts alone, by all PEs at once, one after the other. The algorithm was chosen through the
 * environment.
 */
#include "tune.h"

#include "base/clock.h"

#include <shmem.h>
#include <stdlib.h>

#define LINE    64
#define BATCHES 5

static char *source, *dest;
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
    shmem_team_sync(SHMEM_TEAM_WORLD);
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
static void measure_size(enum sheaf_family family, size_t bytes, uint64_t slice, uint64_t end)
{
    double ns[BATCHES] = {0};
    long repetitions = 1;
    int batches = 0; /* that count; PE 0 alone knows */
    repeat(family, bytes, 1);
    while (repetitions > 0) {
        uint64_t took = repeat(family, bytes, repetitions);
        bool late = sheaf_clock_ns() >= end, done = false;
        if (shmem_my_pe() == 0 && (batches > 0 || late || took >= slice / BATCHES)) {
            ns[batches++] = (double)took / (double)repetitions;
            done = late || batches == BATCHES;
        }
        repetitions = agree(done ? 0 : batches > 0 ? repetitions : repetitions * 2);
    }
    qsort(ns, (size_t)batches, sizeof *ns, compare);
    if (shmem_my_pe() == 0)
        printf("%zu %.1f\n", bytes, ns[batches / 2]);
}

int tune_measure(int argc, char **argv)
{
    size_t sizes[MOST_SIZES];
    if (argc != 3)
        return 2;
    shmem_init();
    struct subject subject = {.pes = shmem_n_pes(), .family = (enum sheaf_family)atoi(argv[1]),
                              .algorithm = atoi(argv[2])};
    int count = tune_sizes(&subject, sizes);
    size_t largest = (sizes[count - 1] + LINE) & ~(size_t)(LINE - 1);
    uint64_t budget = (uint64_t)(strtod(argv[0], NULL) * 1e9), end = sheaf_clock_ns() + budget;
    source = shmem_align(LINE, largest);
    dest = shmem_align(LINE, subject.family == SHEAF_FCOLLECT ? largest * (size_t)subject.pes : largest);
    if (!source || !dest)
        return 1;
    touch(largest, 0);
    for (int i = 0; i < count; i++)
        measure_size(subject.family, sizes[i], budget / (uint64_t)count / 3, end);
    shmem_finalize();
    return 0;
}

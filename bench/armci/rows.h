/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A row of operations.c and limits.c: a line "name bytes microseconds", the median of batches of 5 ms at least.
 */
#ifndef BENCH_ARMCI_ROWS_H
#define BENCH_ARMCI_ROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 4 << 20, BATCHES = 9 };
static int bytes; /* of the row that is measured */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * time.tv_sec + 1e-3 * time.tv_nsec;
}

static double time_of(void (*volatile operation)(void), long count)
{
    double begin = now();
    for (long i = 0; i < count; i++)
        operation();
    return now() - begin;
}

static int compare(const void *a, const void *b)
{
    return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

static void print_row(const char *name, void (*operation)(void))
{
    double took[BATCHES];
    long count = 1;
    while (time_of(operation, count) < 5000)
        count *= 2;
    for (int i = 0; i < BATCHES; i++)
        took[i] = time_of(operation, count) / count;
    qsort(took, BATCHES, sizeof *took, compare);
    printf("%s %d %.4f\n", name, bytes, took[BATCHES / 2]);
    fflush(stdout);
}

#endif

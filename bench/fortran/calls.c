/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls cost in C that calls.f90 makes in Fortran: as many, PE 0 to PE 1, in nanoseconds.
 */
#include <shmem.h>
#include <stdio.h>
#include <time.h>

#define CALLS 5000 /* in a batch */
#define BATCHES 40
static double target, word;
static long counter, before;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* A line for each batch: where other processes take the CPU the median tells. */
#define MEASURE(NAME, CALL)                                          \
    for (int batch = 0; batch < BATCHES; batch++) {                  \
        double begun = now();                                        \
        for (int i = 0; i < CALLS; i++)                              \
            CALL;                                                    \
        double ended = now();                                        \
        if (shmem_my_pe() == 0)                                      \
            printf("C\t%s\t%.2f\n", NAME, (ended - begun) / CALLS);  \
    }

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        MEASURE("p", shmem_double_p(&target, word, 1));
        MEASURE("g", word = shmem_double_g(&target, 1));
        MEASURE("put of an element", shmem_double_put(&target, &word, 1, 1));
        MEASURE("get of an element", shmem_double_get(&word, &target, 1, 1));
        MEASURE("atomic add", shmem_long_atomic_add(&counter, 1, 1));
        MEASURE("fetch and add", before = shmem_long_atomic_fetch_add(&counter, 1, 1));
    }
    shmem_barrier_all();
    MEASURE("barrier", shmem_barrier_all());
    shmem_finalize();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the calls of the Python modules cost in C: the same calls, as many, PE 0 to PE 1.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LONG (4 << 20)
static long word;
static long *target, *source;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void put(void) { shmem_long_put(target, &word, 1, 1); }
static void get(void) { shmem_long_get(&word, target, 1, 1); }
static void add(void) { shmem_long_atomic_add(target, 1, 1); }
static void fetch_add(void) { word = shmem_long_atomic_fetch_add(target, 1, 1); }
static void put_long(void) { shmem_putmem(target, source, LONG, 1); }
static void get_long(void) { shmem_getmem(source, target, LONG, 1); }

static void measure(const char *name, void (*call)(void), int calls)
{
    double best = 1;
    for (int round = 0; round < 9; round++) {
        double begun = now();
        for (int i = 0; i < calls; i++)
            call();
        double each = (now() - begun) / calls;
        best = each < best ? each : best;
    }
    if (shmem_my_pe() == 0)
        printf("C\t%s\t%.3f\n", name, 1e6 * best);
}

int main(void)
{
    shmem_init();
    target = shmem_calloc(LONG, 1);
    source = calloc(LONG, 1);
    if (shmem_my_pe() == 0) {
        measure("put", put, 20000);
        measure("get", get, 20000);
        measure("atomic add", add, 20000);
        measure("fetch add", fetch_add, 20000);
        measure("put 4 MiB", put_long, 20);
        measure("get 4 MiB", get_long, 20);
    }
    shmem_barrier_all();
    measure("barrier", shmem_barrier_all, 20000);
    shmem_finalize();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the processor takes for the rows of operations.c, in lines like its: bare loops over the memory of another process, which
 * sleeps. Each operation is behind a call, as an ARMCI's is. An atomic operation is one instruction with LOCK. A store and
 * its fence are the store and such an instruction. An accumulate takes a lock, whose release is a plain store. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 4 << 20, BATCHES = 9 };
static char *there, *buffer; /* there: what both processes map */
static uint32_t *lock;
static size_t bytes;

static void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static void fetch_add(void)
{
    *(volatile long *)(void *)buffer = __atomic_fetch_add((long *)(void *)there, 1, __ATOMIC_SEQ_CST);
}

static void put(void)
{
    memcpy(there, buffer, bytes);
    fence();
}

static void add(double *restrict to, const double *restrict from, double scale)
{
    for (size_t i = 0; i < bytes / sizeof *to; i++)
        to[i] += scale * from[i];
}

static void accumulate(void)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
        continue;
    add((double *)(void *)there, (const double *)(void *)buffer, 1);
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    fence();
}

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

static void row(const char *name, void (*operation)(void))
{
    double took[BATCHES];
    long count = 1;
    while (time_of(operation, count) < 5000)
        count *= 2;
    for (int i = 0; i < BATCHES; i++)
        took[i] = time_of(operation, count) / count;
    qsort(took, BATCHES, sizeof *took, compare);
    printf("%s %zu %.4f\n", name, bytes, took[BATCHES / 2]);
}

int main(int argc, char **argv)
{
    there = mmap(NULL, LARGEST + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    buffer = calloc(1, LARGEST);
    if (there == MAP_FAILED || !buffer)
        return perror("limits: memory"), 1;
    lock = (uint32_t *)(void *)(there + LARGEST);
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        return perror("limits: fork"), 1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        memset(there, 0, LARGEST + 4096);
        while (getppid() == parent)
            pause();
        _exit(0);
    }
    memset(buffer, 0, LARGEST);
    for (int i = 1; i < argc && (bytes = (size_t)atoi(argv[i])) > 0 && bytes <= LARGEST; i++) {
        row("put+fence", put);
        row("accumulate-doubles", accumulate);
    }
    bytes = sizeof(long);
    row("fetch-add", fetch_add);
    kill(child, SIGKILL);
}

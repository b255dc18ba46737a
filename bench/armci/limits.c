/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of operations.c without a library: bare loops over the memory of another process, which sleeps. Each operation is behind a call, as an ARMCI's is. An atomic operation is one instruction with LOCK. A store and
 * its fence are the store and such an instruction. An accumulate takes a lock, whose release is a plain store. */
#define _GNU_SOURCE
#include "rows.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static char *there, *buffer; /* there: what both processes map */
static uint32_t *lock;

static void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static void fetch_add(void)
{
    *(volatile long *)(void *)buffer = __atomic_fetch_add((long *)(void *)there, 1, __ATOMIC_SEQ_CST);
}

static void put(void)
{
    memcpy(there, buffer, (size_t)bytes);
    fence();
}

static void add(double *restrict to, const double *restrict from, double scale)
{
    for (size_t i = 0; i < (size_t)bytes / sizeof *to; i++)
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
    for (int i = 1; i < argc && (bytes = atoi(argv[i])) > 0 && bytes <= LARGEST; i++) {
        print_row("put+fence", put);
        print_row("accumulate-doubles", accumulate);
    }
    bytes = sizeof(long);
    print_row("fetch-add", fetch_add);
    kill(child, SIGKILL);
}

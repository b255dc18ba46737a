/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_LOW_JITTER=on: first accesses to variables and to new blocks, here and on the next PE, take no page fault; memory
 * is locked, and the thread that initializes has real-time priority and sleeps exactly; a thread that it makes has not.
 * Where this user may not have that, skipped: 77.
 */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define BYTES ((size_t)8 << 20)

static char variable[BYTES];

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static long locked_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmLck: %ld", &kib);
    if (status)
        fclose(status);
    return kib;
}

static void *other_thread(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)sched_getscheduler(0);
}

/* A few faults belong to code that runs for the first time, and to a page that the kernel moves. */
static void check_access(char *memory, int pe)
{
    char *theirs = shmem_ptr(memory, pe);
    CHECK(theirs != NULL);
    long before = faults();
    memset(memory, 1, BYTES / 2);
    memset(theirs + BYTES / 2, 2, BYTES / 2);
    CHECK(faults() - before < 20);
    shmem_barrier_all();
}

int main(void)
{
    pthread_t thread;
    void *policy = NULL;
    struct rlimit locked;
    getrlimit(RLIMIT_MEMLOCK, &locked);
    shmem_init();
    if (geteuid() != 0 && locked.rlim_cur != RLIM_INFINITY)
        TEST_SKIP("this user may not lock memory: ulimit -l");
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    check_access(variable, next);
    check_access(shmem_malloc(BYTES), next);
    check_access(shmem_realloc(shmem_malloc(64), BYTES), next);
    CHECK(locked_kib() > (long)(BYTES >> 10));
    CHECK(prctl(PR_GET_TIMERSLACK) <= 1); /* 0 of real-time threads, from Linux 6.11 on */
    int mine = sched_getscheduler(0);
    bool is_crowded = shmem_n_pes() > sysconf(_SC_NPROCESSORS_ONLN);
    CHECK(mine == (SCHED_FIFO | SCHED_RESET_ON_FORK) || is_crowded || geteuid() != 0);
    CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0 && pthread_join(thread, &policy) == 0);
    CHECK_EQ((intptr_t)policy, SCHED_OTHER);
    shmem_finalize();
    return 0;
}

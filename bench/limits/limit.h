/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the limits share: two processes instead of PEs, each on its own CPU, over shared memory. No
 * library takes part. A process that waits looks, pauses, and looks again: each look takes the line from the
 * process that is about to write it. A word takes 32 to 50 ns to the other process so, and 61 without the pause; with
 * 48 bytes beside it 33 and 61 (EPYC, Zen 4). Two and more pauses take longer again.
 */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include "../timing.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE 64
#define PAGE 4096

/* What the processes share; each word on a cache line of its own. */
struct limit_shared {
    _Alignas(LINE) long arrived;
    _Alignas(LINE) long epoch;
    _Alignas(LINE) long value;
    _Alignas(LINE) long ball;
    _Alignas(PAGE) long flags[2][PAGE / sizeof(long)]; /* in lines side by side they take 3 ns more */
};
static struct limit_shared *shared;

static inline long limit_load(const long *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void limit_store(long *word, long value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Between two looks at a word that another process writes. */
static inline void limit_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

static inline void limit_await(const long *word, long value)
{
    while (limit_load(word) != value)
        limit_pause();
}

/* Shared memory of this many bytes in an unnamed file, every byte written once. */
static inline void *limit_memory(size_t bytes)
{
    int file = memfd_create("bench", MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        perror("bench: shared memory");
        exit(1);
    }
    close(file);
    memset(memory, 0, bytes);
    return memory;
}

/* Yields, so that two processes on one CPU get along. */
static inline void bench_barrier(void)
{
    long epoch = limit_load(&shared->epoch);
    if (__atomic_add_fetch(&shared->arrived, 1, __ATOMIC_ACQ_REL) == bench_pes) {
        limit_store(&shared->arrived, 0);
        limit_store(&shared->epoch, epoch + 1);
    } else {
        while (limit_load(&shared->epoch) == epoch)
            sched_yield();
    }
}

static inline long bench_agree(long value)
{
    bench_barrier();
    if (bench_me == 0)
        limit_store(&shared->value, value);
    bench_barrier();
    return limit_load(&shared->value);
}

#define LIMIT_MOST 1024 /* processes */

/* One more process; they end with the first. */
static inline void limit_fork(int me)
{
    pid_t child = fork();
    if (child < 0) {
        perror("bench: fork");
        exit(1);
    }
    if (child == 0) {
        bench_me = me;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
}

/* Goes on as so many processes, each on a CPU in turn. */
static inline void limit_start(int count)
{
    if (count < 1 || count > LIMIT_MOST) {
        fprintf(stderr, "bench: %d processes: expected 1 to %d\n", count, LIMIT_MOST);
        exit(2);
    }
    shared = limit_memory(sizeof *shared);
    bench_pes = count;
    for (int me = count - 1; me > 0 && bench_me == 0; me--)
        limit_fork(me);
    bench_pin(bench_me);
}

/* Goes on as two processes, on the first two CPUs or both on the first. */
static inline void limit_start_pair(int one_cpu)
{
    shared = limit_memory(sizeof *shared);
    bench_pes = 2;
    bench_me = fork() == 0;
    bench_pin(one_cpu ? 0 : bench_me);
}

static inline void limit_start_alone(void)
{
    shared = limit_memory(sizeof *shared);
    bench_pes = 1;
    bench_pin(0);
}

/* All processes but the first end here; the first waits for them. Returns the exit status. */
static inline int limit_end(void)
{
    int status = 0, worst = 0;
    if (bench_me != 0)
        _exit(0);
    while (wait(&status) > 0)
        worst |= status;
    return worst != 0;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers of as many processes as the argument says. Two of the system: libc's pthread_barrier_t in shared memory, and a
 * counter whose last arrival wakes the sleepers on a futex. Two that poll, as a library's does before it sleeps, for more
 * processes than CPUs: who waits yields, or first looks for LOOK_NS where one alone is missing.
 */
#include "limit.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

struct meeting {
    pthread_barrier_t barrier;
    _Alignas(LINE) int arrived;
    _Alignas(LINE) int epoch;
};
static struct meeting *meeting;

static void meet_by_futex(void)
{
    int epoch = __atomic_load_n(&meeting->epoch, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL) == bench_pes) {
        __atomic_store_n(&meeting->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&meeting->epoch, epoch + 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &meeting->epoch, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
    while (__atomic_load_n(&meeting->epoch, __ATOMIC_ACQUIRE) == epoch)
        syscall(SYS_futex, &meeting->epoch, FUTEX_WAIT, epoch, NULL, NULL, 0);
}

#define LOOK_NS 3000

static void meet_by_yields(int looks)
{
    int epoch = __atomic_load_n(&meeting->epoch, __ATOMIC_ACQUIRE);
    int arrived = __atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
    if (arrived == bench_pes) {
        __atomic_store_n(&meeting->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&meeting->epoch, epoch + 1, __ATOMIC_RELEASE);
        return;
    }
    double until = looks && arrived == bench_pes - 1 ? bench_now_ns() + LOOK_NS : 0;
    while (__atomic_load_n(&meeting->epoch, __ATOMIC_ACQUIRE) == epoch)
        if (until == 0 || bench_now_ns() > until)
            sched_yield();
}

static void make_barrier(unsigned count)
{
    pthread_barrierattr_t shared_by_processes;
    pthread_barrierattr_init(&shared_by_processes);
    pthread_barrierattr_setpshared(&shared_by_processes, PTHREAD_PROCESS_SHARED);
    meeting = limit_memory(sizeof *meeting);
    if (pthread_barrier_init(&meeting->barrier, &shared_by_processes, count) != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 2;
    struct bench_run run;
    make_barrier((unsigned)(count > 0 ? count : 1));
    limit_start(count);
    for (bench_begin(&run, "barrier by pthread_barrier", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            pthread_barrier_wait(&meeting->barrier);
    for (bench_begin(&run, "barrier by futex", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            meet_by_futex();
    for (int looks = 0; looks < 2; looks++)
        for (bench_begin(&run, looks ? "barrier by yields, looking for the last" : "barrier by yields", 0); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                meet_by_yields(looks);
    return limit_end();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See copier.h.
 */
#include "core/access/copy/copier.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "core/access/copy/ring.h"
#include "core/access/copy/copy.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

/* Handing a copy to a thread takes the caller 0.1 us, or 65 us where the thread has to be woken (a
 * virtual machine of an EPYC at 2.6 GHz). Making the copy itself takes 5 us for 256 KiB, 25 us for 1
 * MiB and 90 us for 4 MiB. */
#define LEAST_BYTES ((size_t)1 << 20)

/* A thread looks for work this often before it sleeps, which takes some milliseconds. So a program that
 * computes for a shorter time between two transfers hands the second one over without waking a thread.
 * A thread sleeps at once where the processors are too few. */
#define LOOKS_BEFORE_SLEEP 200000

size_t sheaf_copier_from = SIZE_MAX;

static struct {
    struct sheaf_copier_ring ring;
    pthread_mutex_t adding;
    pthread_t threads[SHEAF_COPIER_THREADS];
    size_t count;
    uint32_t looks;    /* LOOKS, or 0 */
    uint32_t added;     /* counts the added jobs; the threads sleep on it */
    uint32_t sleepers;
    uint32_t stop;
} copier = {.adding = PTHREAD_MUTEX_INITIALIZER};

static void wake_threads(void)
{
    __atomic_fetch_add(&copier.added, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&copier.sleepers, __ATOMIC_SEQ_CST) != 0)
        sheaf_os_futex_wake(&copier.added);
}

static bool add_job(const struct sheaf_copier_copy *copy)
{
    pthread_mutex_lock(&copier.adding);
    bool has_room = sheaf_copier_ring_add(&copier.ring, copy);
    pthread_mutex_unlock(&copier.adding);
    if (has_room)
        wake_threads();
    return has_room;
}

void sheaf_copier_copy(void *dest, const void *source, size_t bytes, const struct sheaf_signal_call *signal,
                       uint64_t *near_signal)
{
    SHEAF_KEEP_ERRNO;
    const struct sheaf_copier_copy copy = {.dest = dest,
                                           .source = source,
                                           .bytes = bytes,
                                           .signal = near_signal,
                                           .value = signal ? signal->value : 0,
                                           .adds = signal && signal->add};
    while (!add_job(&copy))
        sheaf_copier_drain();
}

/* The caller copies the pieces that no thread has claimed, and waits for those that a thread has begun. */
void sheaf_copier_drain(void)
{
    uint64_t below = sheaf_load_acquire(&copier.ring.head);
    for (uint32_t looks = 0; !sheaf_copier_ring_is_done(&copier.ring, below);)
        if (!sheaf_copier_ring_work(&copier.ring) && looks++ >= sheaf_wait_spins)
            sched_yield();
        else
            sheaf_cpu_relax();
}

/* The thread counts itself as a sleeper before its last look: that look finds any job whose adder did
 * not see the sleeper. */
static void sleep_until_job(void)
{
    uint32_t added = __atomic_load_n(&copier.added, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&copier.sleepers, 1, __ATOMIC_SEQ_CST);
    if (!sheaf_copier_ring_work(&copier.ring) && !sheaf_load_acquire(&copier.stop))
        sheaf_os_futex_wait(&copier.added, added, 0);
    __atomic_fetch_sub(&copier.sleepers, 1, __ATOMIC_SEQ_CST);
}

static void *run_thread(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "sheaf-copier");
    sheaf_os_leave_own_cpu();
    for (uint32_t looks = 0; !sheaf_load_acquire(&copier.stop);) {
        if (sheaf_copier_ring_work(&copier.ring))
            looks = 0;
        else if (looks++ < copier.looks)
            sheaf_cpu_relax();
        else
            sleep_until_job();
    }
    return NULL;
}

/* The program's signal handlers run in the program's threads. */
static int start_thread(pthread_t *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, run_thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

int sheaf_copier_start(size_t threads)
{
    copier.stop = 0;
    copier.looks =
        (size_t)sheaf_boot.host_npes * (1 + threads) <= (size_t)sheaf_job_cpus() ? LOOKS_BEFORE_SLEEP : 0;
    for (copier.count = 0; copier.count < threads; copier.count++) {
        int failed = start_thread(&copier.threads[copier.count]);
        if (failed) {
            sheaf_error("SH206 SHEAF_COPIER is %zu, and thread %zu cannot be had: %s; give fewer", threads,
                        copier.count + 1, strerror(failed));
            sheaf_copier_stop();
            return -1;
        }
    }
    if (threads > 0)
        sheaf_copier_from = LEAST_BYTES;
    return 0;
}

void sheaf_copier_stop(void)
{
    sheaf_copier_from = SIZE_MAX;
    sheaf_store_release(&copier.stop, 1U);
    wake_threads();
    for (; copier.count > 0; copier.count--)
        pthread_join(copier.threads[copier.count - 1], NULL);
}

void sheaf_copier_forked(void)
{
    sheaf_copier_from = SIZE_MAX;
    copier.count = 0;
}

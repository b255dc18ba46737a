/* SPDX-License-Identifier: BSD-3-Clause
 * See copier.h.
 */
#include "core/access/copy/copier.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/pace/pace.h"
#include "base/settings/env.h"
#include "base/os/os.h"
#include "base/os/owner_lock.h"
#include "boot/boot.h"
#include "core/access/copy/ring.h"
#include "core/access/copy/copy.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"
#include "engine/perform.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

/* Handing a copy to a thread that looks for work takes the caller 0.1 us. Making it takes 1.7 to 2 us for
 * 64 KiB (Intel Xeon at 2.5 GHz), 5 us for 256 KiB and 25 us for 1 MiB (EPYC at 2.6 GHz). */
#define LEAST_BYTES ((size_t)64 << 10)

/* A thread that sleeps has to be woken, which takes 65 us on a virtual machine: for a copy that takes about
 * as long, and once so many shorter ones have come while it slept. That number doubles whenever the thread
 * then meets fewer of them before it sleeps again. The same starts the thread of SHEAF_COPIER=auto. */
#define WAKING_BYTES ((size_t)1 << 20)
#define WAKING_COPIES 64
#define MOST_WAKING_COPIES 65536

/* A thread looks for work this often before it sleeps, which takes some milliseconds. So a program that
 * computes for a shorter time between two transfers hands the second one over without waking a thread.
 * A thread sleeps at once where the processors are too few. */
#define LOOKS_BEFORE_SLEEP 200000

/* A thread that has no processor to itself makes things worse: a quiet waits for the piece that it has
 * begun, and the call that wakes it for its time slice. A piece takes some 10 us. After a wait this long
 * the callers copy by themselves for so many copies, twice as many each time in a row. With another
 * process on one of two processors 4 MiB behind computation cost 2.4 ms without this; with it 0.9, as
 * much as a copy in the caller's hands. */
#define LONG_WAIT_NS UINT64_C(100000)
static const struct sheaf_bet_rules rules = {.least_pause = 16, .most_pause = 16384, .forgive = 16};

size_t sheaf_copier_from = SIZE_MAX;
bool sheaf_copier_has_threads;

/* Parts that the same threads write share a cache line: the one that the thread reads between two looks
 * for work would else be taken from it, and back, at every copy (docs/understand/waiting.md). */
static struct {
    struct sheaf_copier_ring ring;
    /* Written at start and stop: */
    pthread_t threads[SHEAF_COPIER_THREADS];
    size_t count;
    bool is_automatic;   /* the first long copy starts a thread */
    void (*begun)(void);
    uint32_t looks;    /* LOOKS_BEFORE_SLEEP, or 0 */
    uint32_t stop;
    /* Written where a thread sleeps or is woken: */
    uint32_t added __attribute__((aligned(128))); /* counts such wakes; the threads sleep on it */
    uint32_t sleepers;
    /* Written by those who add jobs: */
    struct sheaf_owner_lock adding __attribute__((aligned(128)));
    uint32_t early;    /* shorter copies before there was a thread */
    /* Guarded by adding: */
    struct sheaf_bet bet; /* that a thread helps */
    uint32_t missed;    /* copies that the callers have made while all threads slept */
    uint32_t waking;    /* so many wake a thread */
    uint32_t met;       /* shorter copies handed over since */
} copier;

static void settle_bet(uint64_t waited_ns)
{
    sheaf_owner_lock_enter(&copier.adding);
    if (waited_ns > LONG_WAIT_NS)
        sheaf_bet_lost(&copier.bet, &rules, 0);
    else
        sheaf_bet_won(&copier.bet, &rules);
    sheaf_owner_lock_leave(&copier.adding);
}

/* Behind a job that was added. The job's store comes before the look for sleepers: where one thread adds,
 * by the fence that a thread makes for all before it sleeps. So the caller does not wait for the cache line
 * that the threads look at, which takes 100 ns and more from another processor. */
static void wake_threads(void)
{
    if (copier.adding.is_shared)
        sheaf_fence_full();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (sheaf_load_relaxed(&copier.sleepers) == 0)
        return;
    __atomic_fetch_add(&copier.added, 1, __ATOMIC_SEQ_CST);
    uint64_t since = sheaf_clock_ns(), waited;
    sheaf_os_futex_wake(&copier.added);
    if ((waited = sheaf_clock_ns() - since) > LONG_WAIT_NS)
        settle_bet(waited);
}

static int start_thread(pthread_t *thread);

/* Of several threads of the program whose first long copies come at once, one starts the thread. Without
 * one the program goes on as it would without a copier. */
static void start_automatic(void)
{
    sheaf_owner_lock_enter(&copier.adding);
    if (copier.is_automatic) {
        copier.is_automatic = false;
        int failed = start_thread(&copier.threads[0]);
        copier.count = failed ? 0 : 1;
        if (failed)
            sheaf_debug("SHEAF_COPIER=auto: no thread can be created: %s", strerror(failed));
        sheaf_store_relaxed(&sheaf_copier_has_threads, !failed);
        if (!failed)
            copier.begun();
    }
    sheaf_owner_lock_leave(&copier.adding);
}

/* With the lock held, all threads asleep: whether the copy shall wake one. */
static bool is_worth_waking(size_t bytes)
{
    if (bytes >= WAKING_BYTES)
        return true;
    if (++copier.missed < copier.waking)
        return false;
    if (copier.met < copier.waking && copier.waking < MOST_WAKING_COPIES)
        copier.waking *= 2;
    copier.missed = copier.met = 0;
    return true;
}

/* Before there is a thread. */
static bool is_worth_starting(size_t bytes)
{
    return bytes >= WAKING_BYTES || __atomic_add_fetch(&copier.early, 1, __ATOMIC_RELAXED) >= WAKING_COPIES;
}

enum handed { HANDED_OVER, DECLINED, FULL };

/* Sets ticket where the copy is handed over. */
static enum handed hand_over(const struct sheaf_copier_copy *copy, uint64_t *ticket)
{
    enum handed result = DECLINED;
    sheaf_owner_lock_enter(&copier.adding);
    bool all_sleep = __atomic_load_n(&copier.sleepers, __ATOMIC_RELAXED) == copier.count;
    if (sheaf_bet_take(&copier.bet, 1) && (!all_sleep || is_worth_waking(copy->bytes)))
        result = sheaf_copier_ring_add(&copier.ring, copy) ? HANDED_OVER : FULL;
    *ticket = copier.ring.head;
    copier.met += result == HANDED_OVER && copy->bytes < WAKING_BYTES;
    sheaf_owner_lock_leave(&copier.adding);
    if (result == HANDED_OVER)
        wake_threads();
    return result;
}

static void copy_now(const struct sheaf_copier_copy *copy)
{
    const struct sheaf_blocks *blocks = &copy->blocks;
    if (copy->has_blocks)
        sheaf_copy_blocks(copy->dest, copy->source, blocks->dest_stride, blocks->source_stride,
                          blocks->count, blocks->block_bytes);
    else
        sheaf_copy_many(copy->dest, copy->source, copy->bytes);
    if (copy->signal)
        sheaf_signal_perform(copy->signal, copy->value, copy->adds);
}

/* Returns the ticket; 0: the copy is made. */
static uint64_t perform(const struct sheaf_copier_copy *copy)
{
    SHEAF_KEEP_ERRNO;
    uint64_t ticket = 0;
    if (sheaf_unlikely(!sheaf_copier_is_on()) && is_worth_starting(copy->bytes))
        start_automatic();
    enum handed result = sheaf_copier_is_on() ? hand_over(copy, &ticket) : DECLINED;
    for (; result == FULL; result = hand_over(copy, &ticket))
        sheaf_copier_drain();
    if (result == HANDED_OVER)
        return ticket;
    copy_now(copy);
    return 0;
}

void sheaf_copier_copy(void *dest, const void *source, size_t bytes, const struct sheaf_signal_call *signal,
                       uint64_t *near_signal)
{
    perform(&(struct sheaf_copier_copy){.dest = dest,
                                        .source = source,
                                        .bytes = bytes,
                                        .signal = near_signal,
                                        .value = signal ? signal->value : 0,
                                        .adds = signal && signal->add});
}

uint64_t sheaf_copier_copy_row(const struct sheaf_row *row)
{
    struct sheaf_copier_copy copy = {.dest = row->dest,
                                     .source = row->source,
                                     .has_blocks = row->blocks.block_bytes != 0,
                                     .blocks = row->blocks};
    if (__builtin_mul_overflow(row->blocks.count, row->blocks.block_bytes, &copy.bytes) ||
        copy.bytes < sheaf_copier_from) {
        copy_now(&copy);
        return 0;
    }
    if (row->blocks.count == 1) /* one long block is cut into pieces */
        copy.has_blocks = false;
    return perform(&copy);
}

/* The caller copies the pieces that no thread has claimed, and waits for those that a thread has begun. */
void sheaf_copier_wait(uint64_t ticket)
{
    uint64_t since = 0;
    if (sheaf_copier_ring_is_done(&copier.ring, ticket))
        return;
    for (uint32_t looks = 0; !sheaf_copier_ring_is_done(&copier.ring, ticket);) {
        if (sheaf_copier_ring_work(&copier.ring)) {
            since = 0;
            continue;
        }
        since = since ? since : sheaf_clock_ns();
        if (looks++ >= sheaf_wait_spins)
            sched_yield();
        else
            sheaf_cpu_relax();
    }
    settle_bet(since ? sheaf_clock_ns() - since : 0);
}

bool sheaf_copier_test(uint64_t ticket)
{
    if (sheaf_copier_ring_is_done(&copier.ring, ticket))
        return true;
    sheaf_copier_ring_work(&copier.ring);
    return sheaf_copier_ring_is_done(&copier.ring, ticket);
}

void sheaf_copier_drain(void)
{
    sheaf_copier_wait(sheaf_load_acquire(&copier.ring.head));
}

/* The thread counts itself as a sleeper before its last look: that look finds any job whose adder did
 * not see the sleeper. */
static void sleep_until_job(void)
{
    uint32_t added = __atomic_load_n(&copier.added, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&copier.sleepers, 1, __ATOMIC_SEQ_CST);
    if (copier.adding.is_shared) /* partner: wake_threads() */
        sheaf_fence_full();
    else
        sheaf_os_fence_all();
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
        if (sheaf_copier_ring_work(&copier.ring)) {
            looks = 0;
        } else if (looks++ < copier.looks) {
            sheaf_cpu_relax();
        } else {
            sleep_until_job(); /* the caller may have made the copy meanwhile: the next one is looked for */
            looks = 0;
        }
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

/* Whether the host has a processor for one thread of each PE. */
static bool has_room_for(size_t threads)
{
    return (size_t)sheaf_boot.host_npes * (1 + threads) <= (size_t)sheaf_job_cpus();
}

static int start_threads(size_t threads)
{
    for (copier.count = 0; copier.count < threads; copier.count++) {
        int failed = start_thread(&copier.threads[copier.count]);
        if (failed) {
            sheaf_error("SH206 SHEAF_COPIER is %zu, and thread %zu cannot be created: %s; ask for fewer",
                        threads,
                        copier.count + 1, strerror(failed));
            sheaf_copier_stop();
            return -1;
        }
    }
    sheaf_copier_has_threads = threads > 0;
    return 0;
}

int sheaf_copier_start(size_t threads, bool has_callers, void (*begun)(void))
{
    copier.is_automatic = threads == SHEAF_COPIER_AUTO && has_room_for(1);
    copier.begun = begun;
    copier.stop = 0;
    copier.missed = copier.early = 0;
    copier.bet = (struct sheaf_bet){0};
    copier.waking = copier.met = WAKING_COPIES;
    size_t now = threads == SHEAF_COPIER_AUTO ? 0 : threads;
    copier.looks = has_room_for(now ? now : 1) ? LOOKS_BEFORE_SLEEP : 0;
    /* Threads that sleep after each copy are not to interrupt the caller each time. */
    sheaf_owner_lock_init(&copier.adding, has_callers || copier.looks == 0);
    if (start_threads(now) != 0)
        return -1;
    if (now > 0 || copier.is_automatic)
        sheaf_copier_from = LEAST_BYTES;
    return 0;
}

void sheaf_copier_stop(void)
{
    sheaf_copier_from = SIZE_MAX;
    copier.is_automatic = false;
    sheaf_store_release(&copier.stop, 1U);
    wake_threads();
    for (; copier.count > 0; copier.count--)
        pthread_join(copier.threads[copier.count - 1], NULL);
    sheaf_copier_has_threads = false;
    sheaf_owner_lock_fini(&copier.adding);
}

void sheaf_copier_forked(void)
{
    sheaf_copier_from = SIZE_MAX;
    sheaf_copier_has_threads = copier.is_automatic = false;
    copier.count = 0;
}

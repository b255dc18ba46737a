/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who moves the workers while the program computes: a thread that sleeps on their event descriptors.
 * A worker that the program's own threads poll is theirs: the thread then takes naps instead of
 * competing for it, and for a processor.
 */
#include "engine/ucx/batch.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/os.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* How long a request may have to wait when the program has just stopped polling: this part of the
 * time for which it has polled of late. To look costs a program that polls 10 to 25 us of its
 * processor, in a virtual machine; with naps of 0.4 ms throughout, gets of 14 us took 17. */
#define PART_OF_POLLING 4
#define LEAST_NAP_NS    100000
#define MOST_NAP_NS     2000000
#define CROWD_NAP_NS    20000000
#define DOZE_NS         500000

/* Turns in a row before others that want the worker's lock, or another worker, are looked at. */
#define MOST_TURNS 64

static struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of the list of workers */
    struct sheaf_ucx_worker *workers;
    int epoll;
    int wake; /* an eventfd: look again, or end */
    bool stop;
    enum state { AWAKE, NAPS, DOZES, SLEEPS } state;
    uint32_t events; /* counts what happened: a futex */
    uint32_t sleepers;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER, .epoll = -1, .wake = -1};

/* events as it was when this thread last looked at its own memory, about. */
static _Thread_local uint32_t events_seen;

static _Thread_local bool is_progress_thread;

static void tell_sleepers(void)
{
    __atomic_fetch_add(&progress.events, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST))
        sheaf_os_futex_wake(&progress.events);
}

/* Where others need the processor, whoever a message wakes takes it away from the sender, in the middle
 * of the call and for milliseconds: 8 PEs on 2 CPUs sent a word in 130 us, instead of 38. There, while
 * the program was active so recently, the thread looks by the clock alone. */
#define ACTIVE_NS 20000000
#define LATE_NS   70000

enum outcome { IDLE, BUSY, POLLED };

/* When the thread last saw that the program had called or polled. */
static uint64_t active_ns;

/* How late it has woken from naps of late because other processes ran, not the program's own threads: at
 * once where there are processors for all. */
static uint64_t late_ns;

bool sheaf_ucx_is_crowded(void)
{
    return sheaf_load_relaxed(&late_ns) > LATE_NS;
}

/* Everything there is to do at worker, unless somebody else sees to it. */
static enum outcome look_after(struct sheaf_ucx_worker *worker)
{
    unsigned polls = sheaf_load_relaxed(&worker->polls);
    unsigned calls = sheaf_load_relaxed(&worker->calls);
    bool has_polled = polls != worker->polls_seen;
    if (has_polled || calls != worker->calls_seen)
        active_ns = sheaf_clock_ns();
    worker->polls_seen = polls;
    worker->calls_seen = calls;
    enum outcome outcome = IDLE;
    bool is_mine = sheaf_load_relaxed(&worker->is_handed_over) ||
                   sheaf_load_relaxed(&worker->deferred_count) ||
                   __atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST);
    if ((has_polled && !is_mine) || !sheaf_ucx_try_lock(worker))
        return POLLED;
    sheaf_store_relaxed(&worker->is_handed_over, false);
    for (int i = 0; i < MOST_TURNS && !sheaf_load_relaxed(&worker->wanted); i++) {
        if (!sheaf_ucx_turn(worker, false))
            break;
        outcome = BUSY;
    }
    if (outcome == IDLE && sheaf_ucx.ucp_worker_arm(worker->ucp) != UCS_OK)
        outcome = BUSY;
    sheaf_ucx_unlock(worker);
    return outcome;
}

static enum outcome look_after_all(void)
{
    enum outcome all = IDLE;
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_ucx_worker *worker = progress.workers; worker; worker = worker->next) {
        sheaf_ucx_batch_send_old(worker);
        enum outcome one = look_after(worker);
        if (all == IDLE || one == BUSY)
            all = one == IDLE ? all : one;
    }
    pthread_mutex_unlock(&progress.lock);
    return all;
}

static void drop_wakes(void)
{
    uint64_t count;
    ssize_t ignored = read(progress.wake, &count, sizeof count);
    (void)ignored;
}

static long nap_after(uint64_t polled_ns)
{
    uint64_t part = polled_ns / PART_OF_POLLING;
    return part < LEAST_NAP_NS ? LEAST_NAP_NS : (long)part;
}

/* Shorter than they come late, naps only make the crowd worse: of 256 PEs on 2 processors one start in
 * five took 10 to 30 s instead of 4. */
static long nap_in_a_crowd(void)
{
    if (late_ns < MOST_NAP_NS)
        return MOST_NAP_NS;
    return late_ns < CROWD_NAP_NS ? (long)late_ns : CROWD_NAP_NS;
}

/* How long the program has polled, less how long it has not; after so long more. */
static uint64_t count_polling(uint64_t polled_ns, bool is_polled, uint64_t ns)
{
    const uint64_t most = PART_OF_POLLING * MOST_NAP_NS;
    if (is_polled)
        return polled_ns + ns < most ? polled_ns + ns : most;
    return polled_ns > ns ? polled_ns - ns : 0;
}

/* After a nap of ns that took taken, of which this process ran for ran. */
static void learn_lateness(uint64_t ns, uint64_t taken, uint64_t ran)
{
    uint64_t late = taken > ns ? taken - ns : 0, not_ran = taken > ran ? taken - ran : 0;
    uint64_t by_others = late < not_ran ? late : not_ran;
    sheaf_store_relaxed(&late_ns, late_ns - late_ns / 8 + by_others / 8);
}

static void nap(long ns)
{
    struct pollfd wake = {progress.wake, POLLIN, 0};
    struct timespec time = {0, ns};
    uint64_t begin = sheaf_clock_ns(), ran = sheaf_clock_process_ns();
    if (ppoll(&wake, 1, &time, NULL) != 0)
        drop_wakes();
    else
        learn_lateness((uint64_t)ns, sheaf_clock_ns() - begin, sheaf_clock_process_ns() - ran);
}

/* While a batch is open: until it is old, unless something arrives. */
static void doze(void)
{
    struct pollfd events = {progress.epoll, POLLIN, 0};
    struct timespec time = {0, DOZE_NS};
    ppoll(&events, 1, &time, NULL);
    drop_wakes();
}

static void sleep_until_event(void)
{
    struct epoll_event event;
    int timeout = sheaf_ucx_check_lost() ? 100 : 1000;
    if (epoll_wait(progress.epoll, &event, 1, timeout) == 1 && event.data.fd == progress.wake)
        drop_wakes();
}

static void set_state(enum state state)
{
    __atomic_store_n(&progress.state, state, __ATOMIC_SEQ_CST);
}

/* Until there may be something to do. */
static void rest(enum outcome outcome, uint64_t polled_ns)
{
    bool by_clock = sheaf_ucx_is_crowded() && sheaf_clock_ns() - active_ns < ACTIVE_NS;
    if (by_clock || outcome == POLLED) {
        set_state(NAPS);
        nap(by_clock ? nap_in_a_crowd() : nap_after(polled_ns));
    } else if (outcome == IDLE && __atomic_load_n(&sheaf_ucx_open_batches, __ATOMIC_SEQ_CST)) {
        set_state(DOZES);
        doze();
    } else if (outcome == IDLE) {
        sleep_until_event();
    }
}

static void *run(void *argument)
{
    (void)argument;
    prctl(PR_SET_NAME, "sheaf-progress");
    prctl(PR_SET_TIMERSLACK, 1UL); /* the default adds 50 us to a nap */
    is_progress_thread = true;
    uint64_t polled_ns = 0, before = sheaf_clock_ns();
    while (!sheaf_load_acquire(&progress.stop)) {
        sheaf_ucx_look_for_dead_hosts();
        /* Said before looking, so that what is deferred after the look wakes the thread. */
        set_state(SLEEPS);
        enum outcome outcome = look_after_all();
        if (outcome == BUSY)
            tell_sleepers();
        rest(outcome, polled_ns);
        uint64_t now = sheaf_clock_ns();
        polled_ns = count_polling(polled_ns, outcome == POLLED, now - before);
        before = now;
    }
    return NULL;
}

static void wake_thread(void)
{
    uint64_t one = 1;
    ssize_t ignored = write(progress.wake, &one, sizeof one);
    (void)ignored;
}

void sheaf_ucx_nudge(void)
{
    if (__atomic_exchange_n(&progress.state, AWAKE, __ATOMIC_SEQ_CST) != AWAKE)
        wake_thread();
}

bool sheaf_ucx_thread_is_asleep(void)
{
    return sheaf_ucx_state.has_thread &&
           __atomic_load_n(&progress.state, __ATOMIC_SEQ_CST) == SLEEPS;
}

void sheaf_ucx_nudge_sleeper(void)
{
    if (sheaf_ucx_thread_is_asleep())
        sheaf_ucx_nudge();
}

/* Asleep on the descriptors it would not: what a program takes first does not wake it. */
bool sheaf_ucx_thread_will_look(void)
{
    return sheaf_ucx_state.has_thread &&
           __atomic_load_n(&progress.state, __ATOMIC_SEQ_CST) != SLEEPS;
}

bool sheaf_ucx_is_progress_thread(void)
{
    return is_progress_thread;
}

static int watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(progress.epoll, EPOLL_CTL_ADD, fd, &event);
}

int sheaf_ucx_thread_start(void)
{
    progress.stop = false;
    progress.epoll = epoll_create1(EPOLL_CLOEXEC);
    progress.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (progress.epoll < 0 || progress.wake < 0 || watch(progress.wake) != 0)
        return errno;
    return pthread_create(&progress.thread, NULL, run, NULL);
}

void sheaf_ucx_thread_stop(void)
{
    sheaf_store_release(&progress.stop, true);
    wake_thread();
    pthread_join(progress.thread, NULL);
    close(progress.epoll);
    close(progress.wake);
}

void sheaf_ucx_thread_add(struct sheaf_ucx_worker *worker)
{
    pthread_mutex_lock(&progress.lock);
    worker->next = progress.workers;
    progress.workers = worker;
    pthread_mutex_unlock(&progress.lock);
    if (sheaf_ucx_state.has_thread) {
        watch(worker->event_fd);
        wake_thread();
    }
}

void sheaf_ucx_thread_remove(struct sheaf_ucx_worker *worker)
{
    if (sheaf_ucx_state.has_thread)
        epoll_ctl(progress.epoll, EPOLL_CTL_DEL, worker->event_fd, NULL);
    pthread_mutex_lock(&progress.lock);
    struct sheaf_ucx_worker **place = &progress.workers;
    while (*place && *place != worker)
        place = &(*place)->next;
    if (*place)
        *place = worker->next;
    pthread_mutex_unlock(&progress.lock);
}

void sheaf_ucx_thread_hold(void)
{
    pthread_mutex_lock(&progress.lock);
}

void sheaf_ucx_thread_let_go(void)
{
    pthread_mutex_unlock(&progress.lock);
}

/* Without the thread the program's calls move the other workers too. */
static bool turn_others(void)
{
    bool any = false;
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_ucx_worker *worker = progress.workers; worker; worker = worker->next) {
        if (worker == sheaf_ucx_state.service || !sheaf_ucx_try_lock(worker))
            continue;
        any |= sheaf_ucx_turn(worker, false);
        sheaf_ucx_unlock(worker);
    }
    pthread_mutex_unlock(&progress.lock);
    return any;
}

/* This thread waits, perhaps for what its own operations bring about; those of others are sent by
 * themselves, or by the progress thread. Whoever is about to append is tried again. */
static void send_batches(void)
{
    bool all = true;
    if (!sheaf_ucx_batch_is_mine && sheaf_ucx_state.has_thread)
        return;
    if (pthread_mutex_trylock(&progress.lock) != 0)
        return;
    for (struct sheaf_ucx_worker *worker = progress.workers; worker; worker = worker->next)
        all &= sheaf_ucx_batch_try_send_all(worker);
    pthread_mutex_unlock(&progress.lock);
    sheaf_ucx_batch_is_mine = !all;
}

bool sheaf_ucx_progress(bool may_reply)
{
    struct sheaf_ucx_worker *service = sheaf_ucx_state.service;
    events_seen = sheaf_load_acquire(&progress.events);
    sheaf_ucx_note_poll(service);
    sheaf_ucx_check_lost();
    bool any = false;
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_ucx_open_batches)))
        send_batches();
    if (sheaf_ucx_try_lock(service)) {
        any = sheaf_ucx_turn(service, may_reply);
        sheaf_ucx_unlock(service);
    }
    if (!sheaf_ucx_state.has_thread) {
        any |= turn_others();
        sheaf_ucx_look_for_dead_hosts();
    }
    if (any)
        tell_sleepers();
    return any;
}

static void sleep_alone(uint64_t timeout_ns)
{
    struct sheaf_ucx_worker *service = sheaf_ucx_state.service;
    struct pollfd event = {service->event_fd, POLLIN, 0};
    struct timespec time = {(time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000)};
    sheaf_ucx_lock(service);
    bool is_armed = sheaf_ucx.ucp_worker_arm(service->ucp) == UCS_OK;
    sheaf_ucx_unlock(service);
    if (is_armed)
        ppoll(&event, 1, &time, NULL);
}

/* With a thread, it is the thread that sleeps on the descriptors, and it tells of what it has done;
 * it must not nap meanwhile. The count was read before the caller looked at what it waits for, so
 * nothing is missed. */
void sheaf_ucx_sleep(uint64_t timeout_ns)
{
    if (!sheaf_ucx_state.has_thread) {
        sleep_alone(timeout_ns);
        return;
    }
    if (sheaf_ucx_is_crowded()) {
        uint64_t ns = timeout_ns < MOST_NAP_NS ? timeout_ns : MOST_NAP_NS;
        nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
        return;
    }
    __atomic_fetch_add(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&progress.state, __ATOMIC_SEQ_CST) == NAPS)
        sheaf_ucx_nudge();
    sheaf_os_futex_wait(&progress.events, events_seen, timeout_ns);
    __atomic_fetch_sub(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
}

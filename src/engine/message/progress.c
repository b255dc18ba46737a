/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who moves the workers while the program computes: a thread that sleeps on their event descriptors.
 * A worker that the program's own threads poll is theirs: the thread then takes naps instead of
 * competing for it, and for a processor.
 */
#include "engine/message/batch/buffers.h"
#include "engine/message/message.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/os/os.h"
#include "base/pace/processor.h"
#include "base/probe.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of the list of workers */
    struct sheaf_msg_worker *workers;
    int epoll;
    bool stop;
    uint32_t events; /* counts what happened: a futex */
    uint32_t sleepers;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER, .epoll = -1};

/* events as it was when this thread last looked at its own memory, about. */
static _Thread_local uint32_t events_seen;

static void tell_sleepers(void)
{
    __atomic_fetch_add(&progress.events, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST))
        sheaf_os_futex_wake(&progress.events);
}

/* Whether the program has called or polled since the thread last looked at worker; and polled. */
static bool note_activity(struct sheaf_msg_worker *worker, bool *has_polled)
{
    unsigned polls = sheaf_load_relaxed(&worker->polls);
    unsigned calls = sheaf_load_relaxed(&worker->calls);
    *has_polled = polls != worker->polls_seen;
    bool is_active = *has_polled || calls != worker->calls_seen;
    worker->polls_seen = polls;
    worker->calls_seen = calls;
    return is_active;
}

/* Everything there is to do, with the lock held; what arrives after the last turn wakes the thread. */
static enum sheaf_pace_found turn_all(struct sheaf_msg_worker *worker)
{
    enum sheaf_pace_found found = SHEAF_FOUND_NOTHING;
    for (uint64_t i = 0; i < sheaf_pace_table.thread_turns && !sheaf_load_relaxed(&worker->wanted); i++) {
        if (!sheaf_msg_turn(worker, false))
            break;
        found = SHEAF_FOUND_WORK;
    }
    if (found == SHEAF_FOUND_NOTHING && !sheaf_msg_state.transport->arm(worker->port))
        found = SHEAF_FOUND_WORK;
    return found;
}

/* At worker, unless somebody else sees to it. */
static enum sheaf_pace_found look_after(struct sheaf_msg_worker *worker, bool has_polled)
{
    bool is_mine = sheaf_load_relaxed(&worker->is_handed_over) ||
                   sheaf_load_relaxed(&worker->deferred_count) ||
                   __atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST);
    if (has_polled && !is_mine)
        return SHEAF_FOUND_PROGRAM;
    if (!sheaf_msg_try_lock(worker))
        return SHEAF_FOUND_TAKEN;
    sheaf_store_relaxed(&worker->is_handed_over, false);
    enum sheaf_pace_found found = turn_all(worker);
    sheaf_msg_unlock(worker);
    return found;
}

static struct sheaf_pace_look look_after_all(void)
{
    struct sheaf_pace_look look = {.found = SHEAF_FOUND_NOTHING};
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_msg_worker *worker = progress.workers; worker; worker = worker->next) {
        bool has_polled;
        look.is_active |= note_activity(worker, &has_polled);
        enum sheaf_pace_found found = look_after(worker, has_polled);
        if (!sheaf_msg_batch_try_send_due(worker) && found < SHEAF_FOUND_TAKEN)
            found = SHEAF_FOUND_TAKEN;
        look.found = found > look.found ? found : look.found;
    }
    pthread_mutex_unlock(&progress.lock);
    return look;
}

static void look(void)
{
    if (sheaf_msg_state.transport->look)
        sheaf_msg_state.transport->look();
}

static void drop_wakes(void)
{
    uint64_t count;
    ssize_t ignored = read(sheaf_msg_thread.wake, &count, sizeof count);
    (void)ignored;
}

/* By the clock. A thread of the program that goes to sleep counts itself and then looks whether this one
 * naps; this one says so and then looks at the count: one of the two sees the other. */
static void nap(uint64_t ns, enum sheaf_pace_found found)
{
    sheaf_store_relaxed(&sheaf_msg_thread.nap_ns, ns);
    sheaf_msg_thread_set(SHEAF_THREAD_NAPS);
    if (found == SHEAF_FOUND_PROGRAM && sheaf_load_relaxed(&progress.sleepers))
        return;
    SHEAF_PROBE1(nap_begin, ns);
    if (sheaf_processor_nap(sheaf_msg_thread.wake, ns))
        drop_wakes();
    SHEAF_PROBE1(nap_end, ns);
}

static void linger(uint64_t ns)
{
    struct pollfd events = {progress.epoll, POLLIN, 0};
    struct timespec time = {0, (long)ns};
    sheaf_msg_thread_set(SHEAF_THREAD_LINGERS);
    ppoll(&events, 1, &time, NULL);
    drop_wakes();
}

static void sleep_until_event(uint64_t ns)
{
    struct epoll_event event;
    if (epoll_wait(progress.epoll, &event, 1, (int)(ns / SHEAF_MILLISECOND)) == 1 &&
        event.data.fd == sheaf_msg_thread.wake)
        drop_wakes();
}

/* Until there may be something to do. */
static void rest(struct sheaf_pace_thread *thread, const struct sheaf_pace_look *look)
{
    struct sheaf_pace_rest rest =
        sheaf_pace_thread_next(&sheaf_pace_here, thread, look, sheaf_clock_ns());
    if (rest.how == SHEAF_REST_NAP)
        nap(rest.ns, look->found);
    else if (rest.how == SHEAF_REST_LINGER)
        linger(rest.ns);
    else if (rest.how == SHEAF_REST_SLEEP)
        sleep_until_event(rest.ns);
}

static void *run(void *argument)
{
    struct sheaf_pace_thread thread = {0};
    (void)argument;
    prctl(PR_SET_NAME, "sheaf-progress");
    prctl(PR_SET_TIMERSLACK, 1UL); /* the default adds 50 us to a nap */
    sheaf_msg_is_progress_thread = true;
    while (!sheaf_load_acquire(&progress.stop)) {
        look();
        /* Said before looking, so that what is deferred after the look wakes the thread. */
        sheaf_msg_thread_set(SHEAF_THREAD_SLEEPS);
        struct sheaf_pace_look look = look_after_all();
        if (look.found == SHEAF_FOUND_WORK)
            tell_sleepers();
        look.has_open_batch = __atomic_load_n(&sheaf_msg_open_batches, __ATOMIC_SEQ_CST) != 0;
        look.is_missing = sheaf_msg_check_lost();
        look.is_unasked = sheaf_load_relaxed(&sheaf_msg_unasked_batches) != 0;
        sheaf_store_relaxed(&sheaf_msg_thread.knows_unasked, look.is_unasked);
        rest(&thread, &look);
    }
    return NULL;
}

static int watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(progress.epoll, EPOLL_CTL_ADD, fd, &event);
}

int sheaf_msg_thread_start(void)
{
    progress.stop = false;
    progress.epoll = epoll_create1(EPOLL_CLOEXEC);
    sheaf_msg_thread.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (progress.epoll < 0 || sheaf_msg_thread.wake < 0 || watch(sheaf_msg_thread.wake) != 0)
        return errno;
    return pthread_create(&progress.thread, NULL, run, NULL);
}

void sheaf_msg_thread_stop(void)
{
    sheaf_store_release(&progress.stop, true);
    sheaf_msg_thread_wake();
    pthread_join(progress.thread, NULL);
    close(progress.epoll);
    close(sheaf_msg_thread.wake);
}

void sheaf_msg_thread_add(struct sheaf_msg_worker *worker)
{
    pthread_mutex_lock(&progress.lock);
    worker->next = progress.workers;
    progress.workers = worker;
    pthread_mutex_unlock(&progress.lock);
    if (sheaf_msg_state.has_thread) {
        watch(worker->event_fd);
        sheaf_msg_thread_wake();
    }
}

void sheaf_msg_thread_remove(struct sheaf_msg_worker *worker)
{
    if (sheaf_msg_state.has_thread)
        epoll_ctl(progress.epoll, EPOLL_CTL_DEL, worker->event_fd, NULL);
    pthread_mutex_lock(&progress.lock);
    struct sheaf_msg_worker **place = &progress.workers;
    while (*place && *place != worker)
        place = &(*place)->next;
    if (*place)
        *place = worker->next;
    pthread_mutex_unlock(&progress.lock);
}

void sheaf_msg_thread_hold(void)
{
    pthread_mutex_lock(&progress.lock);
}

void sheaf_msg_thread_let_go(void)
{
    pthread_mutex_unlock(&progress.lock);
}

/* By a thread of the program that waits. Another that waits for the lock goes first: whoever lets go of a
 * mutex and takes it again at once gets it before the threads that wait. */
static bool take_turn(struct sheaf_msg_worker *worker, bool may_reply)
{
    sheaf_msg_note_poll(worker);
    if (sheaf_load_relaxed(&worker->wanted)) {
        sched_yield();
        return false;
    }
    if (!sheaf_msg_try_lock(worker))
        return false;
    bool any = sheaf_msg_turn(worker, may_reply);
    sheaf_msg_unlock(worker);
    return any;
}

/* Without the thread the program's calls do its part. */
static bool stand_in(struct sheaf_msg_worker *busy)
{
    bool any = false;
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_msg_worker *worker = progress.workers; worker; worker = worker->next) {
        if (worker == busy || !sheaf_msg_try_lock(worker))
            continue;
        any |= sheaf_msg_turn(worker, false);
        sheaf_msg_unlock(worker);
    }
    pthread_mutex_unlock(&progress.lock);
    look();
    return any;
}

static bool take_turns(struct sheaf_msg_worker *worker, bool may_reply)
{
    sheaf_msg_check_lost();
    bool any = take_turn(worker, may_reply);
    if (!sheaf_msg_state.has_thread)
        any |= stand_in(worker);
    if (any)
        tell_sleepers();
    if (any && sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_open_batches)))
        sheaf_msg_batch_try_send_due(worker);
    return any;
}

/* This thread waits, perhaps for what its own operations bring about; those of others are sent by
 * themselves, or by the progress thread. Whoever is about to append is tried again. */
static void send_batches(void)
{
    bool all = true;
    if (!sheaf_msg_batch_is_mine && sheaf_msg_state.has_thread)
        return;
    if (pthread_mutex_trylock(&progress.lock) != 0)
        return;
    for (struct sheaf_msg_worker *worker = progress.workers; worker; worker = worker->next)
        all &= sheaf_msg_batch_try_send_all(worker);
    pthread_mutex_unlock(&progress.lock);
    sheaf_msg_batch_is_mine = !all;
}

bool sheaf_msg_progress(bool may_reply)
{
    events_seen = sheaf_load_acquire(&progress.events);
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_open_batches)))
        send_batches();
    return take_turns(sheaf_msg_state.service, may_reply);
}

bool sheaf_msg_work(sheaf_engine_context *context)
{
    events_seen = sheaf_load_acquire(&progress.events);
    return take_turns(sheaf_msg_worker_of(context), false);
}

/* Where another thread has the lock it may be moving just that. */
bool sheaf_msg_needs_turns(void)
{
    const struct sheaf_transport *transport = sheaf_msg_state.transport;
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    if (!transport->needs_turns || !sheaf_msg_try_lock(worker))
        return transport->needs_turns != NULL;
    bool needs = transport->needs_turns(worker->port);
    sheaf_msg_unlock(worker);
    return needs;
}

/* On the worker's own descriptor: an answer wakes the program at once, not by way of the thread. */
static bool sleep_on(struct sheaf_msg_worker *worker, uint64_t timeout_ns)
{
    struct pollfd event = {worker->event_fd, POLLIN, 0};
    struct timespec time = {(time_t)(timeout_ns / SHEAF_SECOND), (long)(timeout_ns % SHEAF_SECOND)};
    sheaf_msg_enter(worker);
    bool is_armed = sheaf_load_acquire(&progress.events) == events_seen &&
                    sheaf_msg_state.transport->arm(worker->port);
    sheaf_msg_unlock(worker);
    return !is_armed || ppoll(&event, 1, &time, NULL) > 0;
}

/* What peers do, the thread tells of: it sleeps on the descriptors, and must not nap meanwhile. The count
 * was read before the caller looked at what it waits for, so nothing is missed. */
bool sheaf_msg_sleep(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns)
{
    if (is_work || !sheaf_msg_state.has_thread)
        return sleep_on(sheaf_msg_worker_of(context), timeout_ns);
    __atomic_fetch_add(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
    if (sheaf_msg_thread_get() == SHEAF_THREAD_NAPS)
        sheaf_msg_nudge();
    sheaf_os_futex_wait(&progress.events, events_seen, timeout_ns);
    __atomic_fetch_sub(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
    return sheaf_load_relaxed(&progress.events) != events_seen;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread that moves the workers while the program computes: it sleeps on their event descriptors. A
 * worker that the program's own threads poll is left to them: the thread naps instead of competing for
 * the worker and for a processor.
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
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of the list of workers */
    struct sheaf_msg_worker *workers;
    bool stop;
    uint32_t events; /* number of events; a futex */
    uint32_t sleepers;
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The value of events, approximately, when this thread last looked at its own memory. */
static _Thread_local uint32_t events_seen;

static void tell_sleepers(void)
{
    __atomic_fetch_add(&progress.events, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST))
        sheaf_os_futex_wake(&progress.events);
}

/* Whether the program has called since the thread last visited the worker; *has_polled: it has polled. */
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

/* Does all work there is, with the lock held. What arrives after the last turn wakes the thread. */
static enum sheaf_pace_found turn_until_idle(struct sheaf_msg_worker *worker)
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

/* Serves the worker, unless the program's threads do. */
static enum sheaf_pace_found serve_worker(struct sheaf_msg_worker *worker, bool has_polled)
{
    bool is_mine = sheaf_load_relaxed(&worker->is_handed_over) ||
                   sheaf_load_relaxed(&worker->deferred_count) ||
                   __atomic_load_n(&progress.sleepers, __ATOMIC_SEQ_CST);
    if (has_polled && !is_mine)
        return SHEAF_FOUND_PROGRAM;
    if (!sheaf_msg_try_lock(worker))
        return SHEAF_FOUND_TAKEN;
    sheaf_store_relaxed(&worker->is_handed_over, false);
    enum sheaf_pace_found found = turn_until_idle(worker);
    sheaf_msg_unlock(worker);
    return found;
}

static struct sheaf_pace_look serve_all_workers(void)
{
    struct sheaf_pace_look look = {.found = SHEAF_FOUND_NOTHING};
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_msg_worker *worker = progress.workers; worker; worker = worker->next) {
        bool has_polled;
        look.is_active |= note_activity(worker, &has_polled);
        enum sheaf_pace_found found = serve_worker(worker, has_polled);
        if (!sheaf_msg_batch_try_send_due(worker) && found < SHEAF_FOUND_TAKEN)
            found = SHEAF_FOUND_TAKEN;
        look.found = found > look.found ? found : look.found;
    }
    pthread_mutex_unlock(&progress.lock);
    return look;
}

static void call_transport_look(void)
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

/* Naps by the clock. A program's thread that goes to sleep counts itself and then checks whether this
 * thread naps; this thread sets NAPS and then checks the count. So at least one of them sees the other. */
static void nap_by_clock(uint64_t ns, enum sheaf_pace_found found)
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

/* All workers, idle ones too, and the descriptor that wakes this thread. */
#define MOST_EVENTS (1 + 1 + SHEAF_MSG_MOST_CONTEXTS)

static nfds_t list_events(struct pollfd events[MOST_EVENTS])
{
    nfds_t count = 0;
    events[count++] = (struct pollfd){sheaf_msg_thread.wake, POLLIN, 0};
    pthread_mutex_lock(&progress.lock);
    for (struct sheaf_msg_worker *worker = progress.workers; worker; worker = worker->next)
        events[count++] = (struct pollfd){worker->event_fd, POLLIN, 0};
    pthread_mutex_unlock(&progress.lock);
    return count;
}

/* The descriptors are watched meanwhile alone. An epoll would watch them while the program polls, too, and
 * be told of each message that arrives: a shmem_sync_all between hosts took 9.97 us, and takes 9.74. */
static void wait_for_event(uint64_t ns)
{
    struct pollfd events[MOST_EVENTS];
    struct timespec time = {(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
    if (ppoll(events, list_events(events), &time, NULL) > 0 && events[0].revents)
        drop_wakes();
}

/* Rests until there may be work. */
static void rest_thread(struct sheaf_pace_thread *thread, const struct sheaf_pace_look *look)
{
    struct sheaf_pace_rest rest =
        sheaf_pace_thread_next(&sheaf_pace_here, thread, look, sheaf_clock_ns());
    if (rest.how == SHEAF_REST_LINGER)
        sheaf_msg_thread_set(SHEAF_THREAD_LINGERS);
    if (rest.how == SHEAF_REST_NAP)
        nap_by_clock(rest.ns, look->found);
    else if (rest.how != SHEAF_REST_NOT)
        wait_for_event(rest.ns);
}

static void *run_progress_thread(void *argument)
{
    struct sheaf_pace_thread thread = {0};
    (void)argument;
    prctl(PR_SET_NAME, "sheaf-progress");
    prctl(PR_SET_TIMERSLACK, 1UL); /* the default slack adds 50 us to a nap */
    sheaf_msg_is_progress_thread = true;
    while (!sheaf_load_acquire(&progress.stop)) {
        call_transport_look();
        /* Set SLEEPS before looking: work deferred after the look then wakes the thread. */
        sheaf_msg_thread_set(SHEAF_THREAD_SLEEPS);
        struct sheaf_pace_look look = serve_all_workers();
        if (look.found == SHEAF_FOUND_WORK)
            tell_sleepers();
        look.has_open_batch = __atomic_load_n(&sheaf_msg_open_batches, __ATOMIC_SEQ_CST) != 0;
        look.is_missing = sheaf_msg_check_lost();
        look.is_automatic = sheaf_load_relaxed(&sheaf_msg_automatic_batches) != 0;
        sheaf_store_relaxed(&sheaf_msg_thread.knows_automatic, look.is_automatic);
        rest_thread(&thread, &look);
    }
    return NULL;
}

int sheaf_msg_thread_start(void)
{
    progress.stop = false;
    sheaf_msg_thread.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (sheaf_msg_thread.wake < 0)
        return errno;
    return pthread_create(&progress.thread, NULL, run_progress_thread, NULL);
}

void sheaf_msg_thread_stop(void)
{
    sheaf_store_release(&progress.stop, true);
    sheaf_msg_thread_wake();
    pthread_join(progress.thread, NULL);
    close(sheaf_msg_thread.wake);
}

void sheaf_msg_thread_add(struct sheaf_msg_worker *worker)
{
    pthread_mutex_lock(&progress.lock);
    worker->next = progress.workers;
    progress.workers = worker;
    pthread_mutex_unlock(&progress.lock);
    if (sheaf_msg_state.has_thread)
        sheaf_msg_thread_wake();
}

void sheaf_msg_thread_remove(struct sheaf_msg_worker *worker)
{
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

/* One turn by a waiting thread of the program. A thread that waits for the lock goes first, since a thread
 * that unlocks and locks a mutex at once would get it before the waiting ones. */
static bool turn_worker(struct sheaf_msg_worker *worker, bool may_reply)
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

/* Without the thread the program's calls serve the other workers. */
static bool turn_other_workers(struct sheaf_msg_worker *busy)
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
    call_transport_look();
    return any;
}

static bool turn_workers(struct sheaf_msg_worker *worker, bool may_reply)
{
    sheaf_msg_check_lost();
    bool any = turn_worker(worker, may_reply);
    if (!sheaf_msg_state.has_thread)
        any |= turn_other_workers(worker);
    if (any)
        tell_sleepers();
    if (any && sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_open_batches)))
        sheaf_msg_batch_try_send_due(worker);
    return any;
}

/* Sends batches, since this thread waits, perhaps for the effect of its own operations. Batches of other
 * threads are sent by those threads or by the progress thread. A worker to which a thread is just
 * appending is tried later. */
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
    return turn_workers(sheaf_msg_state.service, may_reply);
}

bool sheaf_msg_work(sheaf_engine_context *context)
{
    events_seen = sheaf_load_acquire(&progress.events);
    return turn_workers(sheaf_msg_worker_of(context), false);
}

/* If another thread holds the lock it may be moving such data, so the answer is yes. */
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

/* Sleeps on the worker's own descriptor: an answer wakes the program at once, without the thread. */
static bool sleep_on_worker(struct sheaf_msg_worker *worker, uint64_t timeout_ns)
{
    struct pollfd event = {worker->event_fd, POLLIN, 0};
    struct timespec time = {(time_t)(timeout_ns / SHEAF_SECOND), (long)(timeout_ns % SHEAF_SECOND)};
    sheaf_msg_enter(worker);
    bool is_armed = sheaf_load_acquire(&progress.events) == events_seen &&
                    sheaf_msg_state.transport->arm(worker->port);
    sheaf_msg_unlock(worker);
    return !is_armed || ppoll(&event, 1, &time, NULL) > 0;
}

/* The thread reports peers' operations: it sleeps on the descriptors, and must not nap meanwhile. The
 * count was read before the caller looked at its variable, so no event is missed. */
bool sheaf_msg_sleep(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns)
{
    if (is_work || !sheaf_msg_state.has_thread)
        return sleep_on_worker(sheaf_msg_worker_of(context), timeout_ns);
    __atomic_fetch_add(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
    if (sheaf_msg_thread_get() == SHEAF_THREAD_NAPS)
        sheaf_msg_nudge();
    sheaf_os_futex_wait(&progress.events, events_seen, timeout_ns);
    __atomic_fetch_sub(&progress.sleepers, 1, __ATOMIC_SEQ_CST);
    return sheaf_load_relaxed(&progress.events) != events_seen;
}

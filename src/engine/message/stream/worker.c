/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker: one stream of operations with a lock of its own, and the turns of work that advance it.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/os/os.h"

#include <stdlib.h>

/* A program that issues one operation after another serves its peers in between, many in one turn, and the
 * thread keeps away. Otherwise the two would take the lock alternately, message by message. */
static bool is_time_to_serve(struct sheaf_msg_worker *worker)
{
    sheaf_store_relaxed(&worker->calls, worker->calls + 1);
    return worker->calls % (unsigned)sheaf_pace_table.calls_a_turn == 0 &&
           worker == sheaf_msg_state.service;
}

void sheaf_msg_enter(struct sheaf_msg_worker *worker)
{
    sheaf_msg_lock_only(worker);
    if (!sheaf_msg_is_progress_thread && is_time_to_serve(worker)) {
        sheaf_msg_note_poll(worker);
        sheaf_msg_turn(worker, false);
    } else if (worker->deferred_count) {
        sheaf_msg_start_deferred(worker);
    }
}

/* When the program takes a message while the thread sleeps on the descriptors, the kernel wakes the thread
 * anyway. It finds nothing and sleeps again. */
static void note_needless_wake(struct sheaf_msg_worker *worker)
{
    bool is_needless = sheaf_msg_thread_is_asleep() && !sheaf_msg_is_progress_thread;
    if (sheaf_pace_wakes_needlessly(&worker->needless_wakes, is_needless))
        sheaf_msg_nudge();
}

bool sheaf_msg_turn(struct sheaf_msg_worker *worker, bool may_reply)
{
    SHEAF_KEEP_ERRNO;
    if (worker->deferred_count)
        sheaf_msg_start_deferred(worker);
    bool any = sheaf_msg_state.transport->turn(worker->port);
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_state.lanes_busy)))
        any |= sheaf_msg_state.poll_lanes();
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_state.deaths)))
        sheaf_msg_fail_dead(worker);
    if (sheaf_unlikely(worker->quiets != NULL))
        sheaf_msg_continue_quiets(worker);
    if (any)
        note_needless_wake(worker);
    if (worker->pending_count &&
        !(may_reply && sheaf_msg_delay_acknowledgements(&worker->delayed, any)))
        sheaf_msg_acknowledge(worker);
    return any;
}

struct sheaf_msg_worker *sheaf_msg_worker_create(const char **why)
{
    struct sheaf_msg_worker *worker = calloc(1, sizeof *worker);
    *why = "no memory";
    if (!worker)
        return NULL;
    worker->pages = calloc(sheaf_msg_peer_pages(), sizeof *worker->pages);
    if (worker->pages)
        worker->port = sheaf_msg_state.transport->open(worker, why);
    if (worker->port) {
        worker->event_fd = sheaf_msg_state.transport->descriptor(worker->port);
        pthread_mutex_init(&worker->lock, NULL);
        sheaf_pace_left_begin(&worker->puts);
        sheaf_pace_left_begin(&worker->gets);
        return worker;
    }
    free(worker->pages);
    free(worker);
    return NULL;
}

static void free_operations(struct sheaf_msg_worker *worker)
{
    for (uint32_t i = 0; i < worker->made; i++)
        free(worker->operations[i]);
    free(worker->operations);
}

static void free_page(struct sheaf_msg_peer_page *page)
{
    for (int i = 0; page && i < SHEAF_MSG_PEERS_PER_PAGE; i++)
        free(page->peers[i]);
    free(page);
}

void sheaf_msg_worker_close(struct sheaf_msg_worker *worker)
{
    sheaf_msg_state.transport->close(worker->port);
}

static void free_retired(struct sheaf_msg_worker *worker)
{
    while (worker->retired) {
        struct sheaf_msg_peer *next = worker->retired->next_retired;
        free(worker->retired);
        worker->retired = next;
    }
}

void sheaf_msg_worker_free(struct sheaf_msg_worker *worker)
{
    free_retired(worker);
    for (size_t i = 0; i < sheaf_msg_peer_pages(); i++)
        free_page(worker->pages[i]);
    free_operations(worker);
    pthread_mutex_destroy(&worker->lock);
    free(worker->pages);
    free(worker);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker: one stream of operations with a lock of its own, and the turns of work that move it.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"
#include "base/os/os.h"

#include <stdlib.h>

void sheaf_ucx_lock_only(struct sheaf_ucx_worker *worker)
{
    if (sheaf_ucx_try_lock(worker))
        return;
    __atomic_fetch_add(&worker->wanted, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&worker->lock);
    __atomic_fetch_sub(&worker->wanted, 1, __ATOMIC_RELAXED);
}

/* A program that issues one operation after another serves its peers in between, many at a turn, and
 * the thread keeps away: else the two would take the lock in turn, message by message. */
static bool is_time_to_serve(struct sheaf_ucx_worker *worker)
{
    sheaf_store_relaxed(&worker->calls, worker->calls + 1);
    return worker->calls % (unsigned)sheaf_pace_table.calls_a_turn == 0 &&
           worker == sheaf_ucx_state.service;
}

void sheaf_ucx_enter(struct sheaf_ucx_worker *worker)
{
    sheaf_ucx_lock_only(worker);
    if (!sheaf_ucx_is_progress_thread() && is_time_to_serve(worker)) {
        sheaf_ucx_note_poll(worker);
        sheaf_ucx_turn(worker, false);
    } else if (worker->deferred_count) {
        sheaf_ucx_start_deferred(worker);
    }
}

bool sheaf_ucx_try_lock(struct sheaf_ucx_worker *worker)
{
    return pthread_mutex_trylock(&worker->lock) == 0;
}

void sheaf_ucx_unlock(struct sheaf_ucx_worker *worker)
{
    pthread_mutex_unlock(&worker->lock);
}

/* What the program takes while the thread sleeps on the descriptors wakes it all the same, inside the
 * kernel, where it finds nothing and sleeps on. */
static void note_news(struct sheaf_ucx_worker *worker)
{
    bool is_needless = sheaf_ucx_thread_is_asleep() && !sheaf_ucx_is_progress_thread();
    if (sheaf_pace_wakes_needlessly(&worker->needless_wakes, is_needless))
        sheaf_ucx_nudge();
}

bool sheaf_ucx_turn(struct sheaf_ucx_worker *worker, bool may_reply)
{
    SHEAF_KEEP_ERRNO;
    if (worker->deferred_count)
        sheaf_ucx_start_deferred(worker);
    sheaf_ucx_is_inside = true;
    bool any = sheaf_ucx.ucp_worker_progress(worker->ucp) != 0;
    sheaf_ucx_is_inside = false;
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_ucx_lanes_busy)))
        any |= sheaf_ucx_lanes_poll();
    if (sheaf_unlikely(worker->quiets != NULL))
        sheaf_ucx_continue_quiets(worker);
    if (any)
        note_news(worker);
    bool may_wait = any && may_reply;
    if (worker->owes && !(may_wait && sheaf_ucx_hold_back_acknowledgements(&worker->delayed)))
        sheaf_ucx_acknowledge(worker);
    return any;
}

static ucs_status_t open_worker(struct sheaf_ucx_worker *worker)
{
    ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_FLAGS,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
        .flags = UCP_WORKER_FLAG_IGNORE_REQUEST_LEAK,
    };
    ucs_status_t status =
        sheaf_ucx.ucp_worker_create(sheaf_ucx_state.context, &params, &worker->ucp);
    if (status != UCS_OK)
        return status;
    status = sheaf_ucx.ucp_worker_get_efd(worker->ucp, &worker->event_fd);
    if (status == UCS_OK)
        status = sheaf_ucx_serve(worker);
    if (status != UCS_OK)
        sheaf_ucx.ucp_worker_destroy(worker->ucp);
    return status;
}

struct sheaf_ucx_worker *sheaf_ucx_worker_create(ucs_status_t *status)
{
    struct sheaf_ucx_worker *worker = calloc(1, sizeof *worker);
    size_t pages = (size_t)sheaf_ucx_state.job.npes / SHEAF_UCX_PEERS_PER_PAGE + 1;
    *status = UCS_ERR_NO_MEMORY;
    if (!worker)
        return NULL;
    worker->pages = calloc(pages, sizeof *worker->pages);
    sheaf_ucx_before_worker();
    if (worker->pages)
        *status = open_worker(worker);
    sheaf_ucx_after_worker();
    if (*status == UCS_OK) {
        pthread_mutex_init(&worker->lock, NULL);
        sheaf_pace_left_begin(&worker->puts);
        sheaf_pace_left_begin(&worker->gets);
        return worker;
    }
    free(worker->pages);
    free(worker);
    return NULL;
}

static void free_operations(struct sheaf_ucx_worker *worker)
{
    for (uint32_t i = 0; i < worker->made; i++)
        free(worker->operations[i]);
    free(worker->operations);
}

/* While the worker, which they belong to, is there. */
static void forget_keys(struct sheaf_ucx_peer_page *page)
{
    for (int i = 0; page && i < SHEAF_UCX_PEERS_PER_PAGE; i++)
        if (page->peers[i])
            sheaf_ucx_forget_keys(page->peers[i]);
}

static void free_page(struct sheaf_ucx_peer_page *page)
{
    for (int i = 0; page && i < SHEAF_UCX_PEERS_PER_PAGE; i++)
        free(page->peers[i]);
    free(page);
}

void sheaf_ucx_worker_destroy(struct sheaf_ucx_worker *worker)
{
    size_t pages = (size_t)sheaf_ucx_state.job.npes / SHEAF_UCX_PEERS_PER_PAGE + 1;
    for (size_t i = 0; i < pages; i++)
        forget_keys(worker->pages[i]);
    sheaf_ucx.ucp_worker_destroy(worker->ucp);
    sheaf_ucx_batches_destroy(worker);
    for (size_t i = 0; i < pages; i++)
        free_page(worker->pages[i]);
    free_operations(worker);
    pthread_mutex_destroy(&worker->lock);
    free(worker->pages);
    free(worker);
}

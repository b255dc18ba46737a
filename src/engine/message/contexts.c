/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts. Each has a worker with connections of its own. Over UCX's TCP it takes 2.5 ms to make a
 * worker, 2 ms to connect it and 3.5 ms to destroy it. So a destroyed context's worker, with its
 * connections, is retained for the next context. Idle workers stay in the progress thread's list, so that
 * the thread notices broken connections.
 */
#include "engine/message/batch/buffers.h"
#include "engine/message/message.h"

#include "base/atomic.h"

/* A worker that has had more operations under way at once is destroyed, since memory for them stays with
 * it: 700 bytes each, here and in the transport. */
#define MOST_OPERATIONS 4096

static struct {
    pthread_mutex_t lock;
    unsigned workers;                /* workers of contexts, and idle ones */
    unsigned connections;            /* of idle workers */
    struct sheaf_msg_worker *newest_idle; /* idle worker */
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL: there is no idle worker. */
static struct sheaf_msg_worker *take_idle_worker(void)
{
    pthread_mutex_lock(&contexts.lock);
    struct sheaf_msg_worker *worker = contexts.newest_idle;
    if (worker) {
        contexts.newest_idle = worker->next_idle;
        contexts.connections -= worker->connections;
    }
    pthread_mutex_unlock(&contexts.lock);
    return worker;
}

/* Returns whether there was room. */
static bool retain_worker(struct sheaf_msg_worker *worker)
{
    pthread_mutex_lock(&contexts.lock);
    bool has_room = contexts.connections + worker->connections <= SHEAF_MSG_MOST_IDLE_CONNECTIONS;
    if (has_room) {
        contexts.connections += worker->connections;
        worker->next_idle = contexts.newest_idle;
        contexts.newest_idle = worker;
    }
    pthread_mutex_unlock(&contexts.lock);
    return has_room;
}

/* Counts one more worker. Returns whether it is allowed. */
static bool count_worker_in(void)
{
    pthread_mutex_lock(&contexts.lock);
    bool has_room = contexts.workers < SHEAF_MSG_MOST_CONTEXTS;
    contexts.workers += has_room;
    pthread_mutex_unlock(&contexts.lock);
    return has_room;
}

static void count_worker_out(void)
{
    pthread_mutex_lock(&contexts.lock);
    contexts.workers--;
    pthread_mutex_unlock(&contexts.lock);
}

/* Forgets keys while their port exists. */
static void forget_page_keys(struct sheaf_msg_peer_page *page)
{
    for (int i = 0; page && i < SHEAF_MSG_PEERS_PER_PAGE; i++)
        if (page->peers[i])
            sheaf_msg_forget_keys(page->peers[i]);
}

void sheaf_msg_worker_end(struct sheaf_msg_worker *worker)
{
    sheaf_msg_thread_remove(worker);
    for (size_t i = 0; i < sheaf_msg_peer_pages(); i++)
        forget_page_keys(worker->pages[i]);
    sheaf_msg_worker_close(worker);
    sheaf_msg_batches_destroy(worker);
    sheaf_msg_worker_free(worker);
}

static void destroy_worker(struct sheaf_msg_worker *worker)
{
    sheaf_msg_worker_end(worker);
    count_worker_out();
}

/* NULL: there are too many workers, or none can be made. */
static struct sheaf_msg_worker *make_worker(void)
{
    const char *why;
    if (!count_worker_in())
        return NULL;
    struct sheaf_msg_worker *worker = sheaf_msg_worker_create(&why);
    if (worker)
        sheaf_msg_thread_add(worker);
    else
        count_worker_out();
    return worker;
}

/* No worker is made where a peer may die: UCX 1.13 ends the process when a connection breaks while it is
 * made. */
sheaf_engine_context *sheaf_msg_context_create(bool is_shared)
{
    if (sheaf_msg_survives_deaths())
        return NULL;
    struct sheaf_msg_worker *worker = take_idle_worker();
    if (!worker)
        worker = make_worker();
    if (!worker)
        return NULL;
    worker->is_shared = is_shared;
    sheaf_msg_batches_prepare(worker);
    return worker;
}

/* Destroys the batches, since the next context may be used by other threads, without a session. */
static void drop_batches(struct sheaf_msg_worker *worker)
{
    if (!worker->batches)
        return;
    sheaf_msg_thread_hold();
    sheaf_store_relaxed(&worker->is_batching, false);
    sheaf_msg_batches_destroy(worker);
    sheaf_msg_thread_let_go();
}

/* Called after a quiet. If a connection is lost, the job is about to end. A batch that the transport still
 * holds, although its target has answered, is freed with the worker. */
static bool is_reusable(struct sheaf_msg_worker *worker)
{
    if (sheaf_msg_check_lost())
        return false;
    sheaf_msg_lock_only(worker);
    bool is_fit = worker->in_use == 0 && worker->pending_count == 0 && worker->made <= MOST_OPERATIONS;
    sheaf_msg_unlock(worker);
    if (is_fit)
        drop_batches(worker);
    return is_fit;
}

void sheaf_msg_context_destroy(sheaf_engine_context *context)
{
    if (context && !(is_reusable(context) && retain_worker(context)))
        destroy_worker(context);
}

void sheaf_msg_contexts_stop(void)
{
    for (struct sheaf_msg_worker *worker; (worker = take_idle_worker()) != NULL;)
        destroy_worker(worker);
}

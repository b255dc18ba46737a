/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: a worker each, with connections of its own. Making one, its first connection and taking
 * it down are the transport's matter and take 2.5, 2 and 3.5 ms over UCX's TCP; so a destroyed context's
 * worker is kept for the next context, connections included. Kept workers stay in the progress thread's
 * list: the thread goes on seeing connections that break.
 */
#include "engine/message/batch/buffers.h"
#include "engine/message/message.h"

#include "base/atomic.h"

/* A worker that has had more operations under way at once is not kept: room for them stays with it,
 * here and in the transport, 700 bytes each. */
#define MOST_OPERATIONS 4096

static struct {
    pthread_mutex_t lock;
    unsigned workers;                /* there are, of contexts and kept */
    unsigned connections;            /* of kept workers */
    struct sheaf_msg_worker *newest; /* of kept ones */
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL without. */
static struct sheaf_msg_worker *take(void)
{
    pthread_mutex_lock(&contexts.lock);
    struct sheaf_msg_worker *worker = contexts.newest;
    if (worker) {
        contexts.newest = worker->next_kept;
        contexts.connections -= worker->connections;
    }
    pthread_mutex_unlock(&contexts.lock);
    return worker;
}

/* Whether there was room. */
static bool keep(struct sheaf_msg_worker *worker)
{
    pthread_mutex_lock(&contexts.lock);
    bool has_room = contexts.connections + worker->connections <= SHEAF_MSG_MOST_KEPT;
    if (has_room) {
        contexts.connections += worker->connections;
        worker->next_kept = contexts.newest;
        contexts.newest = worker;
    }
    pthread_mutex_unlock(&contexts.lock);
    return has_room;
}

/* Whether there may be one more. */
static bool count_in(void)
{
    pthread_mutex_lock(&contexts.lock);
    bool has_room = contexts.workers < SHEAF_MSG_MOST_CONTEXTS;
    contexts.workers += has_room;
    pthread_mutex_unlock(&contexts.lock);
    return has_room;
}

static void count_out(void)
{
    pthread_mutex_lock(&contexts.lock);
    contexts.workers--;
    pthread_mutex_unlock(&contexts.lock);
}

/* While the port, which they belong to, is there. */
static void forget_keys(struct sheaf_msg_peer_page *page)
{
    for (int i = 0; page && i < SHEAF_MSG_PEERS_PER_PAGE; i++)
        if (page->peers[i])
            sheaf_msg_forget_keys(page->peers[i]);
}

void sheaf_msg_worker_end(struct sheaf_msg_worker *worker)
{
    sheaf_msg_thread_remove(worker);
    for (size_t i = 0; i < sheaf_msg_peer_pages(); i++)
        forget_keys(worker->pages[i]);
    sheaf_msg_worker_close(worker);
    sheaf_msg_batches_destroy(worker);
    sheaf_msg_worker_free(worker);
}

static void destroy(struct sheaf_msg_worker *worker)
{
    sheaf_msg_worker_end(worker);
    count_out();
}

/* NULL where there are too many, or none can be had. */
static struct sheaf_msg_worker *make(void)
{
    const char *why;
    if (!count_in())
        return NULL;
    struct sheaf_msg_worker *worker = sheaf_msg_worker_create(&why);
    if (worker)
        sheaf_msg_thread_add(worker);
    else
        count_out();
    return worker;
}

/* A connection in the making that breaks ends the process in UCX 1.13: where a peer may die there are
 * no new ones. */
sheaf_engine_context *sheaf_msg_context_create(bool is_shared)
{
    if (sheaf_msg_bears_deaths())
        return NULL;
    struct sheaf_msg_worker *worker = take();
    if (!worker)
        worker = make();
    if (!worker)
        return NULL;
    worker->is_shared = is_shared;
    sheaf_msg_batches_prepare(worker);
    return worker;
}

/* The next context may be used by other threads, and be in no session. */
static void drop_batches(struct sheaf_msg_worker *worker)
{
    if (!worker->batches)
        return;
    sheaf_msg_thread_hold();
    sheaf_store_relaxed(&worker->is_batching, false);
    sheaf_msg_batches_destroy(worker);
    sheaf_msg_thread_let_go();
}

/* After a quiet. Where a connection is lost the job is about to end. A batch that the transport has
 * not let go of yet, although its target has answered, comes back when the worker is taken down. */
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
    if (context && !(is_reusable(context) && keep(context)))
        destroy(context);
}

void sheaf_msg_contexts_stop(void)
{
    for (struct sheaf_msg_worker *worker; (worker = take()) != NULL;)
        destroy(worker);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker's batches: the buffers, which peer fills which, sending them and getting them back. Unsent
 * batches are sent by any waiting thread and by the progress thread.
 */
#include "engine/message/batch/buffers.h"

#include "base/clock.h"

#include <stdlib.h>

/* Memory of a worker's buffers, in bytes: MOST_MEMORY in a session, MOST_AUTOMATIC without. The size of a
 * buffer lets every peer have one, and one under way, but is at least SMALLEST_BUFFER, so that a message
 * is worth sending.
 *
 * Short entries fill FULL bytes of a buffer: hundreds of entries are worth a message, and the target
 * carries them out while others are appended. Long entries fill all of it. In a stream a put of 4 KiB took
 * 9.6 us with FULL and takes 3.6 us so, one of 512 bytes 1.5 and 0.7 us; for 8 bytes there is no
 * difference. */
#define MOST_MEMORY     ((size_t)4 << 20)
#define MOST_AUTOMATIC    ((size_t)1 << 20)
#define LARGEST_BUFFER  65408
#define FULL            16384
#define SMALLEST_BUFFER 2048
#define FEWEST_BUFFERS  4

uint32_t sheaf_msg_open_batches, sheaf_msg_automatic_batches;

static uint32_t choose_capacity(void)
{
    size_t capacity = LARGEST_BUFFER;
    while (capacity > SMALLEST_BUFFER &&
           capacity * 2 * (size_t)sheaf_msg_state.job.npes > MOST_MEMORY)
        capacity /= 2;
    return (uint32_t)capacity;
}

static uint32_t choose_most(uint32_t capacity, size_t operations)
{
    size_t most = MOST_MEMORY / capacity;
    if (operations < most)
        most = operations < FEWEST_BUFFERS ? FEWEST_BUFFERS : operations;
    return (uint32_t)most;
}

static bool make_batches(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_batches *batches = calloc(1, sizeof *batches);
    if (!batches)
        return false;
    sheaf_owner_lock_init(&batches->lock, worker->is_shared);
    batches->capacity = choose_capacity();
    batches->full = batches->capacity < FULL ? batches->capacity : FULL;
    batches->most = (uint32_t)(MOST_AUTOMATIC / batches->capacity);
    sheaf_store_release(&worker->batches, batches);
    return true;
}

/* Without memory nothing is aggregated. */
void sheaf_msg_batches_prepare(struct sheaf_msg_worker *worker)
{
    if (sheaf_msg_state.aggregates)
        make_batches(worker);
}

static void forget_open(const struct sheaf_msg_batches *batches)
{
    __atomic_fetch_sub(&sheaf_msg_open_batches, batches->open, __ATOMIC_RELAXED);
    for (const struct sheaf_msg_batch *batch = batches->oldest; batch; batch = batch->next)
        if (batch->is_automatic)
            __atomic_fetch_sub(&sheaf_msg_automatic_batches, 1, __ATOMIC_RELAXED);
}

static void free_batch_list(struct sheaf_msg_batch *batch)
{
    while (batch) {
        struct sheaf_msg_batch *next = batch->next;
        free(batch);
        batch = next;
    }
}

void sheaf_msg_batches_destroy(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_batches *batches = worker->batches;
    if (!batches)
        return;
    forget_open(batches);
    free_batch_list(batches->free);
    free_batch_list(batches->oldest);
    free_batch_list(batches->returned);
    sheaf_owner_lock_fini(&batches->lock);
    free(batches);
    worker->batches = NULL;
}

/* Adds an open batch to the list, and tells the progress thread if it is the first. */
static void enlist_open(struct sheaf_msg_batches *batches, struct sheaf_msg_batch *batch)
{
    batch->since_ns = sheaf_clock_ns();
    batch->ended_before = sheaf_msg_traffic(batch->peer).ended;
    batch->next = NULL;
    batch->previous = batches->newest;
    if (batches->newest)
        batches->newest->next = batch;
    else
        batches->oldest = batch;
    batches->newest = batch;
    batches->open++;
    sheaf_store_relaxed(&batches->oldest_ns, batches->oldest->since_ns);
    if (batch->is_automatic)
        __atomic_fetch_add(&sheaf_msg_automatic_batches, 1, __ATOMIC_RELAXED);
    if (__atomic_fetch_add(&sheaf_msg_open_batches, 1, __ATOMIC_SEQ_CST) == 0)
        sheaf_msg_nudge_for_batch(batch->is_automatic);
}

static void unlist_open(struct sheaf_msg_batches *batches, struct sheaf_msg_batch *batch)
{
    *(batch->previous ? &batch->previous->next : &batches->oldest) = batch->next;
    *(batch->next ? &batch->next->previous : &batches->newest) = batch->previous;
    batches->open--;
    sheaf_store_relaxed(&batches->oldest_ns, batches->oldest ? batches->oldest->since_ns : 0);
    __atomic_fetch_sub(&sheaf_msg_open_batches, 1, __ATOMIC_RELAXED);
    if (batch->is_automatic)
        __atomic_fetch_sub(&sheaf_msg_automatic_batches, 1, __ATOMIC_RELAXED);
}

void sheaf_msg_batch_take_back(struct sheaf_msg_operation *operation)
{
    struct sheaf_msg_batches *batches = operation->worker->batches;
    operation->batch->next = batches->returned;
    sheaf_store_relaxed(&batches->returned, operation->batch);
}

void sheaf_msg_batch_send(struct sheaf_msg_worker *worker, struct sheaf_msg_batch *batch)
{
    struct sheaf_msg_peer *peer = batch->peer;
    unlist_open(worker->batches, batch);
    peer->batch = NULL;
    sheaf_msg_enter(worker);
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->batch = batch;
    operation->ended = sheaf_msg_batch_take_back;
    operation->header.batch = (struct sheaf_msg_batch_call){
        batch->results ? operation->handle : 0, batch->answer_bytes};
    if (batch->results)
        sheaf_msg_expect_answer(operation, SHEAF_MSG_BATCH_DATA, batch->answer_bytes);
    else
        sheaf_msg_count_sent(worker, peer);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_BATCH, batch->bytes, batch->used);
    sheaf_msg_unlock(worker);
}

static void send_all_batches(struct sheaf_msg_worker *worker)
{
    while (worker->batches->oldest)
        sheaf_msg_batch_send(worker, worker->batches->oldest);
}

void sheaf_msg_batch_hold(struct sheaf_msg_worker *worker)
{
    sheaf_owner_lock_enter(&worker->batches->lock);
    send_all_batches(worker);
}

void sheaf_msg_batch_let_go(struct sheaf_msg_worker *worker)
{
    sheaf_owner_lock_leave(&worker->batches->lock);
}

void sheaf_msg_batch_send_all(struct sheaf_msg_worker *worker)
{
    sheaf_msg_batch_hold(worker);
    sheaf_msg_batch_let_go(worker);
}

/* Without memory operations travel one by one. */
static void begin_session(struct sheaf_msg_worker *worker, size_t operations)
{
    sheaf_msg_lock_only(worker);
    bool exists = worker->batches || make_batches(worker);
    sheaf_msg_unlock(worker);
    if (!exists)
        return;
    struct sheaf_msg_batches *batches = worker->batches;
    sheaf_owner_lock_enter(&batches->lock);
    batches->most = choose_most(batches->capacity, operations);
    sheaf_store_relaxed(&worker->is_batching, true);
    sheaf_owner_lock_leave(&batches->lock);
}

/* Sends all batches first: a thread that sees is_batching false can rely on that. */
static void end_session(struct sheaf_msg_worker *worker)
{
    if (!sheaf_load_acquire(&worker->batches))
        return;
    sheaf_owner_lock_enter(&worker->batches->lock);
    send_all_batches(worker);
    sheaf_store_relaxed(&worker->is_batching, false);
    worker->batches->most = (uint32_t)(MOST_AUTOMATIC / worker->batches->capacity);
    sheaf_owner_lock_leave(&worker->batches->lock);
}

void sheaf_msg_batch(sheaf_engine_context *context, size_t operations)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    if (operations > 0)
        begin_session(worker, operations);
    else
        end_session(worker);
}

static void collect_returned(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_batches *batches = worker->batches;
    if (!sheaf_load_relaxed(&batches->returned))
        return;
    sheaf_msg_enter(worker);
    batches->free = batches->returned;
    sheaf_store_relaxed(&batches->returned, NULL);
    sheaf_msg_unlock(worker);
}

static void make_batch(struct sheaf_msg_batches *batches)
{
    struct sheaf_msg_batch *batch = malloc(sizeof *batch + batches->capacity);
    if (!batch) {
        batches->most = batches->made;
        return;
    }
    batch->next = NULL;
    batches->free = batch;
    batches->made++;
}

/* Makes room when all buffers are open or under way. Sends the oldest open one, unless most are under way:
 * those come back by themselves. */
static void make_room_for_batch(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_batches *batches = worker->batches;
    while (!batches->free && 2 * batches->open > batches->made) {
        sheaf_msg_batch_send(worker, batches->oldest);
        collect_returned(worker);
    }
}

/* NULL: there is none at present. */
static struct sheaf_msg_batch *take_free_batch(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_batches *batches = worker->batches;
    if (!batches->free)
        collect_returned(worker);
    if (!batches->free && batches->made < batches->most)
        make_batch(batches);
    make_room_for_batch(worker);
    struct sheaf_msg_batch *batch = batches->free;
    if (batch)
        batches->free = batch->next;
    return batch;
}

/* In such programs every PE sends, and so receives as much. A thread that sends a batch therefore looks
 * for arrivals, which is cheaper than leaving that to another thread. */
static void turn_after_send(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_worker *service = sheaf_msg_state.service;
    sheaf_msg_enter(worker);
    sheaf_msg_note_poll(worker);
    sheaf_msg_turn(worker, false);
    sheaf_msg_unlock(worker);
    if (worker == service || !sheaf_msg_try_lock(service))
        return;
    sheaf_msg_note_poll(service);
    sheaf_msg_turn(service, false);
    sheaf_msg_unlock(service);
}

/* Operations that a fence puts before messages must be complete before a batch is opened, so that it can
 * be sent at any time. */
static bool may_open(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    sheaf_msg_enter(worker);
    bool may_send = sheaf_msg_may_send(worker, peer);
    sheaf_msg_unlock(worker);
    return may_send;
}

/* In a large job a full batch needs its target's credit: stream/credit.c. */
static bool may_leave(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    if (sheaf_likely(sheaf_msg_state.free_credit == SIZE_MAX))
        return true;
    sheaf_msg_enter(worker);
    bool may_send = sheaf_msg_may_send_data(worker, peer, peer->batch->used);
    sheaf_msg_unlock(worker);
    return may_send;
}

struct sheaf_msg_batch *sheaf_msg_batch_next(struct sheaf_msg_worker *worker,
                                             struct sheaf_msg_peer *peer)
{
    if (peer->batch) {
        if (!may_leave(worker, peer))
            return NULL;
        sheaf_msg_batch_send(worker, peer->batch);
        turn_after_send(worker);
    }
    if (sheaf_msg_orders_kinds() && !may_open(worker, peer))
        return NULL;
    struct sheaf_msg_batch *batch = take_free_batch(worker);
    if (!batch)
        return NULL;
    batch->peer = peer;
    batch->is_automatic = !worker->is_batching;
    batch->used = batch->results = batch->answer_bytes = 0;
    peer->batch = batch;
    enlist_open(worker->batches, batch);
    return batch;
}

static bool is_due_to_leave(const struct sheaf_msg_batch *batch)
{
    return sheaf_pace_batch_leaves(batch->ended_before, sheaf_msg_traffic(batch->peer));
}

/* With the lock: sends batches opened up to before_ns and, without a session, those that no longer wait
 * for a message. */
static void send_due_batches(struct sheaf_msg_worker *worker, uint64_t before_ns)
{
    struct sheaf_msg_batches *batches = worker->batches;
    bool is_session = worker->is_batching;
    sheaf_store_relaxed(&batches->ended_seen, sheaf_load_relaxed(&worker->ended));
    for (struct sheaf_msg_batch *batch = batches->oldest, *next; batch; batch = next) {
        next = batch->next;
        if (batch->since_ns <= before_ns || (!is_session && is_due_to_leave(batch)))
            sheaf_msg_batch_send(worker, batch);
        else if (is_session)
            break;
    }
}

void sheaf_msg_batch_move_on(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer)
{
    struct sheaf_msg_batches *batches = worker->batches;
    if (++batches->appended >= sheaf_pace_table.aggregate_turn) {
        batches->appended = 0;
        turn_after_send(worker);
        send_due_batches(worker, 0);
    } else if (peer->batch && is_due_to_leave(peer->batch)) {
        sheaf_msg_batch_send(worker, peer->batch);
    }
}

/* Takes the lock outside the calls of the worker's own thread. Where only one thread at a time is in the
 * library, that is the caller, unless it is the progress thread. */
static bool enter_from_outside(struct sheaf_owner_lock *lock, bool *is_owner)
{
    *is_owner = !sheaf_msg_state.job.multiple && !sheaf_msg_is_progress_thread;
    if (!*is_owner)
        return sheaf_owner_lock_visit(lock);
    sheaf_owner_lock_enter(lock);
    return true;
}

static void leave_from_outside(struct sheaf_owner_lock *lock, bool is_owner)
{
    if (is_owner)
        sheaf_owner_lock_leave(lock);
    else
        sheaf_owner_lock_end_visit(lock);
}

/* Whether no open batch may be due. Checked first, since taking the lock costs a system call. */
static bool has_nothing_due(const struct sheaf_msg_worker *worker, uint64_t before_ns)
{
    const struct sheaf_msg_batches *batches = worker->batches;
    uint64_t oldest_ns = sheaf_load_relaxed(&batches->oldest_ns);
    if (oldest_ns == 0)
        return true;
    bool has_news = sheaf_load_relaxed(&worker->ended) != sheaf_load_relaxed(&batches->ended_seen);
    return oldest_ns > before_ns && (!has_news || sheaf_load_relaxed(&worker->is_batching));
}

static bool try_send_batches(struct sheaf_msg_worker *worker, uint64_t before_ns)
{
    struct sheaf_msg_batches *batches = worker->batches;
    bool is_owner;
    if (has_nothing_due(worker, before_ns))
        return true;
    if (!enter_from_outside(&batches->lock, &is_owner))
        return false;
    send_due_batches(worker, before_ns);
    leave_from_outside(&batches->lock, is_owner);
    return true;
}

bool sheaf_msg_batch_try_send_all(struct sheaf_msg_worker *worker)
{
    return !sheaf_msg_has_batches(worker) || try_send_batches(worker, UINT64_MAX);
}

bool sheaf_msg_batch_try_send_due(struct sheaf_msg_worker *worker)
{
    return !sheaf_msg_has_batches(worker) ||
           try_send_batches(worker, sheaf_clock_ns() - sheaf_pace_table.batch_age);
}

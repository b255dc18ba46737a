/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lanes: connections of the adapter (adapter.h) to other PEs, for its own atomic operations. The process
 * has one lane to each PE, made on first use and shared by all contexts. The two PEs exchange their ends
 * by messages, which carry the job's key and are checked like all others. The adapter of the PE that has
 * an object carries out all operations on it, those of this host's PEs too, so they are atomic with each
 * other.
 */
#include "engine/message/direct/lanes.h"

#include "base/log.h"
#include "engine/verbs/adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unknown parts of the other end are asked for once, on first need. */
struct lane {
    bool is_ready;
    sheaf_adapter_queue *queue;
    struct sheaf_adapter_end own;
    struct sheaf_msg_question other;
    unsigned under_way;
    bool has_key[SHEAF_MSG_PARTS];
    uint32_t keys[SHEAF_MSG_PARTS];
    struct sheaf_msg_question parts[SHEAF_MSG_PARTS];
};

/* An operation under way. */
struct slot {
    struct sheaf_msg_peer *peer;
    struct lane *lane;
    void *result;   /* destination of the word's previous value; NULL: not wanted */
    size_t *remaining;   /* counted down at the end, or NULL */
    unsigned next_free;
};

/* The lock guards all of this, and the adapter. It is taken after a worker's lock. */
static struct {
    pthread_mutex_t lock;
    struct lane **by_pe;            /* NULL before first use */
    sheaf_adapter_queue **accepted; /* other PEs' ends of their lanes, by PE */
    struct slot slots[SHEAF_ADAPTER_SLOTS];
    unsigned free; /* first free slot; SHEAF_ADAPTER_SLOTS: none */
    bool has_key[SHEAF_MSG_PARTS];
    uint32_t keys[SHEAF_MSG_PARTS];
} lanes = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fail_lane(const struct sheaf_msg_peer *peer, const char *what)
{
    char why[200];
    snprintf(why, sizeof why, "atomic operation: %s (adapter %s)", what, sheaf_adapter_name());
    sheaf_msg_state.job.failed(peer->pe, why);
}

/* Copies the result of an operation that has ended, and counts it. */
static void finish_slot(const struct sheaf_adapter_result *result)
{
    struct slot *slot = &lanes.slots[result->slot];
    if (result->failure && !sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        fail_lane(slot->peer, result->failure);
    if (slot->result)
        memcpy(slot->result, &result->held, sizeof result->held);
    slot->lane->under_way--;
    sheaf_store_relaxed(&sheaf_msg_state.lanes_busy, sheaf_msg_state.lanes_busy - 1);
    sheaf_store_release(&slot->peer->lane_ended, slot->peer->lane_ended + 1);
    if (slot->remaining)
        sheaf_store_release(slot->remaining, *slot->remaining - 1);
    slot->next_free = lanes.free;
    lanes.free = result->slot;
}

static bool poll_adapter(void)
{
    struct sheaf_adapter_result results[SHEAF_ADAPTER_RESULTS];
    if (pthread_mutex_trylock(&lanes.lock) != 0)
        return false;
    int count = sheaf_adapter_poll(results);
    for (int i = 0; i < count; i++)
        finish_slot(&results[i]);
    pthread_mutex_unlock(&lanes.lock);
    return count > 0;
}

int sheaf_msg_lanes_start(void)
{
    size_t npes = (size_t)sheaf_msg_state.job.npes;
    lanes.by_pe = calloc(npes, sizeof *lanes.by_pe);
    lanes.accepted = calloc(npes, sizeof(sheaf_adapter_queue *));
    for (unsigned i = 0; i < SHEAF_ADAPTER_SLOTS; i++)
        lanes.slots[i].next_free = i + 1;
    lanes.free = 0;
    sheaf_msg_state.poll_lanes = poll_adapter;
    return lanes.by_pe && lanes.accepted ? 0 : -1;
}

static void drop_lane(struct lane *lane)
{
    if (!lane)
        return;
    if (lane->queue)
        sheaf_adapter_disconnect(lane->queue);
    free(lane->other.answer);
    for (int i = 0; i < SHEAF_MSG_PARTS; i++)
        free(lane->parts[i].answer);
    free(lane);
}

void sheaf_msg_lanes_stop(void)
{
    for (int pe = 0; lanes.by_pe && lanes.accepted && pe < sheaf_msg_state.job.npes; pe++) {
        drop_lane(lanes.by_pe[pe]);
        if (lanes.accepted[pe])
            sheaf_adapter_disconnect(lanes.accepted[pe]);
    }
    free(lanes.by_pe);
    free(lanes.accepted);
    lanes.by_pe = NULL;
    lanes.accepted = NULL;
    memset(lanes.has_key, 0, sizeof lanes.has_key);
    sheaf_adapter_close();
}

int sheaf_msg_lanes_register(const struct sheaf_msg_part *part)
{
    pthread_mutex_lock(&lanes.lock);
    int error = lanes.has_key[part->index]
                    ? 0
                    : sheaf_adapter_register((void *)part->start, part->end - part->start,
                                             &lanes.keys[part->index]);
    lanes.has_key[part->index] = error == 0;
    pthread_mutex_unlock(&lanes.lock);
    return error;
}

/* A later part of this index has another key, on every PE. */
void sheaf_msg_lanes_unregister(int part)
{
    pthread_mutex_lock(&lanes.lock);
    if (lanes.has_key[part])
        sheaf_adapter_unregister(lanes.keys[part]);
    lanes.has_key[part] = false;
    for (int pe = 0; pe < sheaf_msg_state.job.npes; pe++) {
        struct lane *lane = lanes.by_pe[pe];
        if (!lane)
            continue;
        free(lane->parts[part].answer);
        lane->parts[part] = (struct sheaf_msg_question){0};
        sheaf_store_release(&lane->has_key[part], false);
    }
    pthread_mutex_unlock(&lanes.lock);
}

/* Takes the answer, which must have bytes bytes; with the lock. */
static void take_lane_answer(const struct sheaf_msg_peer *peer, struct sheaf_msg_question *question,
                             void *answer, size_t bytes, const char *without)
{
    if (question->bytes != bytes)
        fail_lane(peer, without);
    memcpy(answer, question->answer, bytes);
    free(question->answer);
    question->answer = NULL;
}

static void ask_for_end(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                        struct lane *lane)
{
    lane->queue = sheaf_adapter_connect(&lane->own);
    if (!lane->queue)
        fail_lane(peer, "no connection can be made here (ulimit -l)");
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->header.lane = (struct sheaf_msg_lane){operation->handle, lane->own};
    sheaf_msg_ask(operation, SHEAF_MSG_LANE, &lane->other);
}

static void complete_lane(const struct sheaf_msg_peer *peer, struct lane *lane)
{
    struct sheaf_adapter_end other;
    take_lane_answer(peer, &lane->other, &other, sizeof other, "its PE accepts no connection");
    if (!sheaf_adapter_is_end(&other) || !sheaf_adapter_complete(lane->queue, &lane->own, &other))
        fail_lane(peer, "the adapter cannot reach that of its host");
    sheaf_store_release(&lane->is_ready, true);
}

static struct lane *connect_lane(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    pthread_mutex_lock(&lanes.lock);
    struct lane **place = &lanes.by_pe[peer->pe], *lane = *place;
    if (!lane && !(lane = calloc(1, sizeof *lane)))
        fail_lane(peer, "no memory");
    sheaf_store_release(place, lane);
    if (!lane->other.is_asked)
        ask_for_end(worker, peer, lane);
    else if (!lane->is_ready && sheaf_msg_is_answered(&lane->other))
        complete_lane(peer, lane);
    bool is_ready = lane->is_ready;
    pthread_mutex_unlock(&lanes.lock);
    return is_ready ? lane : NULL;
}

/* NULL until the lane is connected. */
static struct lane *lane_to(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    struct lane *lane = sheaf_load_acquire(&lanes.by_pe[peer->pe]);
    if (sheaf_likely(lane && sheaf_load_acquire(&lane->is_ready)))
        return lane;
    return connect_lane(worker, peer);
}

/* Returns whether the key is known. */
static bool learn_key(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                      struct lane *lane, int part)
{
    struct sheaf_msg_question *question = &lane->parts[part];
    pthread_mutex_lock(&lanes.lock);
    if (!question->is_asked) {
        sheaf_msg_ask_for_key(worker, peer, SHEAF_MSG_LANE_KEY, question, part);
    } else if (!lane->has_key[part] && sheaf_msg_is_answered(question)) {
        take_lane_answer(peer, question, &lane->keys[part], sizeof lane->keys[part],
                         "the key of its memory is not known");
        sheaf_store_release(&lane->has_key[part], true);
    }
    bool has_key = lane->has_key[part];
    pthread_mutex_unlock(&lanes.lock);
    return has_key;
}

/* SHEAF_ADAPTER_SLOTS: the lane or the adapter has as many operations under way as it can. */
static unsigned take_free_slot(const struct lane *lane)
{
    unsigned slot = lanes.free;
    if (slot == SHEAF_ADAPTER_SLOTS || lane->under_way == SHEAF_ADAPTER_DEPTH)
        return SHEAF_ADAPTER_SLOTS;
    lanes.free = lanes.slots[slot].next_free;
    return slot;
}

/* Returns whether there was room. */
static bool post_call(struct sheaf_msg_peer *peer, struct lane *lane, struct sheaf_adapter_call *call,
                      void *result, size_t *remaining)
{
    pthread_mutex_lock(&lanes.lock);
    call->slot = take_free_slot(lane);
    bool has_room = call->slot != SHEAF_ADAPTER_SLOTS;
    if (has_room) {
        struct slot *slot = &lanes.slots[call->slot];
        *slot = (struct slot){.peer = peer, .lane = lane, .result = result, .remaining = remaining};
        if (remaining)
            ++*remaining;
        peer->lane_started++;
        lane->under_way++;
        sheaf_store_relaxed(&sheaf_msg_state.lanes_busy, sheaf_msg_state.lanes_busy + 1);
        if (!sheaf_adapter_post(lane->queue, call))
            fail_lane(peer, "the adapter takes no more");
    }
    pthread_mutex_unlock(&lanes.lock);
    return has_room;
}

bool sheaf_msg_lane_start(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct sheaf_msg_lane_step *step, size_t *remaining)
{
    struct sheaf_msg_part part = sheaf_msg_part_of(step->object);
    struct lane *lane = lane_to(worker, peer);
    if (!lane || (sheaf_unlikely(!sheaf_load_acquire(&lane->has_key[part.index])) &&
                  !learn_key(worker, peer, lane, part.index)))
        return false;
    struct sheaf_adapter_call call = {
        .compares = step->compares,
        .key = lane->keys[part.index],
        .remote = sheaf_msg_remote(peer, step->object),
        .operand = step->operand,
        .value = step->value,
    };
    if (!post_call(peer, lane, &call, step->result, remaining))
        return false;
    sheaf_msg_mark_dirty(worker, peer);
    return true;
}

static void answer_question(const struct sheaf_msg_arrival *arrival, uint64_t asked, const void *bytes,
                            size_t length)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(arrival->worker, NULL);
    operation->header.key = (struct sheaf_msg_key){asked, 0};
    if (length > 0 && (operation->packed = malloc(length)))
        memcpy(operation->packed, bytes, length);
    sheaf_msg_send_operation(operation, arrival->origin, SHEAF_MSG_KEY_DATA, operation->packed,
                             operation->packed ? length : 0);
}

/* A PE asks once; a second question gets an empty answer. */
void sheaf_msg_handle_lane(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    struct sheaf_adapter_end own;
    size_t length = 0;
    pthread_mutex_lock(&lanes.lock);
    sheaf_adapter_queue **place = lanes.accepted ? &lanes.accepted[arrival->pe] : NULL;
    if (place && !*place && (*place = sheaf_adapter_accept(&header->lane.end, &own)))
        length = sizeof own;
    pthread_mutex_unlock(&lanes.lock);
    answer_question(arrival, header->lane.operation, &own, length);
}

void sheaf_msg_handle_lane_key(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    uint64_t part = header->key.part;
    pthread_mutex_lock(&lanes.lock);
    bool has_key = lanes.has_key[part];
    uint32_t key = lanes.keys[part];
    pthread_mutex_unlock(&lanes.lock);
    answer_question(arrival, header->key.operation, &key, has_key ? sizeof key : 0);
}

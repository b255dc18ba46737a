/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations: begun by any thread, moved on by those that wait and by the job's own thread, ended
 * once. A group's collectives are done one after the other, in the order in which they were begun.
 */
#include "torch.h"

#include <sched.h>
#include <shmemx_ft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINGER   200      /* looks for the others' next step in a short call's begin: 3 us */
#define YIELDS   4        /* to one that was on the same processor, in place of the looks */
#define SHOWN_NS 50000000 /* a wait shows in reports when nothing has moved for so long */

/* The blocks of one side of a call, or the parts of its one block; what follows them in the call. */
static const struct sheaf_block *take_blocks(const struct sheaf_block *given, int count,
                                             struct sheaf_block *blocks)
{
    if (count >= 0) {
        memcpy(blocks, given, (size_t)count * sizeof *blocks);
        return given + count;
    }
    size_t bytes = given->bytes / (size_t)-count;
    for (int i = 0; i < -count; i++)
        blocks[i] = (struct sheaf_block){given->address + (size_t)i * bytes, bytes};
    return given + 1;
}

/* Of an operation that has not begun. NULL: no memory. */
static struct sheaf_operation *make_operation(const struct sheaf_call *call)
{
    int ins = abs(call->ins), outs = abs(call->outs);
    size_t bytes = ((size_t)ins + (size_t)outs) * sizeof(struct sheaf_block);
    struct sheaf_operation *operation = malloc(sizeof *operation + bytes);
    if (!operation)
        return NULL;
    memset(operation, 0, sizeof *operation);
    const struct sheaf_block *given = (const struct sheaf_block *)(const void *)(call + 1);
    given = take_blocks(given, call->ins, operation->blocks);
    take_blocks(given, call->outs, operation->blocks + ins);
    operation->group = call->group;
    operation->kind = (enum sheaf_torch_kind)call->kind;
    operation->type = (enum sheaf_torch_type)call->type;
    operation->combine = (enum sheaf_torch_combine)call->combine;
    operation->root = call->root;
    operation->tag = call->tag;
    operation->bytes = call->bytes;
    operation->state = SHEAF_PENDING;
    operation->in = operation->blocks;
    operation->ins = ins;
    operation->out = operation->blocks + ins;
    operation->outs = outs;
    for (int i = 0; i < ins; i++)
        if (operation->in[i].bytes > operation->longest)
            operation->longest = operation->in[i].bytes;
    return operation;
}

/* Of a tensor without storage. */
static bool lacks_memory(const struct sheaf_operation *operation)
{
    for (int i = 0; i < operation->ins + operation->outs; i++)
        if (!operation->blocks[i].address && operation->blocks[i].bytes > 0)
            return true;
    return false;
}

/* All have come to the first step: they may have come to different calls. Of an alltoall one may be
 * alone to see it. */
static bool begin_steps(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    char text[SHEAF_TORCH_TEXT];
    size_t most = 0;
    if (sheaf_describe_difference(operation, text, sizeof text)) {
        if (operation->kind == SHEAF_ALLTOALL)
            sheaf_group_tell(group, text);
        sheaf_group_fail(group, text);
        return false;
    }
    for (int i = 0; i < group->size && operation->kind == SHEAF_ALLTOALL; i++) {
        size_t their = sheaf_memory_table(group, group->step, i)->most;
        most = their > most ? their : most;
    }
    operation->steps = sheaf_collective_steps(operation, most);
    return true;
}

/* In Sheaf's reports a member has come to a collective when it has begun the first step. */
static void count(struct sheaf_operation *operation)
{
    shmemx_call_for(sheaf_describe_kind(operation->kind), NULL);
    operation->counted = shmemx_call_begin(operation->group->team);
    shmemx_call_for(NULL, NULL);
}

/* One side of a step; the time that this thread runs in it counts, where the part is timed. */
static void do_timed(struct sheaf_operation *operation, void (*do_part)(struct sheaf_operation *))
{
    uint64_t since = operation->trial ? sheaf_job_cpu_ns() : 0;
    do_part(operation);
    operation->took += operation->trial ? sheaf_job_cpu_ns() - since : 0;
}

/* Goes on as far as the others have come. Whether it has ended. */
static bool advance(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    for (;;) {
        if (!operation->is_announced) {
            group->step++;
            if (operation->index == 0)
                count(operation);
            sheaf_collective_begin(operation);
            if (!operation->is_filled)
                do_timed(operation, sheaf_collective_fill);
            operation->is_filled = false;
            sheaf_group_announce(group, operation);
            operation->is_announced = true;
        }
        if (!sheaf_group_is_here(group))
            return false;
        if (operation->index == 0 && !begin_steps(operation))
            return true;
        sheaf_collective_learn(group);
        do_timed(operation, sheaf_collective_drain);
        sheaf_collective_end(operation);
        sheaf_job_moves++;
        operation->is_announced = false;
        if (++operation->index == operation->steps)
            break;
    }
    group->collectives.first = operation->next;
    if (!operation->next)
        group->collectives.last = &group->collectives.first;
    sheaf_job_end_operation(operation, NULL);
    return true;
}

static void turn(struct sheaf_group *group)
{
    while (group->collectives.first && advance(group->collectives.first))
        ;
    if (group->messages.first)
        sheaf_message_turn(group);
}

/* With the lock. */
void sheaf_operation_turn_all(void *unused)
{
    (void)unused;
    for (struct sheaf_group *group = sheaf_job_groups; group; group = group->next) {
        turn(group);
        bool has_work = group->collectives.first || group->messages.first;
        if (has_work && sheaf_group_look(group))
            sheaf_message_look(group);
    }
}

static void turn_one(void *group)
{
    turn(group);
}

/* With the lock. */
static void move_on(struct sheaf_group *group, bool all)
{
    if (!sheaf_job_guard(all ? sheaf_operation_turn_all : turn_one, group) &&
        !sheaf_job_is_closed())
        sheaf_group_fail_of_dead();
}

static void enqueue(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    bool is_message = operation->kind >= SHEAF_SEND;
    struct sheaf_queue *queue = is_message ? &group->messages : &group->collectives;
    *queue->last = operation;
    queue->last = &operation->next;
    if (is_message)
        sheaf_message_post(operation);
    else
        operation->number = ++group->call;
}

/* With the lock. The others are mostly as far as this member: to wait for them here for a moment
 * takes less than to return to Python and come back. */
static void begin_short(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    move_on(group, false);
    if (group->near < group->size)
        return;
    for (int i = 0; i < LINGER && group->collectives.first == operation; i++) {
        if (sheaf_group_is_here(group)) {
            move_on(group, false);
            i = 0;
            continue;
        }
        enum sheaf_torch_place place = sheaf_group_place_of_missing(group);
        if (sheaf_job_spin(place))
            continue;
        if (place != SHEAF_HERE)
            return;
        sched_yield();
        i += LINGER / YIELDS;
    }
}

static void begin(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    sheaf_job_lock();
    sheaf_job_pending++;
    if (group->has_failed) {
        sheaf_job_end_operation(operation, group->text);
    } else {
        enqueue(operation);
        if (operation->bytes <= SHEAF_TORCH_CHUNK && operation->longest <= SHEAF_TORCH_CHUNK)
            begin_short(operation);
    }
    sheaf_job_work_began();
    sheaf_job_unlock();
}

#define ENDED ((struct sheaf_operation *)1)

/* Begins an operation, which reads and writes the blocks until it has ended. NULL: no memory, or a block
 * has no address. ENDED: a collective that is over already, which leaves nothing to be released. */
SHEAF_EXPORTED struct sheaf_operation *sheaf_torch_begin(const struct sheaf_call *call)
{
    struct sheaf_operation *operation = make_operation(call);
    if (!operation || lacks_memory(operation)) {
        free(operation);
        return NULL;
    }
    begin(operation);
    if (operation->kind >= SHEAF_SEND || operation->state != SHEAF_DONE)
        return operation;
    free(operation);
    return ENDED;
}

/* The collective that this thread has waited in without a step, since when, and whether reports say so. */
static _Thread_local struct {
    struct sheaf_group *group;
    uint64_t call, since;
    size_t index;
    bool is_shown;
} still_in;

static void show_no_wait(void)
{
    if (still_in.is_shown)
        shmemx_call_wait(SHMEM_TEAM_INVALID, 0); /* the group may be gone */
    still_in.is_shown = false;
}

/* With the lock. Of a message no rank is known to be late. */
static void show_wait(struct sheaf_operation *operation, uint64_t now)
{
    struct sheaf_operation *first = operation->group->collectives.first;
    if (operation->kind >= SHEAF_SEND || !first)
        return;
    if (still_in.group != first->group || still_in.call != first->number ||
        still_in.index != first->index) {
        show_no_wait();
        still_in.group = first->group;
        still_in.call = first->number;
        still_in.index = first->index;
        still_in.since = now;
    } else if (now - still_in.since > SHOWN_NS) {
        shmemx_call_for(sheaf_describe_kind(first->kind), NULL);
        shmemx_call_wait(first->group->team, first->counted);
        shmemx_call_for(NULL, NULL);
        still_in.is_shown = true;
    }
}

/* SHEAF_DONE, SHEAF_FAILED, or SHEAF_PENDING when milliseconds are over. */
SHEAF_EXPORTED int sheaf_torch_wait(struct sheaf_operation *operation, long milliseconds)
{
    uint64_t end = 0;
    unsigned still = 0; /* turns in a row that have moved nothing */
    sheaf_job_waits(1);
    for (unsigned i = 0; operation->state == SHEAF_PENDING; i++) {
        bool looks = i % 64 == 63 || still >= 3000; /* sheaf_job_pause sleeps then */
        sheaf_job_lock();
        uint64_t before = sheaf_job_moves;
        move_on(operation->group, looks);
        still = sheaf_job_moves == before ? still + 1 : 0;
        enum sheaf_torch_place place = sheaf_group_place_of_missing(operation->group);
        sheaf_job_unlock();
        if (operation->state != SHEAF_PENDING)
            break;
        if (looks) {
            uint64_t now = sheaf_job_ns();
            end = end ? end : now + (uint64_t)milliseconds * 1000000;
            sheaf_job_lock();
            if (operation->state == SHEAF_PENDING)
                show_wait(operation, now);
            sheaf_job_unlock();
            if (now >= end)
                break;
        }
        sheaf_job_pause(still, place);
    }
    sheaf_job_waits(-1);
    if (operation->state != SHEAF_PENDING)
        show_no_wait();
    return operation->state;
}

SHEAF_EXPORTED int sheaf_torch_test(struct sheaf_operation *operation)
{
    if (operation->state == SHEAF_PENDING) {
        sheaf_job_lock();
        move_on(operation->group, true);
        sheaf_job_unlock();
    }
    return operation->state;
}

struct end {
    struct sheaf_group *group;
    const char *text;
};

static void tell(void *end)
{
    sheaf_group_tell(((struct end *)end)->group, ((struct end *)end)->text);
}

/* All operations of the group end, on all members. */
static void end_group(struct sheaf_group *group, const char *text)
{
    if (!group->has_failed)
        sheaf_job_guard(tell, &(struct end){group, text});
    sheaf_group_fail(group, text);
}

/* Its time is over: it fails, and with it the group. */
SHEAF_EXPORTED void sheaf_torch_expire(struct sheaf_operation *operation, double seconds)
{
    char text[SHEAF_TORCH_TEXT];
    sheaf_job_lock();
    if (operation->state == SHEAF_PENDING) {
        sheaf_describe_missing(operation, seconds, text, sizeof text);
        end_group(operation->group, text);
    }
    sheaf_job_unlock();
}

SHEAF_EXPORTED void sheaf_torch_abort(struct sheaf_group *group, const char *text)
{
    sheaf_job_lock();
    end_group(group, text);
    sheaf_job_unlock();
}

/* Of one that has ended: its state is not pending any more. */
SHEAF_EXPORTED void sheaf_torch_release(struct sheaf_operation *operation)
{
    free(operation);
}

SHEAF_EXPORTED const char *sheaf_torch_text(const struct sheaf_operation *operation)
{
    return operation->text;
}

/* Which rank a message came from. */
SHEAF_EXPORTED int sheaf_torch_source(const struct sheaf_operation *operation)
{
    return operation->root;
}

SHEAF_EXPORTED int sheaf_torch_combines(int type, int combine)
{
    return sheaf_combine_has((enum sheaf_torch_type)type, (enum sheaf_torch_combine)combine);
}

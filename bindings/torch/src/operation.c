/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations: begun by any thread, moved on by those that wait and by the job's own thread, ended
 * once. A group's collectives are done one after the other, in the order in which they were begun.
 */
#include "torch.h"

#include <shmemx_ft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Python says of an operation. A list of blocks is either addresses and lengths, or count
 * blocks of the same length one behind the other, from base on. */
struct sheaf_list {
    int count;
    char *base;
    size_t bytes;
    char *const *addresses;
    const size_t *lengths;
};

struct sheaf_request {
    int kind, type, combine, root;
    int64_t tag;
    size_t bytes;
    struct sheaf_list in, out;
};

static void copy_list(const struct sheaf_list *list, struct sheaf_block *blocks)
{
    for (int i = 0; i < list->count; i++)
        blocks[i] = list->addresses
                        ? (struct sheaf_block){list->addresses[i], list->lengths[i]}
                        : (struct sheaf_block){list->base + (size_t)i * list->bytes, list->bytes};
}

static struct sheaf_operation *make_operation(struct sheaf_group *group,
                                              const struct sheaf_request *request)
{
    size_t blocks = (size_t)request->in.count + (size_t)request->out.count;
    struct sheaf_operation *operation =
        malloc(sizeof *operation + blocks * sizeof *operation->blocks);
    if (!operation)
        return NULL;
    memset(operation, 0, sizeof *operation);
    operation->group = group;
    operation->kind = (enum sheaf_torch_kind)request->kind;
    operation->type = (enum sheaf_torch_type)request->type;
    operation->combine = (enum sheaf_torch_combine)request->combine;
    operation->root = request->root;
    operation->tag = request->tag;
    operation->bytes = request->bytes;
    operation->state = SHEAF_PENDING;
    operation->in = operation->blocks;
    operation->ins = request->in.count;
    operation->out = operation->blocks + operation->ins;
    operation->outs = request->out.count;
    copy_list(&request->in, operation->in);
    copy_list(&request->out, operation->out);
    return operation;
}

static size_t longest_block(const struct sheaf_operation *operation)
{
    size_t most = 0;
    for (int i = 0; i < operation->ins; i++)
        most = operation->in[i].bytes > most ? operation->in[i].bytes : most;
    return most;
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

/* Goes on as far as the others have come. Whether it has ended. */
static bool advance(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    for (;;) {
        if (!operation->is_announced) {
            group->step++;
            sheaf_collective_fill(operation);
            sheaf_group_announce(group, operation, longest_block(operation));
            operation->is_announced = true;
        }
        if (!sheaf_group_is_here(group))
            return false;
        if (operation->index == 0 && !begin_steps(operation))
            return true;
        sheaf_collective_drain(operation);
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

/* Begins an operation, which reads and writes the blocks until it has ended. NULL: no memory. */
SHEAF_EXPORTED struct sheaf_operation *sheaf_torch_begin(struct sheaf_group *group,
                                                         const struct sheaf_request *request)
{
    struct sheaf_operation *operation = make_operation(group, request);
    if (!operation)
        return NULL;
    sheaf_job_lock();
    sheaf_job_pending++;
    if (group->has_failed) {
        sheaf_job_end_operation(operation, group->text);
    } else {
        enqueue(operation);
        if (operation->bytes <= SHEAF_TORCH_CHUNK && longest_block(operation) <= SHEAF_TORCH_CHUNK)
            move_on(group, false);
    }
    sheaf_job_work_began();
    sheaf_job_unlock();
    return operation;
}

/* The same for the commonest calls: one block in, one or several of the same length out. */
SHEAF_EXPORTED struct sheaf_operation *sheaf_torch_call(struct sheaf_group *group, int kind,
                                                        int type, int combine, int root,
                                                        size_t bytes, int ins, char *in, int outs,
                                                        char *out)
{
    struct sheaf_request request = {.kind = kind,
                                    .type = type,
                                    .combine = combine,
                                    .root = root,
                                    .bytes = bytes,
                                    .in = {.count = ins, .base = in, .bytes = bytes},
                                    .out = {.count = outs, .base = out, .bytes = bytes}};
    return sheaf_torch_begin(group, &request);
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
        sheaf_job_unlock();
        if (operation->state != SHEAF_PENDING)
            break;
        if (looks) {
            uint64_t now = sheaf_job_ns();
            end = end ? end : now + (uint64_t)milliseconds * 1000000;
            if (now >= end)
                break;
        }
        sheaf_job_pause(still);
    }
    sheaf_job_waits(-1);
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

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups: a team and a block of memory for each, what members announce to each other, and why a
 * group has failed.
 */
#include "torch.h"

#include <sched.h>
#include <shmemx_ft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct creation {
    struct sheaf_group *group;
    bool is_made;
};

/* The members have met by torch's store before. */
static void make_team(void *argument)
{
    struct creation *creation = argument;
    struct sheaf_group *group = creation->group;
    if (shmemx_team_from_pes(SHMEM_TEAM_WORLD, group->pes, group->size, NULL, 0, &group->team) != 0)
        return;
    group->mine = shmemx_team_malloc(group->team, sheaf_memory_bytes(group));
    if (!group->mine)
        return;
    memset(group->mine, 0, group->boxes);
    for (int i = 0; i < group->size; i++) {
        group->peers[i] = shmem_ptr(group->mine, group->pes[i]);
        group->near += group->peers[i] != NULL;
    }
    shmem_team_sync(group->team);
    creation->is_made = true;
}

static void free_group(struct sheaf_group *group)
{
    free(group->pes);
    free(group->peers);
    free(group->pairs);
    free(group->scratch);
    free(group);
}

/* For the members of other hosts. */
static bool make_scratch(struct sheaf_group *group)
{
    size_t members = (size_t)group->size;
    if (group->near < group->size)
        group->scratch = aligned_alloc(64, SHEAF_TORCH_CHUNK + members * 8192 + members * 64);
    return group->near == group->size || group->scratch;
}

static struct sheaf_group *allocate_group(const char *name, const int *pes, int size, int rank)
{
    struct sheaf_group *group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    group->pes = calloc((size_t)size, sizeof *group->pes);
    group->peers = calloc((size_t)size, sizeof *group->peers);
    group->pairs = calloc((size_t)size, sizeof *group->pairs);
    if (!group->pes || !group->peers || !group->pairs) {
        free_group(group);
        return NULL;
    }
    memcpy(group->pes, pes, (size_t)size * sizeof *pes);
    snprintf(group->name, sizeof group->name, "%s", name);
    group->size = size;
    group->rank = rank;
    group->collectives.last = &group->collectives.first;
    group->messages.last = &group->messages.first;
    for (int i = 0; i < size; i++)
        group->pairs[i].last = &group->pairs[i].arrivals;
    return group;
}

/* A group of the PEs in pes, of which the caller is number rank. NULL: no memory, or a member has
 * died. */
SHEAF_EXPORTED struct sheaf_group *sheaf_torch_group(const char *name, const int *pes, int size,
                                                     int rank)
{
    struct sheaf_group *group = allocate_group(name, pes, size, rank);
    if (!group)
        return NULL;
    struct creation creation = {group, false};
    if (!sheaf_job_guard(make_team, &creation) || !creation.is_made || !make_scratch(group)) {
        free_group(group);
        return NULL;
    }
    sheaf_job_lock();
    group->next = sheaf_job_groups;
    sheaf_job_groups = group;
    sheaf_job_unlock();
    return group;
}

/* Whether nothing of the group is under way on this member, and no member has failed. */
SHEAF_EXPORTED int sheaf_torch_is_idle(struct sheaf_group *group)
{
    sheaf_job_lock();
    bool is_idle = !group->has_failed && !group->collectives.first && !group->messages.first;
    sheaf_job_unlock();
    return is_idle;
}

/* Another group of the same members begins, in the place of one that is idle on all of them. */
SHEAF_EXPORTED void sheaf_torch_renew(struct sheaf_group *group, const char *name)
{
    sheaf_job_lock();
    snprintf(group->name, sizeof group->name, "%s", name);
    group->calls_before = group->call;
    sheaf_job_unlock();
}

/* All operations of the group end with text, now and later. */
void sheaf_group_fail(struct sheaf_group *group, const char *text)
{
    if (!group->has_failed)
        snprintf(group->text, sizeof group->text, "%s", text);
    group->has_failed = true;
    struct sheaf_queue *queues[] = {&group->collectives, &group->messages};
    for (int i = 0; i < 2; i++) {
        struct sheaf_operation *next = queues[i]->first;
        queues[i]->first = NULL;
        queues[i]->last = &queues[i]->first;
        for (struct sheaf_operation *operation = next; operation; operation = next) {
            next = operation->next;
            sheaf_job_end_operation(operation, group->text);
        }
    }
    for (int i = 0; i < group->size; i++)
        group->pairs[i].sending = group->pairs[i].receiving = NULL;
}

/* Tells all others that this rank takes no further part, and why. */
void sheaf_group_tell(struct sheaf_group *group, const char *text)
{
    struct sheaf_notice notice = {.is_set = 1};
    snprintf(notice.text, sizeof notice.text, "%s", text);
    struct sheaf_notice *mine = sheaf_memory_notice(group, group->rank);
    for (int i = 0; i < group->size; i++)
        if (i != group->rank && shmemx_pe_status(group->pes[i]) == SHMEMX_PE_ALIVE)
            sheaf_memory_write(group, i, mine->text, notice.text, sizeof notice.text, &mine->is_set,
                               1);
}

/* Whether rank has died, or has said that it takes no further part. */
bool sheaf_group_lost(struct sheaf_group *group, int rank, char *text, size_t size)
{
    struct sheaf_notice *notice = sheaf_memory_notice(group, rank);
    if (shmemx_pe_status(group->pes[rank]) == SHMEMX_PE_DEAD) {
        snprintf(text, size, "rank %d has died", rank);
        return true;
    }
    if (!sheaf_memory_reached(group, &notice->is_set, 1))
        return false;
    snprintf(text, size, "%.*s", SHEAF_TORCH_TEXT - 1, notice->text);
    return true;
}

static void look_for_losses(struct sheaf_group *group)
{
    char text[SHEAF_TORCH_TEXT], what[SHEAF_TORCH_TEXT], why[SHEAF_TORCH_TEXT];
    if (!group->collectives.first || !group->collectives.first->is_announced ||
        sheaf_group_is_here(group))
        return;
    for (int i = 0; i < group->size; i++) {
        struct sheaf_announcement *their = sheaf_memory_table(group, group->step, i);
        bool is_missing = !sheaf_memory_reached(group, &their->step, group->step);
        if (i == group->rank || !is_missing || !sheaf_group_lost(group, i, why, sizeof why))
            continue;
        sheaf_describe(group->collectives.first, what, sizeof what);
        snprintf(text, sizeof text, "%.150s: %.80s", what, why);
        sheaf_group_fail(group, text);
        return;
    }
}

/* After a call that a dead PE has made the caller leave: all groups that had it have failed. */
void sheaf_group_fail_of_dead(void)
{
    char text[SHEAF_TORCH_TEXT];
    for (struct sheaf_group *group = sheaf_job_groups; group; group = group->next)
        for (int i = 0; i < group->size; i++)
            if (!group->has_failed && shmemx_pe_status(group->pes[i]) == SHMEMX_PE_DEAD) {
                snprintf(text, sizeof text, "rank %d of group %s: rank %d has died", group->rank,
                         group->name, i);
                sheaf_group_fail(group, text);
            }
}

/* Looks for those that will not come, at most once in a millisecond. Whether it has. */
bool sheaf_group_look(struct sheaf_group *group)
{
    uint64_t now = sheaf_job_ns();
    if (group->has_failed || now - group->looked < 1000000)
        return false;
    group->looked = now;
    look_for_losses(group);
    return true;
}

void sheaf_group_announce(struct sheaf_group *group, const struct sheaf_operation *operation)
{
    struct sheaf_announcement *mine = sheaf_memory_table(group, group->step, group->rank),
                              what = {.kind = operation->kind,
                                      .type = operation->type,
                                      .combine = operation->combine,
                                      .root = (uint32_t)operation->root,
                                      .bytes = operation->bytes,
                                      .most = operation->longest,
                                      .call = operation->number,
                                      .cpu = (uint64_t)sched_getcpu() + 1,
                                      .took = group->took};
    group->seen = 0;
    for (int i = 1; i <= group->size; i++) {
        int rank = (group->rank + i) % group->size;
        if (operation->kind == SHEAF_ALLTOALL)
            what.bytes = operation->in[rank].bytes;
        sheaf_memory_write(group, rank, &mine->kind, &what.kind,
                           sizeof what - offsetof(struct sheaf_announcement, kind), &mine->step,
                           group->step);
    }
}

/* Whether all have announced the step. */
bool sheaf_group_is_here(struct sheaf_group *group)
{
    while (group->seen < group->size) {
        struct sheaf_announcement *their = sheaf_memory_table(group, group->step, group->seen);
        if (!sheaf_memory_reached(group, &their->step, group->step))
            return false;
        group->seen++;
    }
    return true;
}

/* Members of other hosts need no processor of this one. */
enum sheaf_torch_place sheaf_group_place_of_missing(struct sheaf_group *group)
{
    uint64_t here = (uint64_t)sched_getcpu() + 1;
    enum sheaf_torch_place place = group->collectives.first ? SHEAF_ELSEWHERE : SHEAF_UNKNOWN;
    for (int i = group->seen; i < group->size && place == SHEAF_ELSEWHERE; i++) {
        struct sheaf_announcement *now = sheaf_memory_table(group, group->step, i),
                                  *last = sheaf_memory_table(group, group->step - 1, i);
        bool has_come = __atomic_load_n(&now->step, __ATOMIC_RELAXED) >= group->step;
        if (i == group->rank || !group->peers[i] || has_come)
            continue;
        uint64_t cpu = __atomic_load_n(&last->cpu, __ATOMIC_RELAXED);
        place = cpu == here ? SHEAF_HERE : cpu ? SHEAF_ELSEWHERE : SHEAF_UNKNOWN;
    }
    return place;
}

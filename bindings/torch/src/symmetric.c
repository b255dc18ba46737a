/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric memory: a block of the same length on each member, which the others load and store, and
 * words for signals behind it: for each channel one of each member.
 */
#include "torch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNED 64

struct sheaf_symmetric {
    struct sheaf_group *group;
    char *mine;
    uint64_t *signals;
    int channels;
};

struct allocation {
    struct sheaf_symmetric *symmetric;
    size_t bytes; /* of the block */
};

static size_t signal_bytes(const struct sheaf_symmetric *symmetric)
{
    return (size_t)symmetric->channels * (size_t)symmetric->group->size * sizeof(uint64_t);
}

static void allocate(void *argument)
{
    struct allocation *allocation = argument;
    struct sheaf_symmetric *symmetric = allocation->symmetric;
    struct sheaf_group *group = symmetric->group;
    size_t signals = signal_bytes(symmetric);
    if (!group->memory_team && shmemx_team_from_pes(SHMEM_TEAM_WORLD, group->pes, group->size, NULL, 0,
                                                    &group->memory_team) != 0)
        return;
    char *mine = shmemx_team_malloc(group->memory_team, allocation->bytes + signals);
    if (!mine)
        return;
    memset(mine + allocation->bytes, 0, signals);
    symmetric->signals = (uint64_t *)(mine + allocation->bytes);
    shmem_team_sync(group->memory_team);
    symmetric->mine = mine;
}

/* By all members, in the same order, with the same bytes. NULL: no memory, or a member has died.
 * addresses: of each member's block; NULL for one of another host. */
SHEAF_EXPORTED struct sheaf_symmetric *sheaf_torch_symmetric(struct sheaf_group *group,
                                                             size_t bytes, int channels,
                                                             void **addresses)
{
    struct sheaf_symmetric *symmetric = calloc(1, sizeof *symmetric);
    if (!symmetric)
        return NULL;
    *symmetric = (struct sheaf_symmetric){.group = group, .channels = channels};
    struct allocation allocation = {symmetric, (bytes + ALIGNED - 1) / ALIGNED * ALIGNED};
    if (!sheaf_job_guard(allocate, &allocation) || !symmetric->mine) {
        free(symmetric);
        return NULL;
    }
    for (int i = 0; i < group->size; i++)
        addresses[i] = shmem_ptr(symmetric->mine, group->pes[i]);
    return symmetric;
}

struct exchange {
    struct sheaf_symmetric *symmetric;
    int rank, channel, from, to;
    bool is_mine, has_changed;
};

static void try_exchange(void *argument)
{
    struct exchange *exchange = argument;
    struct sheaf_group *group = exchange->symmetric->group;
    int holder = exchange->is_mine ? group->rank : exchange->rank;
    int writer = exchange->is_mine ? exchange->rank : group->rank;
    uint64_t *word = exchange->symmetric->signals + exchange->channel * group->size + writer;
    uint64_t from = (uint64_t)exchange->from, to = (uint64_t)exchange->to;
    if (!exchange->is_mine) /* what was stored before is there first */
        shmem_quiet();
    exchange->has_changed =
        shmem_uint64_atomic_compare_swap(word, from, to, group->pes[holder]) == from;
}

/* Puts a signal to rank (is_mine: takes one of rank), once it is absent (there). SHEAF_DONE;
 * SHEAF_PENDING when milliseconds are over, 0 without limit; SHEAF_FAILED and text when rank is
 * lost. */
SHEAF_EXPORTED int sheaf_torch_signal(struct sheaf_symmetric *symmetric, int rank, int channel,
                                      bool is_mine, long milliseconds, char *text)
{
    struct exchange exchange = {symmetric, rank, channel, is_mine, !is_mine, is_mine, false};
    uint64_t begin = sheaf_job_ns(), looked = begin;
    for (unsigned turn = 0;; turn++) {
        if (!sheaf_job_guard(try_exchange, &exchange)) {
            snprintf(text, SHEAF_TORCH_TEXT, "a rank has died");
            return SHEAF_FAILED;
        }
        if (exchange.has_changed)
            return SHEAF_DONE;
        uint64_t now = sheaf_job_ns();
        if (milliseconds && now - begin >= (uint64_t)milliseconds * 1000000)
            return SHEAF_PENDING;
        if (now - looked > 1000000 &&
            sheaf_group_lost(symmetric->group, rank, text, SHEAF_TORCH_TEXT))
            return SHEAF_FAILED;
        looked = now - looked > 1000000 ? now : looked;
        sheaf_job_pause(turn, SHEAF_UNKNOWN);
    }
}

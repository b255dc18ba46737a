/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: send and recv. The one that sends announces a head, length and tag. The one that
 * receives looks for a receive with that tag, grants the message, and reads it in parts from the
 * sender's box of two parts. A pair moves one message at a time, in the order of the grants.
 */
#include "torch.h"

#include <shmemx_ft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void remove_operation(struct sheaf_queue *queue, struct sheaf_operation *operation)
{
    struct sheaf_operation **at = &queue->first;
    while (*at && *at != operation)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = operation->next;
    if (queue->last == &operation->next)
        queue->last = at;
}

static void end_message(struct sheaf_operation *operation, const char *text)
{
    remove_operation(&operation->group->messages, operation);
    sheaf_job_end_operation(operation, text);
}

static void end_by_length(struct sheaf_operation *operation, int rank, uint64_t theirs)
{
    char text[SHEAF_TORCH_TEXT], what[SHEAF_TORCH_TEXT];
    sheaf_describe(operation, what, sizeof what);
    snprintf(text, sizeof text, "%.160s: rank %d %s %lu bytes", what, rank,
             operation->kind == SHEAF_SEND ? "receives" : "sends", (unsigned long)theirs);
    end_message(operation, text);
}

void sheaf_message_post(struct sheaf_operation *operation)
{
    if (operation->kind == SHEAF_SEND)
        operation->number = ++operation->group->pairs[operation->root].sent;
}

/* As many heads as the other has room for. */
static void announce_heads(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_inbound *inbound = sheaf_memory_inbound(group, group->rank);
    uint64_t *taken = &sheaf_memory_outbound(group, rank)->taken;
    for (struct sheaf_operation *one = group->messages.first; one; one = one->next) {
        if (one->kind != SHEAF_SEND || one->root != rank || one->number <= pair->posted)
            continue;
        if (one->number > SHEAF_TORCH_HEADS &&
            !sheaf_memory_reached(group, taken, one->number - SHEAF_TORCH_HEADS))
            return;
        struct sheaf_head head = {one->bytes, one->tag};
        pair->posted = one->number;
        sheaf_memory_write(group, rank, &inbound->heads[(one->number - 1) % SHEAF_TORCH_HEADS],
                           &head, sizeof head, &inbound->posted, one->number);
    }
}

/* The message that the other has granted next. */
static void take_grant(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_outbound *outbound = sheaf_memory_outbound(group, rank);
    if (pair->sending || !sheaf_memory_reached(group, &outbound->granted, pair->granted + 1))
        return;
    pair->granted++;
    struct sheaf_operation *one = group->messages.first;
    while (one &&
           !(one->kind == SHEAF_SEND && one->root == rank && one->number == outbound->number))
        one = one->next;
    if (one && one->bytes == outbound->bytes)
        pair->sending = one;
    else if (one)
        end_by_length(one, rank, outbound->bytes);
}

/* Bytes of the message's part that is moved next. */
static size_t next_part(const struct sheaf_operation *one)
{
    size_t left = one->bytes - one->done;
    return left < SHEAF_TORCH_MESSAGE ? left : SHEAF_TORCH_MESSAGE;
}

static void hand_over(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_operation *one = pair->sending;
    uint64_t *pulled = &sheaf_memory_outbound(group, rank)->pulled;
    uint64_t *staged = &sheaf_memory_inbound(group, group->rank)->staged;
    while (one->done < one->bytes) {
        if (pair->staged > 1 && !sheaf_memory_reached(group, pulled, pair->staged - 1))
            return;
        size_t bytes = next_part(one);
        memcpy(sheaf_memory_box(group, rank, pair->staged), one->in[0].address + one->done, bytes);
        one->done += bytes;
        sheaf_memory_write(group, rank, NULL, NULL, 0, staged, ++pair->staged);
        sheaf_job_moves++;
    }
    pair->sending = NULL;
    end_message(one, NULL);
}

/* The list of arrivals has room for any number, so that no order of tags can block a pair. */
static void take_heads(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_inbound *inbound = sheaf_memory_inbound(group, rank);
    uint64_t *taken = &sheaf_memory_outbound(group, group->rank)->taken;
    while (sheaf_memory_reached(group, &inbound->posted, pair->taken + 1)) {
        struct sheaf_arrival *arrival = malloc(sizeof *arrival);
        if (!arrival)
            return;
        *arrival = (struct sheaf_arrival){NULL, inbound->heads[pair->taken % SHEAF_TORCH_HEADS],
                                          pair->taken + 1};
        *pair->last = arrival;
        pair->last = &arrival->next;
        sheaf_memory_write(group, rank, NULL, NULL, 0, taken, ++pair->taken);
    }
}

/* The first arrival with this tag, taken out of the list. */
static bool take_arrival(struct sheaf_pair *pair, int64_t tag, struct sheaf_arrival *found)
{
    for (struct sheaf_arrival **at = &pair->arrivals; *at; at = &(*at)->next) {
        struct sheaf_arrival *arrival = *at;
        if (arrival->head.tag != tag)
            continue;
        *found = *arrival;
        *at = arrival->next;
        if (pair->last == &arrival->next)
            pair->last = at;
        free(arrival);
        return true;
    }
    return false;
}

static void grant(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_outbound *outbound = sheaf_memory_outbound(group, group->rank);
    struct sheaf_arrival arrival;
    struct sheaf_operation *one = group->messages.first, *next;
    for (; one && !pair->receiving; one = next) {
        next = one->next;
        bool may_be = one->kind == SHEAF_RECV && (one->root == rank || one->root < 0);
        if (!may_be || one->is_announced || !take_arrival(pair, one->tag, &arrival))
            continue;
        one->root = rank;
        one->is_announced = true;
        uint64_t words[2] = {arrival.number, one->bytes};
        sheaf_memory_write(group, rank, &outbound->number, words, sizeof words, &outbound->granted,
                           ++pair->grants);
        if (arrival.head.bytes == one->bytes)
            pair->receiving = one;
        else
            end_by_length(one, rank, arrival.head.bytes);
    }
}

static void fetch(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_operation *one = pair->receiving;
    uint64_t *staged = &sheaf_memory_inbound(group, rank)->staged;
    uint64_t *pulled = &sheaf_memory_outbound(group, group->rank)->pulled;
    while (one->done < one->bytes) {
        if (!sheaf_memory_reached(group, staged, pair->pulled + 1))
            return;
        size_t bytes = next_part(one);
        sheaf_memory_read(group, rank, one->out[0].address + one->done,
                          sheaf_memory_box(group, group->rank, pair->pulled), bytes, false);
        sheaf_memory_complete(group);
        one->done += bytes;
        sheaf_memory_write(group, rank, NULL, NULL, 0, pulled, ++pair->pulled);
        sheaf_job_moves++;
    }
    pair->receiving = NULL;
    end_message(one, NULL);
}

static void turn_pair(struct sheaf_group *group, int rank)
{
    announce_heads(group, rank);
    take_grant(group, rank);
    if (group->pairs[rank].sending)
        hand_over(group, rank);
    take_heads(group, rank);
    grant(group, rank);
    if (group->pairs[rank].receiving)
        fetch(group, rank);
}

void sheaf_message_turn(struct sheaf_group *group)
{
    for (struct sheaf_operation *one = group->messages.first; one; one = one->next)
        for (int rank = 0; rank < group->size; rank++)
            if (one->root == rank || one->root < 0)
                group->pairs[rank].is_wanted = true;
    for (int rank = 0; rank < group->size; rank++)
        if (group->pairs[rank].is_wanted) {
            group->pairs[rank].is_wanted = false;
            turn_pair(group, rank);
        }
}

/* Whether there is something of rank's that has not been looked at. */
static bool is_news(struct sheaf_group *group, int rank)
{
    struct sheaf_pair *pair = &group->pairs[rank];
    struct sheaf_inbound *inbound = sheaf_memory_inbound(group, rank);
    return sheaf_memory_reached(group, &inbound->posted, pair->taken + 1) ||
           sheaf_memory_reached(group, &inbound->staged, pair->pulled + 1) ||
           sheaf_memory_reached(group, &sheaf_memory_outbound(group, rank)->granted,
                                pair->granted + 1);
}

/* Whether the message cannot come any more: its rank is lost. From any rank: one has died, or all
 * are lost. */
static bool is_lost(const struct sheaf_operation *operation, char *why, size_t size)
{
    struct sheaf_group *group = operation->group;
    int lost = 0;
    for (int rank = 0; rank < group->size; rank++) {
        if ((operation->root >= 0 && operation->root != rank) || is_news(group, rank))
            continue;
        if (!sheaf_group_lost(group, rank, why, size))
            continue;
        lost++;
        if (operation->root == rank || shmemx_pe_status(group->pes[rank]) == SHMEMX_PE_DEAD)
            return true;
    }
    return lost && lost == group->size - 1;
}

void sheaf_message_look(struct sheaf_group *group)
{
    char text[SHEAF_TORCH_TEXT], what[SHEAF_TORCH_TEXT], why[SHEAF_TORCH_TEXT];
    struct sheaf_operation *next;
    for (struct sheaf_operation *one = group->messages.first; one; one = next) {
        next = one->next;
        if (!is_lost(one, why, sizeof why))
            continue;
        for (int rank = 0; rank < group->size; rank++) {
            struct sheaf_pair *pair = &group->pairs[rank];
            pair->sending = pair->sending == one ? NULL : pair->sending;
            pair->receiving = pair->receiving == one ? NULL : pair->receiving;
        }
        sheaf_describe(one, what, sizeof what);
        snprintf(text, sizeof text, "%.150s: %.80s", what, why);
        end_message(one, text);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between members of a team that spans nodes, by rank, through the engine. Messages from one PE
 * to another over one team arrive in the order in which they were sent.
 */
#ifndef SHEAF_CORE_TEAM_MESSAGE_H
#define SHEAF_CORE_TEAM_MESSAGE_H

#include "core/team/team.h"
#include "engine/engine.h"

#include <stddef.h>

/* The length of the pieces in which bytes are sent to one member. Pieces of this length are sent at
 * once, which is faster, unless the total is too much to arrive at a receiver that is late. */
static inline size_t sheaf_messages_piece(size_t bytes, size_t most_at_once)
{
    return bytes <= most_at_once ? SHEAF_MESSAGE_ASKS / 2 : SHEAF_MESSAGE_ASKS;
}

/* The most messages under way. Posting one more waits for the oldest. Members that post in the same
 * order, step by step, each receive before the step's sends, never wait for each other in a circle. */
#define SHEAF_MESSAGES_LIMIT 16

struct sheaf_messages {
    struct sheaf_team *team;
    unsigned posted;
    unsigned complete; /* this many of the posted, from the first on, are complete */
    int peer[SHEAF_MESSAGES_LIMIT];
    size_t left[SHEAF_MESSAGES_LIMIT]; /* see engine.h */
};

static inline void sheaf_messages_begin(struct sheaf_messages *messages, struct sheaf_team *team)
{
    messages->team = team;
    messages->posted = messages->complete = 0;
}

/* source and dest must not be touched until sheaf_messages_wait(). A message of 0 bytes is not sent:
 * the receiver also knows that it has 0 bytes. */
void sheaf_messages_send(struct sheaf_messages *messages, int rank, const void *source,
                         size_t bytes);
void sheaf_messages_receive(struct sheaf_messages *messages, int rank, void *dest, size_t bytes);

/* Receives from one member and sends to another, in alternating pieces, so that no member posts only
 * receives while its senders do the same. */
struct sheaf_message_from {
    int rank;
    char *dest;
    size_t bytes;
};
struct sheaf_message_to {
    int rank;
    const char *source;
    size_t bytes;
};
void sheaf_messages_swap(struct sheaf_messages *messages, struct sheaf_message_from from,
                         struct sheaf_message_to to, size_t most_at_once);

/* Returns when all posted messages are complete, or the first count of them. */
void sheaf_messages_wait(struct sheaf_messages *messages);
void sheaf_messages_wait_for(struct sheaf_messages *messages, unsigned count);

/* The number of posted messages that are complete, counted in their order. */
unsigned sheaf_messages_complete(struct sheaf_messages *messages);

#endif

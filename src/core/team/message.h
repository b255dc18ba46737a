/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between members of a team that spans nodes, by rank, through the engine. Those that one
 * PE sends another over one team arrive in the order in which they were sent.
 */
#ifndef SHEAF_CORE_TEAM_MESSAGE_H
#define SHEAF_CORE_TEAM_MESSAGE_H

#include "core/team/team.h"
#include "engine/engine.h"

#include <stddef.h>

/* The length of the pieces in which so many bytes go to one member: such as are sent at once, which is
 * faster, unless so much would be too much for a receiver that is late. */
static inline size_t sheaf_messages_piece(size_t bytes, size_t most_at_once)
{
    return bytes <= most_at_once ? SHEAF_MESSAGE_ASKS / 2 : SHEAF_MESSAGE_ASKS;
}

/* Under way at most. Posting one more waits for the oldest: members that post in the same order,
 * step by step, each receive before the step's sends, never wait for each other in a circle. */
#define SHEAF_MESSAGES_LIMIT 16

struct sheaf_messages {
    struct sheaf_team *team;
    unsigned posted;
    unsigned complete; /* the first so many of the posted */
    int peer[SHEAF_MESSAGES_LIMIT];
    size_t left[SHEAF_MESSAGES_LIMIT]; /* see engine.h */
};

static inline void sheaf_messages_begin(struct sheaf_messages *messages, struct sheaf_team *team)
{
    messages->team = team;
    messages->posted = messages->complete = 0;
}

/* source and dest stay untouched until sheaf_messages_wait(). Nothing is sent for 0 bytes: the
 * receiver knows as well that there are none. */
void sheaf_messages_send(struct sheaf_messages *messages, int rank, const void *source,
                         size_t bytes);
void sheaf_messages_receive(struct sheaf_messages *messages, int rank, void *dest, size_t bytes);

/* Receives from one member and sends to another, in pieces, in turn, so that nobody fills up with
 * receives whose senders do the same. */
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

/* Returns when all that were posted are complete, or the first count of them. */
void sheaf_messages_wait(struct sheaf_messages *messages);
void sheaf_messages_wait_for(struct sheaf_messages *messages, unsigned count);

/* How many of the posted are complete, in their order. */
unsigned sheaf_messages_complete(struct sheaf_messages *messages);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast agreement: the members of a team on several nodes agree among themselves while none of them is
 * lost. This is one PE's part of one agreement, step by step. No step waits, so tests/boot/agreement.c
 * runs the parts of many PEs in one process, with the replicated log that decides where a PE is
 * disturbed.
 *
 * The members of a node write their flags into their block. Their representative exchanges the flags with
 * those of the other nodes, in doubling rounds. It then has the result, and writes it into the block. A
 * second exchange tells it that all nodes have the result, and no member returns before that. So once one
 * member has returned, every living member finds the result in its block, whatever becomes of the first
 * one and its node.
 *
 * A member that is disturbed leaves the agreement for good. It votes in the log
 * (boot/replicated_log/votes.h), for the result if it finds that in its block, otherwise for its own
 * flags. A representative that finds that a member of its node has left without the result goes no
 * further. Then no member returns, and all vote.
 */
#ifndef SHEAF_SURVIVE_AGREE_EXCHANGE_H
#define SHEAF_SURVIVE_AGREE_EXCHANGE_H

#include "core/team/team.h"

/* Beside an opinion's number: its member is in a call that only PEs make that have met a death; or, where
 * nodes exchange opinions, the member has left. */
#define SHEAF_OPINION_MARK (UINT32_C(1) << 31)

/* Between representatives. */
struct sheaf_exchange_message {
    uint64_t team; /* its identity */
    uint64_t flags;
    uint32_t number, deaths;
    uint32_t part; /* the first exchange or the second */
    uint32_t unused;
};

/* To the representative of the node 2^round behind mine, and from that of the node as far before mine. */
struct sheaf_exchange_links {
    void *self;
    /* False: the message before is not on its way yet. */
    bool (*send)(void *self, int round, const struct sheaf_exchange_message *message);
    /* The next message. False: it has not come yet. */
    bool (*receive)(void *self, int round, struct sheaf_exchange_message *message);
    /* Whether all messages are on their way. */
    bool (*is_sent)(void *self);
    /* Writes a word of the block on which members may sleep. */
    void (*tell)(void *self, uint32_t *word, uint32_t value);
};

struct sheaf_exchange {
    const struct sheaf_exchange_links *links;
    struct sheaf_team_block *block;
    uint64_t team;
    int rank, size; /* on my node */
    int nodes;
    enum sheaf_agreement_kind kind;
    uint32_t number;
    uint64_t flags;  /* my own, then with those of others, then the result */
    uint32_t deaths; /* that all members have been told of */
    /* the representative's progress */
    int heard;
    uint32_t part;
    int round;
    bool has_sent;
};

/* With everything above the progress set. */
void sheaf_exchange_begin(struct sheaf_exchange *it);

/* As far as it gets. DONE: decided. LEFT: a member of this node has left, and so must I. */
enum sheaf_exchange_state { SHEAF_EXCHANGE_WAITS, SHEAF_EXCHANGE_DONE, SHEAF_EXCHANGE_LEFT };
enum sheaf_exchange_state sheaf_exchange_step(struct sheaf_exchange *it);

/* The word of the block that is to change, before a step; NULL: a message is to come. */
uint32_t *sheaf_exchange_awaits(const struct sheaf_exchange *it);

/* Whether flags and deaths are the result. No step follows. */
bool sheaf_exchange_leave(struct sheaf_exchange *it);

#endif

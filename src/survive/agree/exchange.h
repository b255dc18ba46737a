/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the members of a team on several nodes agree among themselves, while none of them is lost: one PE's
 * part of one agreement, step by step. It waits for nothing, so tests/boot/agreement.c runs many of them in
 * one process, with the list that decides where somebody is disturbed.
 *
 * Those of a node say their flags in their block; its representative exchanges them with those of the other
 * nodes, in doubling steps. Then it knows what all members say, and writes it into the block: the node
 * knows. A second exchange tells that all nodes know, and nobody returns before that. So whoever has
 * returned, and whatever becomes of it and its node, each living member finds the decision in its block.
 *
 * Who is disturbed leaves, once and for all, and asks the list (boot/order/votes.h), and tells it what
 * it knows. A representative that finds a member here gone without knowing goes no further: then nobody
 * returns, and the list hears of all.
 */
#ifndef SHEAF_SURVIVE_AGREE_EXCHANGE_H
#define SHEAF_SURVIVE_AGREE_EXCHANGE_H

#include "core/team/team.h"

/* Beside an opinion's number: its member is in a call that only those who have met a death make; or, where
 * nodes exchange opinions, it has left. */
#define SHEAF_OPINION_MARK (UINT32_C(1) << 31)

/* Between representatives. */
struct sheaf_exchange_message {
    uint64_t team; /* its identity */
    uint64_t flags;
    uint32_t number, deaths;
    uint32_t part; /* the first exchange or the second */
    uint32_t unused;
};

/* To and from the representatives of the nodes 2^round behind mine and before. */
struct sheaf_exchange_links {
    void *self;
    /* Takes it; false: an earlier one is not on its way yet. */
    bool (*send)(void *self, int round, const struct sheaf_exchange_message *message);
    /* The next; false: it has not come yet. */
    bool (*receive)(void *self, int round, struct sheaf_exchange_message *message);
    /* Whether all is on its way. */
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
    uint64_t flags;  /* mine, then what I have heard, then the decision */
    uint32_t deaths; /* that all have been told of */
    /* the representative's progress */
    int heard;
    uint32_t part;
    int round;
    bool has_sent;
};

/* With everything above the progress set. */
void sheaf_exchange_begin(struct sheaf_exchange *it);

/* As far as it gets. DONE: decided. LEFT: somebody here has left, and I must. */
enum sheaf_exchange_state { SHEAF_EXCHANGE_WAITS, SHEAF_EXCHANGE_DONE, SHEAF_EXCHANGE_LEFT };
enum sheaf_exchange_state sheaf_exchange_step(struct sheaf_exchange *it);

/* The word of the block that is to change, before a step; NULL: a message is to come. */
uint32_t *sheaf_exchange_awaits(const struct sheaf_exchange *it);

/* Whether flags and deaths are the decision. No step after it. */
bool sheaf_exchange_leave(struct sheaf_exchange *it);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * See undisturbed.h.
 */
#include "survive/agree/undisturbed.h"

#include "base/log.h"
#include "boot/replicated_log/agent_client.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "survive/failed.h"
#include "core/team/multinode.h"
#include "core/team/near.h"
#include "survive/agree/exchange.h"
#include "core/team/tag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a team's tags, between PE numbers, which are lower in jobs that have a list, and the team's. */
#define TAG_BIT(kind) (UINT64_C(1) << (SHEAF_TAG_PE_BITS - 1 - (int)(kind)))
_Static_assert((SHEAF_AGENT_MOST_VOTE * 8) < 1 << (SHEAF_TAG_PE_BITS - SHEAF_AGREEMENTS),
               "tags are told apart");

#define ROUNDS 20

/* Messages with the two nodes of a round. One that was asked for in an agreement which this PE has left
 * may still come: the next agreement takes it. */
struct round_messages {
    size_t sending, receiving; /* see engine.h */
    bool has_asked;
    struct sheaf_exchange_message out, in;
};

struct agreements {
    struct sheaf_team *team;
    enum sheaf_agreement_kind kind;
    struct round_messages rounds[ROUNDS];
};

static uint64_t tag_from(const struct agreements *its, int pe)
{
    return its->team->multinode->tag | TAG_BIT(its->kind) | (uint64_t)(unsigned)pe;
}

static int pe_at(const struct agreements *its, int distance)
{
    int node = sheaf_multinode_node_at(its->team, distance);
    return sheaf_team_world_pe(its->team, sheaf_multinode_representative(its->team, node));
}

static bool send(void *self, int round, const struct sheaf_exchange_message *message)
{
    struct agreements *its = self;
    struct round_messages *messages = &its->rounds[round];
    if (sheaf_load_acquire(&messages->sending) != 0)
        return false;
    messages->out = *message;
    sheaf_network->send(pe_at(its, 1 << round), tag_from(its, sheaf_job.pe), 0, &messages->out,
                        sizeof messages->out, &messages->sending);
    return true;
}

static bool receive(void *self, int round, struct sheaf_exchange_message *message)
{
    struct agreements *its = self;
    struct round_messages *messages = &its->rounds[round];
    int pe = pe_at(its, -(1 << round));
    if (!messages->has_asked)
        sheaf_network->receive(pe, tag_from(its, pe), 0, &messages->in, sizeof messages->in,
                               &messages->receiving);
    messages->has_asked = sheaf_load_acquire(&messages->receiving) != 0;
    if (!messages->has_asked)
        *message = messages->in;
    return !messages->has_asked;
}

static bool is_sent(void *self)
{
    struct agreements *its = self;
    for (int round = 0; round < ROUNDS; round++)
        if (sheaf_load_acquire(&its->rounds[round].sending) != 0)
            return false;
    return true;
}

static void tell(void *self, uint32_t *word, uint32_t value)
{
    struct agreements *its = self;
    sheaf_near_store_word(sheaf_team_near(its->team), word, value);
}

/* Where deaths are reported the engine lets go of messages; none is taken once it has stopped. */
static void end_agreements(struct sheaf_team *team)
{
    struct agreements *both = team->multinode->agreements;
    for (int kind = 0; kind < SHEAF_AGREEMENTS; kind++) {
        uint64_t tag = team->multinode->tag | TAG_BIT(kind);
        if (sheaf_network)
            sheaf_network->abandon(tag, TAG_BIT(kind) - 1);
    }
    free(both);
}

static struct agreements *agreements_of(struct sheaf_team *team, enum sheaf_agreement_kind kind)
{
    struct sheaf_multinode *multinode = team->multinode;
    struct agreements *both = multinode->agreements;
    if (both)
        return &both[kind];
    both = calloc(SHEAF_AGREEMENTS, sizeof *both);
    if (!both)
        sheaf_fatal("SH301 %s: no memory for the agreements of a team", sheaf_call.name);
    for (int i = 0; i < SHEAF_AGREEMENTS; i++)
        both[i] = (struct agreements){.team = team, .kind = (enum sheaf_agreement_kind)i};
    multinode->agreements = both;
    multinode->end_agreements = end_agreements;
    return &both[kind];
}

/* Counts the votes and deaths in the log. */
static uint32_t *news(void)
{
    return &sheaf_job.control->votes_news;
}

static void describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    snprintf(text, size, "the other members of a team of %d, to agree", team->size);
}

/* By any vote, of other teams too. A PE that has left a sequence of calls because of a death may wait in
 * this agreement for a PE that waits for it in another. Only the log can tell
 * (boot/replicated_log/votes.h). */
static bool is_disturbed(struct sheaf_team *team, uint32_t known)
{
    return sheaf_load_acquire(news()) != known || sheaf_failed_has(team);
}

/* Whether it has come to its end. */
static bool run(struct sheaf_team *team, struct sheaf_exchange *exchange, uint32_t known)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, describe);
    enum sheaf_exchange_state state;
    uint32_t part = 0;
    wait.bears_deaths = true;
    for (;;) {
        uint32_t *word = sheaf_exchange_awaits(exchange), old = word ? sheaf_load_acquire(word) : 0;
        state = sheaf_exchange_step(exchange);
        if (state != SHEAF_EXCHANGE_WAITS || is_disturbed(team, known))
            break;
        if (word != sheaf_exchange_awaits(exchange))
            continue;
        if (exchange->part != part) { /* another wait: how long the first was says nothing of it */
            part = exchange->part;
            sheaf_wait_done(&wait);
            wait.pace = (struct sheaf_pace_wait){.idle = 0};
        }
        if (word)
            sheaf_wait_turn_beside(word, &team->block->sleepers, old, news(), known, &wait);
        else
            sheaf_wait_step(&wait);
    }
    sheaf_wait_done(&wait);
    return state == SHEAF_EXCHANGE_DONE;
}

/* The engine reaches a new process only after it has rejoined. */
static bool may_begin(struct sheaf_team *team)
{
    bool is_far = team->multinode && team->multinode->nodes <= 1 << (ROUNDS - 1) && sheaf_network;
    return is_far && !sheaf_failure_is_outside && !sheaf_failed_has(team) &&
           sheaf_load_acquire(&sheaf_job.control->votes_waiting) == 0;
}

enum sheaf_undisturbed sheaf_undisturbed_agree(struct sheaf_team *team, enum sheaf_agreement_kind kind,
                                               uint32_t number, uint64_t *flags, uint32_t *deaths)
{
    /* Read before votes_waiting: a later vote changes the count, an earlier one waits. */
    uint32_t known = sheaf_load_acquire(news());
    struct sheaf_exchange exchange = {.kind = kind, .number = number, .flags = *flags};
    exchange.deaths = sheaf_failure_count();
    if (!may_begin(team))
        return SHEAF_DISTURBED;
    const struct sheaf_exchange_links links = {agreements_of(team, kind), send, receive, is_sent, tell};
    exchange.links = &links;
    exchange.block = team->block;
    exchange.team = team->identity;
    exchange.rank = team->multinode->near.rank;
    exchange.size = team->multinode->near.size;
    exchange.nodes = team->multinode->nodes;
    sheaf_exchange_begin(&exchange);
    bool is_done = run(team, &exchange, known);
    if (!is_done && !sheaf_exchange_leave(&exchange))
        return SHEAF_DISTURBED;
    *flags = exchange.flags;
    *deaths = exchange.deaths;
    return is_done ? SHEAF_UNDISTURBED : SHEAF_UNDISTURBED_KNOWN;
}

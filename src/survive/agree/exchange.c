/* SPDX-License-Identifier: BSD-3-Clause
 * See exchange.h.
 */
#include "survive/agree/exchange.h"

#include "base/atomic.h"

#define PARTS 2

static struct sheaf_opinion *opinion(const struct sheaf_exchange *it, int rank)
{
    return &it->block->members[rank].opinions[it->kind][it->number & 1];
}

static struct sheaf_known *known(const struct sheaf_exchange *it)
{
    return &it->block->known[it->kind];
}

static uint32_t *settled(const struct sheaf_exchange *it)
{
    return &it->block->settled[it->kind];
}

static void tell(const struct sheaf_exchange *it, uint32_t *word, uint32_t value)
{
    it->links->tell(it->links->self, word, value);
}

void sheaf_exchange_begin(struct sheaf_exchange *it)
{
    struct sheaf_opinion *mine = opinion(it, it->rank);
    it->heard = it->round = 0;
    it->part = 0;
    it->has_sent = false;
    if (it->rank == 0)
        return;
    sheaf_store_relaxed(&mine->flags[0], (uint32_t)it->flags);
    sheaf_store_relaxed(&mine->flags[1], (uint32_t)(it->flags >> 32));
    tell(it, &mine->number, it->number);
}

static bool has_left(const struct sheaf_exchange *it, int rank)
{
    return sheaf_load_acquire(&opinion(it, rank)->number) == (it->number | SHEAF_OPINION_MARK);
}

/* The members of this node. */
static enum sheaf_exchange_state hear_members(struct sheaf_exchange *it)
{
    for (; it->heard + 1 < it->size; it->heard++) {
        const struct sheaf_opinion *theirs = opinion(it, it->heard + 1);
        if (has_left(it, it->heard + 1))
            return SHEAF_EXCHANGE_LEFT;
        if (sheaf_load_acquire(&theirs->number) != it->number)
            return SHEAF_EXCHANGE_WAITS;
        it->flags &= (uint64_t)sheaf_load_relaxed(&theirs->flags[1]) << 32 | sheaf_load_relaxed(
            &theirs->flags[0]);
    }
    return SHEAF_EXCHANGE_DONE;
}

/* Messages of agreements that I have left are dropped. */
static bool receive(const struct sheaf_exchange *it, struct sheaf_exchange_message *message)
{
    while (it->links->receive(it->links->self, it->round, message))
        if (message->team == it->team && message->number == it->number && message->part == it->part)
            return true;
    return false;
}

static bool send(const struct sheaf_exchange *it)
{
    struct sheaf_exchange_message mine = {.team = it->team, .flags = it->flags, .number = it->number,
                                          .deaths = it->deaths, .part = it->part};
    return it->links->send(it->links->self, it->round, &mine);
}

/* The least of the counts of deaths: all members have been told of so many. */
static void hear(struct sheaf_exchange *it, const struct sheaf_exchange_message *theirs)
{
    if (it->part != 0)
        return;
    it->flags &= theirs->flags;
    if (theirs->deaths < it->deaths)
        it->deaths = theirs->deaths;
}

/* With all other nodes. False: it waits for a message. */
static bool exchange(struct sheaf_exchange *it)
{
    struct sheaf_exchange_message theirs;
    for (; 1 << it->round < it->nodes; it->round++) {
        if (!it->has_sent && !send(it))
            return false;
        it->has_sent = true;
        if (!receive(it, &theirs))
            return false;
        hear(it, &theirs);
        it->has_sent = false;
    }
    it->round = 0;
    return true;
}

/* A member that leaves marks its opinion first, then looks for the result. So either it finds the result,
 * or its mark is seen here. */
static bool publish(struct sheaf_exchange *it)
{
    struct sheaf_known *mine = known(it);
    bool all = true;
    sheaf_store_relaxed(&mine->flags, it->flags);
    sheaf_store_relaxed(&mine->deaths, it->deaths);
    sheaf_store_release(&mine->number, it->number);
    sheaf_fence_full();
    for (int rank = 1; rank < it->size; rank++)
        all &= !has_left(it, rank);
    return all;
}

static enum sheaf_exchange_state lead(struct sheaf_exchange *it)
{
    enum sheaf_exchange_state state = hear_members(it);
    while (state == SHEAF_EXCHANGE_DONE && it->part < PARTS) {
        if (!exchange(it))
            return SHEAF_EXCHANGE_WAITS;
        if (it->part++ == 0 && !publish(it))
            return SHEAF_EXCHANGE_LEFT;
    }
    if (state != SHEAF_EXCHANGE_DONE)
        return state;
    if (!it->links->is_sent(it->links->self))
        return SHEAF_EXCHANGE_WAITS;
    tell(it, settled(it), it->number);
    return SHEAF_EXCHANGE_DONE;
}

static void take_known(struct sheaf_exchange *it)
{
    it->flags = sheaf_load_relaxed(&known(it)->flags);
    it->deaths = sheaf_load_relaxed(&known(it)->deaths);
}

enum sheaf_exchange_state sheaf_exchange_step(struct sheaf_exchange *it)
{
    if (it->rank == 0)
        return lead(it);
    if (sheaf_load_acquire(settled(it)) != it->number)
        return SHEAF_EXCHANGE_WAITS;
    take_known(it);
    return SHEAF_EXCHANGE_DONE;
}

uint32_t *sheaf_exchange_awaits(const struct sheaf_exchange *it)
{
    if (it->rank != 0)
        return settled(it);
    return it->heard + 1 < it->size ? &opinion(it, it->heard + 1)->number : NULL;
}

bool sheaf_exchange_leave(struct sheaf_exchange *it)
{
    if (it->rank != 0)
        tell(it, &opinion(it, it->rank)->number, it->number | SHEAF_OPINION_MARK);
    sheaf_fence_full();
    if (sheaf_load_acquire(&known(it)->number) != it->number)
        return false;
    take_known(it);
    return true;
}

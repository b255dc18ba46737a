/* SPDX-License-Identifier: BSD-3-Clause
 * See agreement.h.
 */
#include "survive/agree/agreement.h"

#include "base/log.h"
#include "boot/replicated_log/agent_client.h"
#include "core/pe/arena.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"
#include "survive/failed.h"
#include "core/team/near.h"
#include "core/team/note.h"
#include "survive/agree/exchange.h"
#include "survive/agree/undisturbed.h"

#include <stdio.h>
#include <string.h>

_Static_assert(SHEAF_VOTE_PROGRAM == (int)SHEAF_AGREE_PROGRAM && SHEAF_VOTE_LIBRARY ==
               (int)SHEAF_AGREE_LIBRARY,
               "boot/replicated_log has the same kinds");

/* Of the library's: whoever says so is in the call. */
#define IS_HERE (UINT64_C(1) << 63)

#define REPAIRS SHEAF_OPINION_MARK

/* One agreement under way. */
struct agreement {
    struct sheaf_team *team;
    enum sheaf_agreement_kind kind;
    uint32_t number;
    uint32_t mark;       /* REPAIRS, or 0 */
    bool is_mixed;       /* a member's is another */
};

static void describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    snprintf(text, size, "what the living members of a team of %d agree on", team->size);
}

static struct agreement begin(struct sheaf_team *team, enum sheaf_agreement_kind kind, uint32_t mark)
{
    return (struct agreement){team, kind, ++team->agreements[kind] & ~REPAIRS, mark, false};
}

/* A member overwrites its opinion two agreements later: by then all living members have heard it, as they
 * have said something in the one between. */
static struct sheaf_opinion *opinion(const struct agreement *it, int rank)
{
    return &it->team->block->members[rank].opinions[it->kind][it->number & 1];
}

static void say(const struct agreement *it, uint64_t flags)
{
    struct sheaf_opinion *mine = opinion(it, it->team->rank);
    sheaf_store_relaxed(&mine->flags[0], (uint32_t)flags);
    sheaf_store_relaxed(&mine->flags[1], (uint32_t)(flags >> 32));
    sheaf_near_store_word(it->team, &mine->number, it->number | it->mark);
}

static uint64_t said_by(const struct agreement *it, int rank)
{
    const struct sheaf_opinion *theirs = opinion(it, rank);
    return (uint64_t)sheaf_load_relaxed(&theirs->flags[1]) << 32 | sheaf_load_relaxed(&theirs->flags[0]);
}

static bool has_spoken(const struct agreement *it, int rank)
{
    return (sheaf_load_acquire(&opinion(it, rank)->number) & ~REPAIRS) == it->number;
}

/* Whether the PE waits for me in the library's next agreement of all, while I wait for it here. What it
 * had said here before it went there would be seen. */
static bool is_missed_by(const struct agreement *it, int rank)
{
    struct sheaf_team *world = sheaf_team_world();
    struct agreement next = {.team = world, .kind = SHEAF_AGREE_LIBRARY};
    next.number = (world->agreements[SHEAF_AGREE_LIBRARY] + 1) & ~REPAIRS;
    return it->kind == SHEAF_AGREE_PROGRAM && sheaf_failure_count() != 0 &&
           has_spoken(&next, sheaf_team_world_pe(it->team, rank)) && !has_spoken(it, rank);
}

static void refuse(void)
{
    struct agreement next = begin(sheaf_team_world(), SHEAF_AGREE_LIBRARY, 0);
    say(&next, 0);
}

/* Whether that member has spoken, once it has or is dead. Its death is told after its last store. */
static bool await(const struct agreement *it, int rank, struct sheaf_wait *wait)
{
    uint32_t *number = &opinion(it, rank)->number, now;
    while (((now = sheaf_load_acquire(number)) & ~REPAIRS) != it->number) {
        if (sheaf_failed_is_dead(it->team, rank))
            return has_spoken(it, rank);
        if (is_missed_by(it, rank))
            refuse();
        sheaf_wait_turn(number, &it->team->block->sleepers, now, wait);
    }
    return true;
}

/* The first to have heard all decides how many deaths count, which are all that it has seen. */
static uint32_t decide(const struct agreement *it)
{
    uint64_t *decided = &it->team->block->decided[it->kind][it->number & 1];
    uint64_t mine = (uint64_t)it->number << 32 | sheaf_failure_count(), now = sheaf_load_acquire(decided);
    while (now >> 32 != it->number)
        if (__atomic_compare_exchange_n(decided, &now, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            now = mine;
    sheaf_failed_has(it->team); /* takes in the deaths up to there at least */
    return (uint32_t)now;
}

static void hear_member(struct agreement *it, int rank, uint64_t *flags)
{
    it->is_mixed |= (sheaf_load_relaxed(&opinion(it, rank)->number) & REPAIRS) != it->mark;
    *flags &= said_by(it, rank);
}

static uint32_t agree_near(struct agreement *it, uint64_t *flags)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, it->team, sheaf_near_describe);
    wait.bears_deaths = true;
    if (sheaf_failure_is_outside)
        sheaf_failure_raise();
    say(it, *flags);
    for (int rank = 0; rank < it->team->size; rank++)
        if (await(it, rank, &wait))
            hear_member(it, rank, flags);
    sheaf_wait_done(&wait);
    return decide(it);
}

/* Where this thread's decisions are written; a thread is in one agreement at a time, which nothing
 * makes it leave. */
static uint64_t own_box(void)
{
    static __thread uint64_t box;
    if (!box)
        box = sheaf_arena_allocate(sizeof(struct sheaf_verdict));
    if (!box)
        sheaf_fatal("SH131 %s: the job's control area is full", sheaf_call.name);
    return box;
}

static void cast(const struct agreement *it, const struct sheaf_vote *mine)
{
    _Alignas(8) char room[SHEAF_AGENT_MOST_VOTE] = {0};
    struct sheaf_vote *vote = (struct sheaf_vote *)room;
    *vote = *mine;
    vote->team = it->team->identity;
    vote->kind = (uint32_t)it->kind;
    vote->number = it->number;
    vote->mark = it->mark;
    vote->pe = sheaf_job.pe;
    vote->born = it->team->born;
    for (int rank = 0; rank < it->team->size; rank++) {
        int pe = sheaf_team_world_pe(it->team, rank);
        vote->members[pe / 64] |= UINT64_C(1) << pe % 64;
    }
    sheaf_agent_vote(vote);
}

/* Others have waited for me in the library's agreements up to that one, and know that I do not come. */
static void note_joined(uint32_t joined)
{
    uint32_t *library = &sheaf_team_world()->agreements[SHEAF_AGREE_LIBRARY];
    if (joined > *library)
        *library = joined;
}

/* The replicated log (boot/replicated_log) decides. */
static uint32_t agree_in_order(struct agreement *it, struct sheaf_vote *mine, uint64_t *flags)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, it->team, describe);
    struct sheaf_verdict *verdict = sheaf_arena_at(own_box());
    uint32_t now, sleepers = 0;
    wait.bears_deaths = true;
    mine->box = own_box();
    sheaf_store_relaxed(&verdict->number, 0);
    cast(it, mine);
    while ((now = sheaf_load_acquire(&verdict->number)) != it->number)
        sheaf_wait_turn(&verdict->number, &sleepers, now, &wait);
    sheaf_wait_done(&wait);
    *flags = verdict->flags;
    it->is_mixed = verdict->is_mixed;
    note_joined(verdict->joined);
    sheaf_failed_has(it->team);
    return verdict->deaths;
}

/* On several nodes. The log decides calls that only PEs make that have met a death. */
static uint32_t agree_far(struct agreement *it, uint64_t *flags)
{
    struct sheaf_vote mine = {.flags = *flags};
    enum sheaf_undisturbed end = SHEAF_DISTURBED;
    if (it->mark == 0)
        end = sheaf_undisturbed_agree(it->team, it->kind, it->number, &mine.flags, &mine.deaths);
    if (end == SHEAF_UNDISTURBED_KNOWN)
        mine.is_known = 1;
    if (end != SHEAF_UNDISTURBED)
        return agree_in_order(it, &mine, flags);
    *flags = mine.flags;
    return mine.deaths;
}

static uint32_t agree(struct agreement *it, uint64_t *flags)
{
    return sheaf_agent_is_used() ? agree_far(it, flags) : agree_near(it, flags);
}

static void hear_note(void *result, int rank, const void *note)
{
    uint64_t theirs, *flags = result;
    (void)rank;
    memcpy(&theirs, note, sizeof theirs);
    *flags &= theirs;
}

/* Without reports a team on several nodes loses no member. */
static bool loses_none(const struct sheaf_team *team)
{
    return team->multinode && !sheaf_agent_is_used();
}

uint32_t sheaf_agreement(struct sheaf_team *team, uint64_t *flags)
{
    uint64_t mine = *flags;
    if (team->size == 1)
        return sheaf_failure_count();
    if (!loses_none(team)) {
        struct agreement it = begin(team, SHEAF_AGREE_PROGRAM, 0);
        return agree(&it, flags);
    }
    sheaf_team_gather(team, &mine, sizeof mine, hear_note, flags);
    return 0;
}

uint32_t sheaf_agreement_to_repair(struct sheaf_team *team, uint64_t *flags)
{
    const uint64_t mine = *flags;
    if (loses_none(team))
        return sheaf_agreement(team, flags);
    struct agreement it = {.is_mixed = team->size > 1};
    uint32_t deaths = sheaf_failure_count();
    while (it.is_mixed) {
        it = begin(team, SHEAF_AGREE_PROGRAM, REPAIRS);
        *flags = mine;
        deaths = agree(&it, flags);
    }
    return deaths;
}

bool sheaf_agreement_of_living(uint64_t *flags)
{
    struct sheaf_team *world = sheaf_team_world();
    *flags |= IS_HERE;
    if (world->size > 1) {
        struct agreement it = begin(world, SHEAF_AGREE_LIBRARY, 0);
        agree(&it, flags);
    }
    return *flags & IS_HERE;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * See votes.h.
 */
#include "boot/replicated_log/votes.h"

#include <stdlib.h>
#include <string.h>

/* Of one PE in an agreement. */
struct voter {
    bool has_voted;
    bool waits;      /* it has not been told */
    bool has_joined; /* it was counted as refusing */
    uint32_t joined; /* of the program's: where, see sheaf_verdict */
    uint64_t box;
};

struct agreement {
    struct agreement *next;
    struct sheaf_vote *vote; /* the first; behind the voters */
    bool is_mixed, is_known;
    uint64_t flags;          /* of those that do not know */
    struct sheaf_verdict known;
    struct voter voters[];   /* by PE */
};

struct sheaf_votes {
    int npes;
    uint32_t deaths;
    sheaf_votes_decided *decided;
    struct agreement *open;
    uint32_t died[]; /* of each PE the number of its last death */
};

static size_t words(int npes)
{
    return ((size_t)npes + 63) / 64;
}

size_t sheaf_vote_bytes(int npes)
{
    return sizeof(struct sheaf_vote) + words(npes) * sizeof(uint64_t);
}

struct sheaf_votes *sheaf_votes_create(int npes, sheaf_votes_decided *decided)
{
    struct sheaf_votes *votes = calloc(1, sizeof *votes + (size_t)npes * sizeof votes->died[0]);
    if (!votes)
        return NULL;
    votes->npes = npes;
    votes->decided = decided;
    return votes;
}

void sheaf_votes_destroy(struct sheaf_votes *votes)
{
    while (votes->open) {
        struct agreement *next = votes->open->next;
        free(votes->open);
        votes->open = next;
    }
    free(votes);
}

static bool is_member(const struct agreement *it, int pe)
{
    return it->vote->members[pe / 64] >> pe % 64 & 1;
}

static struct agreement *make_agreement(struct sheaf_votes *votes, const struct sheaf_vote *vote)
{
    size_t voters = (size_t)votes->npes * sizeof(struct voter), bytes = sheaf_vote_bytes(votes->npes);
    struct agreement *it = calloc(1, sizeof *it + voters + bytes);
    if (!it)
        return NULL;
    it->vote = (struct sheaf_vote *)((char *)it->voters + voters);
    memcpy(it->vote, vote, bytes);
    it->flags = UINT64_MAX;
    it->known.number = vote->number;
    it->next = votes->open;
    votes->open = it;
    return it;
}

static bool is_of_team(const struct agreement *it, const struct sheaf_vote *vote)
{
    return it->vote->team == vote->team && it->vote->kind == vote->kind;
}

static struct agreement *find_agreement(struct sheaf_votes *votes, const struct sheaf_vote *vote)
{
    struct agreement *it = votes->open;
    while (it && (!is_of_team(it, vote) || it->vote->number != vote->number))
        it = it->next;
    return it ? it : make_agreement(votes, vote);
}

/* Since the team was made. */
static bool is_dead(const struct sheaf_votes *votes, int pe, uint32_t born)
{
    return votes->died[pe] > born;
}

static bool is_living_member(const struct sheaf_votes *votes, const struct agreement *it, int pe)
{
    return is_member(it, pe) && !is_dead(votes, pe, it->vote->born);
}

static bool is_complete(const struct sheaf_votes *votes, const struct agreement *it)
{
    for (int pe = 0; pe < votes->npes; pe++)
        if (is_living_member(votes, it, pe) && !it->voters[pe].has_voted && !it->voters[pe].has_joined)
            return false;
    return true;
}

/* Each voter is told once. */
static void tell_voters(const struct sheaf_votes *votes, struct agreement *it)
{
    struct sheaf_verdict verdict = {.flags = it->flags, .deaths = votes->deaths, .is_mixed = it->is_mixed,
                                    .number = it->vote->number};
    if (it->is_known)
        verdict = it->known;
    for (int pe = 0; pe < votes->npes; pe++) {
        struct voter *voter = &it->voters[pe];
        verdict.joined = voter->joined;
        if (voter->waits)
            votes->decided(pe, voter->box, &verdict);
        voter->waits = false;
    }
}

/* Of one team's agreements. Their numbers wrap around. */
static bool is_earlier(const struct agreement *it, const struct agreement *than)
{
    return is_of_team(it, than->vote) && (int32_t)((than->vote->number - it->vote->number) << 1) > 0;
}

/* Once all members have voted in a later agreement, or its result is known, nobody votes in an earlier
 * one any more. In one whose result is known some members never vote. */
static void drop_earlier(struct sheaf_votes *votes, const struct agreement *than)
{
    for (struct agreement **place = &votes->open; *place;) {
        struct agreement *it = *place;
        if (!is_earlier(it, than)) {
            place = &it->next;
            continue;
        }
        *place = it->next;
        free(it);
    }
}

static void close_agreement(struct sheaf_votes *votes, struct agreement *it)
{
    struct agreement **place = &votes->open;
    while (*place != it)
        place = &(*place)->next;
    *place = it->next;
    free(it);
}

static struct agreement *first_complete(const struct sheaf_votes *votes)
{
    struct agreement *it = votes->open;
    while (it && !is_complete(votes, it))
        it = it->next;
    return it;
}

static void decide_complete(struct sheaf_votes *votes)
{
    struct agreement *complete;
    while ((complete = first_complete(votes)) != NULL) {
        tell_voters(votes, complete);
        drop_earlier(votes, complete);
        close_agreement(votes, complete);
    }
}

/* Whether a living member of the program's agreement waits in the library's, and has not voted in this
 * one. */
static bool is_missed(const struct sheaf_votes *votes, const struct agreement *it,
                      const struct agreement *library)
{
    for (int pe = 0; pe < votes->npes; pe++)
        if (is_living_member(votes, it, pe) && library->voters[pe].waits && !it->voters[pe].has_voted)
            return true;
    return false;
}

static void join_refusing(const struct sheaf_votes *votes, struct agreement *it, struct agreement *library)
{
    for (int pe = 0; pe < votes->npes; pe++) {
        struct voter *there = &library->voters[pe];
        if (!it->voters[pe].waits || there->has_voted || there->has_joined)
            continue;
        there->has_joined = true;
        if (library->vote->number > it->voters[pe].joined)
            it->voters[pe].joined = library->vote->number;
        library->flags = 0;
    }
}

/* Every member has voted in an agreement whose result is known. */
static void join_library(const struct sheaf_votes *votes, struct agreement *library)
{
    for (struct agreement *it = votes->open; it && !library->is_known; it = it->next)
        if (it->vote->kind == SHEAF_VOTE_PROGRAM && !it->is_known && is_missed(votes, it, library))
            join_refusing(votes, it, library);
}

/* A PE leaves the sequence of calls of the others only because of a death. */
static void join_all(struct sheaf_votes *votes)
{
    for (struct agreement *library = votes->open; library && votes->deaths; library = library->next)
        if (library->vote->kind == SHEAF_VOTE_LIBRARY)
            join_library(votes, library);
}

static void count_vote(struct sheaf_votes *votes, struct agreement *it, const struct sheaf_vote *vote)
{
    struct voter *voter = &it->voters[vote->pe];
    *voter = (struct voter){.has_voted = true, .waits = true, .joined = voter->joined, .box = vote->box};
    if (vote->is_known) {
        it->is_known = true;
        it->known.flags = vote->flags;
        it->known.deaths = vote->deaths;
    } else {
        it->flags &= vote->flags;
        it->is_mixed |= vote->mark != it->vote->mark;
    }
    if (!it->is_known)
        return;
    tell_voters(votes, it);
    drop_earlier(votes, it);
}

bool sheaf_votes_cast(struct sheaf_votes *votes, const struct sheaf_vote *vote, size_t bytes)
{
    if (bytes != sheaf_vote_bytes(votes->npes) || vote->pe < 0 || vote->pe >= votes->npes ||
        vote->kind >= SHEAF_VOTE_KINDS || is_dead(votes, vote->pe,
                                                        vote->born))
        return false;
    struct agreement *it = find_agreement(votes, vote);
    if (!it)
        return false;
    count_vote(votes, it, vote);
    join_all(votes);
    decide_complete(votes);
    return true;
}

static bool has_waiting(const struct sheaf_votes *votes, const struct agreement *it)
{
    for (int pe = 0; pe < votes->npes; pe++)
        if (it->voters[pe].waits && is_living_member(votes, it, pe))
            return true;
    return false;
}

uint32_t sheaf_votes_waiting(const struct sheaf_votes *votes)
{
    uint32_t waiting = 0;
    for (const struct agreement *it = votes->open; it; it = it->next)
        waiting += has_waiting(votes, it);
    return waiting;
}

void sheaf_votes_die(struct sheaf_votes *votes, int pe, uint32_t number)
{
    if (pe < 0 || pe >= votes->npes || votes->died[pe] >= number)
        return;
    votes->died[pe] = number;
    votes->deaths = number;
    join_all(votes);
    decide_complete(votes);
}

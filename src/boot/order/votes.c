/* SPDX-License-Identifier: BSD-3-Clause
 * See votes.h.
 */
#include "boot/order/votes.h"

#include <stdlib.h>
#include <string.h>

/* Of one PE in an agreement. */
struct voter {
    bool has_voted;
    bool has_joined; /* it was counted as refusing */
    uint32_t joined; /* of the program's: where, see sheaf_verdict */
    uint64_t box;
};

struct agreement {
    struct agreement *next;
    uint64_t team, flags;
    uint32_t kind, number, mark, born;
    bool is_mixed;
    uint64_t *members;     /* behind the voters */
    struct voter voters[]; /* by PE */
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
    return it->members[pe / 64] >> pe % 64 & 1;
}

static struct agreement *make(struct sheaf_votes *votes, const struct sheaf_vote *vote)
{
    size_t voters = (size_t)votes->npes * sizeof(struct voter), bits =
        words(votes->npes) * sizeof(uint64_t);
    struct agreement *it = calloc(1, sizeof *it + voters + bits);
    if (!it)
        return NULL;
    it->team = vote->team;
    it->kind = vote->kind;
    it->number = vote->number;
    it->mark = vote->mark;
    it->born = vote->born;
    it->flags = UINT64_MAX;
    it->members = (uint64_t *)((char *)it->voters + voters);
    memcpy(it->members, vote->members, bits);
    it->next = votes->open;
    votes->open = it;
    return it;
}

static struct agreement *find(struct sheaf_votes *votes, const struct sheaf_vote *vote)
{
    struct agreement *it = votes->open;
    while (it && (it->team != vote->team || it->kind != vote->kind || it->number != vote->number))
        it = it->next;
    return it ? it : make(votes, vote);
}

/* For the team: since it was made. */
static bool is_dead(const struct sheaf_votes *votes, int pe, uint32_t born)
{
    return votes->died[pe] > born;
}

static bool is_decided(const struct sheaf_votes *votes, const struct agreement *it)
{
    for (int pe = 0; pe < votes->npes; pe++)
        if (is_member(it, pe) && !is_dead(votes, pe, it->born) && !it->voters[pe].has_voted &&
            !it->voters[pe].has_joined)
            return false;
    return true;
}

static void tell(const struct sheaf_votes *votes, const struct agreement *it)
{
    struct sheaf_verdict verdict = {.flags = it->flags, .deaths = votes->deaths, .is_mixed = it->is_mixed,
                                    .number = it->number};
    for (int pe = 0; pe < votes->npes; pe++) {
        verdict.joined = it->voters[pe].joined;
        if (it->voters[pe].has_voted)
            votes->decided(pe, it->voters[pe].box, &verdict);
    }
}

static void decide(struct sheaf_votes *votes)
{
    struct agreement **place = &votes->open;
    while (*place) {
        struct agreement *it = *place;
        if (!is_decided(votes, it)) {
            place = &it->next;
            continue;
        }
        *place = it->next;
        tell(votes, it);
        free(it);
    }
}

/* Whether a living member of the program's agreement is in the library's, and has not voted here. */
static bool is_missed(const struct sheaf_votes *votes, const struct agreement *it,
                      const struct agreement *library)
{
    for (int pe = 0; pe < votes->npes; pe++)
        if (is_member(it, pe) && !is_dead(votes, pe, it->born) && library->voters[pe].has_voted &&
            !it->voters[pe].has_voted)
            return true;
    return false;
}

static void join(const struct sheaf_votes *votes, struct agreement *it, struct agreement *library)
{
    for (int pe = 0; pe < votes->npes; pe++) {
        struct voter *there = &library->voters[pe];
        if (!it->voters[pe].has_voted || there->has_voted || there->has_joined)
            continue;
        there->has_joined = true;
        if (library->number > it->voters[pe].joined)
            it->voters[pe].joined = library->number;
        library->flags = 0;
    }
}

static void join_library(const struct sheaf_votes *votes, struct agreement *library)
{
    for (struct agreement *it = votes->open; it; it = it->next)
        if (it->kind == SHEAF_VOTE_PROGRAM && is_missed(votes, it, library))
            join(votes, it, library);
}

/* Nobody leaves a sequence of calls but because of a death. */
static void join_all(struct sheaf_votes *votes)
{
    for (struct agreement *library = votes->open; library && votes->deaths; library = library->next)
        if (library->kind == SHEAF_VOTE_LIBRARY)
            join_library(votes, library);
}

bool sheaf_votes_cast(struct sheaf_votes *votes, const struct sheaf_vote *vote, size_t bytes)
{
    if (bytes != sheaf_vote_bytes(votes->npes) || vote->pe < 0 || vote->pe >= votes->npes ||
        vote->kind >= SHEAF_VOTE_KINDS || is_dead(votes, vote->pe, vote->born))
        return false;
    struct agreement *it = find(votes, vote);
    if (!it)
        return false;
    struct voter *voter = &it->voters[vote->pe];
    voter->has_voted = true;
    voter->box = vote->box;
    it->flags &= vote->flags;
    it->is_mixed |= vote->mark != it->mark;
    join_all(votes);
    decide(votes);
    return true;
}

void sheaf_votes_die(struct sheaf_votes *votes, int pe, uint32_t number)
{
    if (pe < 0 || pe >= votes->npes || votes->died[pe] >= number)
        return;
    votes->died[pe] = number;
    votes->deaths = number;
    join_all(votes);
    decide(votes);
}

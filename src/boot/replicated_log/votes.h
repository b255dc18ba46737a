/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Agreements of the living members of teams, which follow from the votes and deaths in the replicated log
 * (journal.h). An agreement is decided by the entry behind which each member has voted or is dead, so all
 * nodes decide alike, and at the same entry. agent.c passes the entries on and hands the decisions out.
 *
 * PEs that all live decide among themselves (survive/agree/exchange.h), and vote here when they are
 * disturbed. A vote may know the result, since its voter has the flags of all members. Such a vote
 * decides, whatever other votes say, and its voter is told at once: members that have returned from the
 * agreement never vote.
 *
 * There are two kinds: agreements of the program's teams, and the library's own, of all PEs, one at a
 * time. A PE may wait in one of the program's while another member of it waits in the library's. The
 * first one has then left the sequence of calls in which the second still is: it counts as having refused
 * there, and is told so.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_VOTES_H
#define SHEAF_BOOT_REPLICATED_LOG_VOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHEAF_VOTE_PROGRAM, SHEAF_VOTE_LIBRARY, SHEAF_VOTE_KINDS };

/* The body of an entry. */
struct sheaf_vote {
    uint64_t team;      /* its identity, the same on all members */
    uint64_t flags;
    uint64_t box;       /* where the voter's node writes the decision: the voter chooses it */
    uint32_t kind;
    uint32_t number;    /* of the team's agreements of that kind */
    uint32_t mark;      /* of several kinds of calls that may meet here */
    int32_t pe;
    uint32_t born;      /* deaths before the team was made, the same on all members: a member whose last
                           death is one of these is another process, which lives */
    uint32_t is_known;  /* flags are the result */
    uint32_t deaths;    /* where is_known: the deaths that count */
    uint32_t unused;
    uint64_t members[]; /* a bit for each PE of the world */
};

struct sheaf_verdict {
    uint64_t flags;     /* the bitwise and of all votes */
    uint32_t deaths;    /* that count: so many were in the log by then */
    uint32_t is_mixed;  /* the marks were not all the same */
    uint32_t joined;    /* the library's last agreement in which the voter was counted as refusing; 0:
                           none */
    uint32_t number;    /* of the agreement: the last field to be written */
};

struct sheaf_votes;

/* Of npes PEs. decided is called for each voter, also for one that has died since. NULL without memory. */
typedef void sheaf_votes_decided(int pe, uint64_t box, const struct sheaf_verdict *verdict);
struct sheaf_votes *sheaf_votes_create(int npes, sheaf_votes_decided *decided);
void sheaf_votes_destroy(struct sheaf_votes *votes);

size_t sheaf_vote_bytes(int npes);

/* The next entry of the log. False: no PE of this job casts such a vote, or there is no memory. */
bool sheaf_votes_cast(struct sheaf_votes *votes, const struct sheaf_vote *vote, size_t bytes);
/* number: of the death, from 1. */
void sheaf_votes_die(struct sheaf_votes *votes, int pe, uint32_t number);

/* Agreements in which a living voter waits. */
uint32_t sheaf_votes_waiting(const struct sheaf_votes *votes);

#endif

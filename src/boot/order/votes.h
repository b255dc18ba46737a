/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What teams' living members agree on, out of the votes and deaths of the one list (journal.h): an
 * agreement is decided by the entry behind which each member has voted or is dead, so every node
 * decides alike and at the same place of the list. keeper.c feeds it and hands the decisions out; it
 * knows nothing else.
 *
 * PEs that all live decide among themselves (survive/agree/exchange.h), and come here when they are
 * disturbed. A vote may know what all members have said: then it decides, whatever others say that do not,
 * and its voter is told at once, since those that have returned from the agreement never come.
 *
 * Two kinds: of the program's teams, and the library's own, of all PEs, one at a time. A PE that waits
 * in one of the program's while another member of it waits for all PEs has left the sequence of calls
 * in which that one still is: it is counted there as having refused, and told so.
 */
#ifndef SHEAF_BOOT_ORDER_VOTES_H
#define SHEAF_BOOT_ORDER_VOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHEAF_VOTE_PROGRAM, SHEAF_VOTE_LIBRARY, SHEAF_VOTE_KINDS };

/* The body of an entry. */
struct sheaf_vote {
    uint64_t team;      /* its identity, the same on all members */
    uint64_t flags;
    uint64_t box;       /* where the voter's node puts the decision: the voter's matter */
    uint32_t kind;
    uint32_t number;    /* of the team's agreements of that kind */
    uint32_t mark;      /* of several kinds of calls that may meet here */
    int32_t pe;
    uint32_t born;      /* deaths before the team was made, the same on all members: a member whose last
                           death is one of these is another process, which lives */
    uint32_t is_known;  /* flags are those of all members, which have all come */
    uint32_t deaths;    /* then those that count */
    uint32_t unused;
    uint64_t members[]; /* a bit for each PE of the world */
};

struct sheaf_verdict {
    uint64_t flags;     /* the bitwise and of all votes */
    uint32_t deaths;    /* that count: so many were in the list by then */
    uint32_t is_mixed;  /* the marks were not all the same */
    uint32_t joined;    /* the library's last agreement in which the voter was counted as refusing; 0:
                           none */
    uint32_t number;    /* of the agreement: the last field to be written */
};

struct sheaf_votes;

/* Of npes PEs. decided: for each of its voters, one that has died since too. NULL without memory. */
typedef void sheaf_votes_decided(int pe, uint64_t box, const struct sheaf_verdict *verdict);
struct sheaf_votes *sheaf_votes_create(int npes, sheaf_votes_decided *decided);
void sheaf_votes_destroy(struct sheaf_votes *votes);

size_t sheaf_vote_bytes(int npes);

/* The next entry of the list. False: it is no vote that a PE of this job would cast, or there is no
 * memory. */
bool sheaf_votes_cast(struct sheaf_votes *votes, const struct sheaf_vote *vote, size_t bytes);
/* number: of the death, from 1. */
void sheaf_votes_die(struct sheaf_votes *votes, int pe, uint32_t number);

/* Agreements in which a living voter waits. */
uint32_t sheaf_votes_waiting(const struct sheaf_votes *votes);

#endif

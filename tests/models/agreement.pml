/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One agreement of a team on two hosts (survive/agree/exchange.c, boot/order/votes.c): PEs 0 and 1 are on host 0,
 * PEs 2 and 3 on host 1; PEs 0 and 2 represent their host. A PE, or all of a host, dies at any step (DEATHS of
 * them). To show: all PEs that return have the same flags, and every living PE returns.
 * A representative that returns after the first exchange (NO_SECOND_EXCHANGE), a member that leaves without a
 * mark (NO_MARK), or that looks for the decision before it marks (LATE_MARK), must fail.
 */
#ifndef DEATHS
#define DEATHS 1
#endif
#define PES 4
#define HOST(pe) ((pe) / 2)
#define NONE 0
#define SPOKE 1
#define LEFT 2

/* In the hosts' blocks. */
byte opinion[PES];
bool said[PES];
bool is_known[2], known[2], is_settled[2];
/* From one representative to the other: by part and sender's host. */
bool is_sent[4], sent[4];
/* The agents' log: votes, deaths that are told, the decision; news changes with every entry. */
bool has_voted[PES], vote[PES], is_told[PES], is_decided, decision;
byte waiting, news;

bool is_dead[PES], has_returned[PES], result[PES];
byte deaths;

inline decide_if_complete()
{
    if
    :: !is_decided && (has_voted[0] || is_told[0]) && (has_voted[1] || is_told[1]) &&
       (has_voted[2] || is_told[2]) && (has_voted[3] || is_told[3]) ->
        decision = (!has_voted[0] || vote[0]) && (!has_voted[1] || vote[1]) &&
                   (!has_voted[2] || vote[2]) && (!has_voted[3] || vote[3]);
        is_decided = true;
        waiting = 0
    :: else
    fi
}

/* A vote that knows what all have said decides. */
inline cast(knows, flags)
{
    atomic {
        if
        :: is_dead[me] -> goto gone
        :: else
        fi;
        has_voted[me] = true;
        vote[me] = flags;
        news++;
        if
        :: is_decided -> assert(!knows || decision == flags)
        :: !is_decided && knows -> decision = flags; is_decided = true; waiting = 0
        :: else -> waiting++; decide_if_complete()
        fi
    }
}

inline give(flags)
{
    atomic {
        if
        :: is_dead[me] -> goto gone
        :: else -> has_returned[me] = true; result[me] = flags
        fi
    }
}

#define IS_DISTURBED (news != old || is_told[0] || is_told[1] || is_told[2] || is_told[3])

proctype member(byte me)
{
    bool mine, knows;
    byte old, host = HOST(me);
    mine = true;
    if
    :: me == 3 -> mine = false
    :: skip
    fi;
    old = news;
    if
    :: waiting > 0 || IS_DISTURBED -> goto ask
    :: else
    fi;
    if
    :: me % 2 == 0 -> goto represent
    :: else
    fi;

    said[me] = mine;
    if
    :: is_dead[me] -> goto gone
    :: !is_dead[me] -> opinion[me] = SPOKE
    fi;
    do
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && is_settled[host] -> give(known[host]); goto gone
    :: !is_dead[me] && IS_DISTURBED -> break
    od;
#ifdef LATE_MARK
    knows = is_known[host];
    if :: is_dead[me] -> goto gone :: else -> opinion[me] = LEFT fi;
    if :: knows -> mine = known[host] :: else fi;
    goto ask;
#endif
#ifndef NO_MARK
    if :: is_dead[me] -> goto gone :: else -> opinion[me] = LEFT fi;
#endif
    goto leave;

represent:
    do
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && opinion[me + 1] == SPOKE -> break
    :: !is_dead[me] && (opinion[me + 1] == LEFT || IS_DISTURBED) -> goto leave
    od;
    mine = mine && said[me + 1];
    if :: is_dead[me] -> goto gone :: else -> sent[host] = mine; is_sent[host] = true fi;
    do
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && is_sent[1 - host] -> break
    :: !is_dead[me] && IS_DISTURBED -> goto leave
    od;
    known[host] = mine && sent[1 - host];
    if :: is_dead[me] -> goto gone :: else -> is_known[host] = true fi;
    if
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && opinion[me + 1] == LEFT -> goto leave
    :: else
    fi;
#ifndef NO_SECOND_EXCHANGE
    if :: is_dead[me] -> goto gone :: else -> is_sent[2 + host] = true fi;
    do
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && is_sent[3 - host] -> break
    :: !is_dead[me] && IS_DISTURBED -> goto leave
    od;
#endif
    if :: is_dead[me] -> goto gone :: else -> is_settled[host] = true fi;
    give(known[host]);
    goto gone;

leave:
    knows = is_known[host];
    if
    :: knows -> mine = known[host]
    :: else
    fi;

ask:
    cast(knows, mine);
    do
    :: is_dead[me] -> goto gone
    :: !is_dead[me] && is_decided -> give(decision); break
    od;
gone:
    skip
}

inline tell(pe)
{
    atomic {
        if
        :: is_dead[pe] && !is_told[pe] -> is_told[pe] = true; news++;
            decide_if_complete()
        :: else
        fi
    }
}

proctype death()
{
    byte pe;
    do
    :: deaths == DEATHS -> break
    :: break
    :: deaths < DEATHS ->
        atomic { /* one PE, or its host */
            select(pe : 0 .. PES - 1);
            is_dead[pe] = true;
            if
            :: true -> is_dead[HOST(pe) * 2] = true; is_dead[HOST(pe) * 2 + 1] = true
            :: true
            fi;
            deaths++
        };
        tell(0); tell(1); tell(2); tell(3)
    od
}

init
{
    atomic {
        run member(0); run member(1); run member(2); run member(3); run death()
    };
    (_nr_pr == 1);
    byte one, other;
    do
    :: one == PES -> break
    :: else ->
        assert(is_dead[one] || has_returned[one]);
        other = 0;
        do
        :: other == PES -> break
        :: else ->
            assert(!has_returned[one] || !has_returned[other] || result[one] == result[other]);
            other++
        od;
        one++
    od
}

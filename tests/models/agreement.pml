/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One agreement of a team on two hosts (survive/agree/exchange.c and undisturbed.c, boot/replicated_log/votes.c): PEs 0 and 1
 * are on host 0, PEs 2 and 3 on host 1; PEs 0 and 2 represent their host. There are DEATHS disturbances: a PE,
 * or all of a host with its agent, dies at any step, between the two exchanges too, or another team votes. Each host's
 * agent applies the entries of the log at its own time. To show:
 *   same     all PEs that return have the same flags
 *   returns  every living PE returns
 *   known    a vote that knows the decision says what the log has decided
 * Must fail: a representative that returns after the first exchange (NO_SECOND_EXCHANGE), a member that leaves without
 * a mark (NO_MARK) or looks for the decision before it marks (LATE_MARK), a member that reads the number of log
 * entries after it has looked whether a vote waits (LATE_NEWS), an agent that counts an entry before it says that a vote waits
 * (LATE_WAITING).
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

/* The log: votes and deaths. That a PE's vote is on its way to it for a while shows nothing that a late vote does not:
 * its agent tells of its death behind it. */
#define MOST 8
#define DEATH 16 /* + PE; votes: 4 x PE + 2 if it knows + flags */
#define OTHER 32 /* a vote of another team */
byte log[MOST], logged;
bool is_death_logged[PES];
/* What each host's agent has made of it, by host and PE. */
byte applied[2];
bool has_voted[2 * PES], vote[2 * PES], is_told[2 * PES], is_decided[2], decision[2];

bool is_dead[PES], is_host_dead[2], has_returned[PES], result[PES];
byte deaths;

#define AT(pe) (host * PES + (pe))
#define HAS_COME(pe) (has_voted[AT(pe)] || is_told[AT(pe)])
#define ACCEPTS(pe) (!has_voted[AT(pe)] || vote[AT(pe)])

inline append(what)
{
    log[logged] = what;
    logged++
}

inline decide_if_complete()
{
    if
    :: !is_decided[host] && HAS_COME(0) && HAS_COME(1) && HAS_COME(2) && HAS_COME(3) ->
        decision[host] = ACCEPTS(0) && ACCEPTS(1) && ACCEPTS(2) && ACCEPTS(3);
        is_decided[host] = true
    :: else
    fi
}

#define WAITS(pe) (has_voted[AT(pe)] && !is_told[AT(pe)])
#define ANY_WAITS (!is_decided[host] && (WAITS(0) || WAITS(1) || WAITS(2) || WAITS(3)))

#ifdef LATE_WAITING
bool waits[2];
#define HAS_WAITING waits[host]
#else
#define HAS_WAITING ANY_WAITS
#endif

/* A vote that knows what all have said decides. */
inline apply()
{
    entry = log[applied[host]];
    applied[host]++;
    if
    :: entry == OTHER -> skip
    :: entry >= DEATH && entry < OTHER -> is_told[AT(entry - DEATH)] = true; decide_if_complete()
    :: entry < DEATH && is_told[AT(entry / 4)] -> skip
    :: else ->
        has_voted[AT(entry / 4)] = true;
        vote[AT(entry / 4)] = entry % 2;
        if
        :: (entry / 2) % 2 && is_decided[host] -> assert(decision[host] == entry % 2) /* known */
        :: (entry / 2) % 2 && !is_decided[host] -> decision[host] = entry % 2; is_decided[host] = true
        :: else -> decide_if_complete()
        fi
    fi;
    entry = 0
}

/* Of a lost host the other host's agent tells. */
#define IS_MISSED(pe) (!is_host_dead[host] && is_dead[pe] && !is_death_logged[pe] && \
                       (is_host_dead[HOST(pe)] || HOST(pe) == host))

proctype agent(byte host)
{
    byte pe, entry;
end:
    do
    :: d_step { !is_host_dead[host] && applied[host] < logged -> apply() }
#ifdef LATE_WAITING
    :: d_step { !is_host_dead[host] && waits[host] != ANY_WAITS -> waits[host] = !waits[host] }
#endif
    :: atomic {
        if
        :: IS_MISSED(0) -> pe = 0
        :: IS_MISSED(1) -> pe = 1
        :: IS_MISSED(2) -> pe = 2
        :: IS_MISSED(3) -> pe = 3
        fi;
        append(DEATH + pe);
        is_death_logged[pe] = true;
        pe = 0
    }
    od
}

inline cast(knows, flags)
{
    atomic { !is_dead[me] -> append(4 * me + 2 * knows + flags) }
}

inline give(flags)
{
    atomic { !is_dead[me] -> has_returned[me] = true; result[me] = flags }
}

#define HAS_LOST_ONE (is_told[AT(0)] || is_told[AT(1)] || is_told[AT(2)] || is_told[AT(3)])
#define IS_DISTURBED (applied[host] != old || HAS_LOST_ONE)

/* A dead one stays where it is. */
proctype member(byte me)
{
    bool mine, knows;
    byte old, host = HOST(me);
    mine = (me != 3);
#ifndef LATE_NEWS
    old = applied[host];
#endif
    if
    :: HAS_WAITING || HAS_LOST_ONE -> goto ask
    :: else
    fi;
#ifdef LATE_NEWS
    old = applied[host];
#endif
    if
    :: me % 2 == 0 -> goto represent
    :: else
    fi;

end1:
    atomic { !is_dead[me] -> said[me] = mine; opinion[me] = SPOKE };
end2:
    do
    :: !is_dead[me] && is_settled[host] -> goto take
    :: !is_dead[me] && IS_DISTURBED -> break
    od;
#ifdef LATE_MARK
    knows = is_known[host];
end3:
    atomic { !is_dead[me] -> opinion[me] = LEFT };
    if :: knows -> mine = known[host] :: else fi;
    goto ask;
#endif
#ifndef NO_MARK
end4:
    atomic { !is_dead[me] -> opinion[me] = LEFT };
#endif
    goto leave;

represent:
end5:
    do
    :: !is_dead[me] && opinion[me + 1] == SPOKE -> break
    :: !is_dead[me] && (opinion[me + 1] == LEFT || IS_DISTURBED) -> goto leave
    od;
end6:
    atomic { !is_dead[me] -> mine = mine && said[me + 1]; sent[host] = mine; is_sent[host] = true };
end7:
    do
    :: !is_dead[me] && is_sent[1 - host] -> break
    :: !is_dead[me] && IS_DISTURBED -> goto leave
    od;
end8:
    atomic { !is_dead[me] -> known[host] = mine && sent[1 - host]; is_known[host] = true };
end9:
    if
    :: !is_dead[me] && opinion[me + 1] == LEFT -> goto leave
    :: !is_dead[me] && opinion[me + 1] != LEFT
    fi;
#ifndef NO_SECOND_EXCHANGE
end10:
    atomic { !is_dead[me] -> is_sent[2 + host] = true };
end11:
    do
    :: !is_dead[me] && is_sent[3 - host] -> break
    :: !is_dead[me] && IS_DISTURBED -> goto leave
    od;
#endif
end12:
    atomic { !is_dead[me] -> is_settled[host] = true };
take: skip;
end13:
    give(known[host]);
    goto gone;

leave:
    atomic {
        knows = is_known[host];
        if
        :: knows -> mine = known[host]
        :: else
        fi
    };

ask:
end14:
    cast(knows, mine);
end15:
    do
    :: !is_dead[me] && is_decided[host] && has_voted[AT(me)] ->
        give(decision[host]);
        break
    od;
gone:
    skip
}

proctype death()
{
    byte pe;
    do
    :: deaths == DEATHS -> break
    :: break
    :: deaths < DEATHS ->
        atomic { /* of one PE, of its host; or a vote of another team */
            select(pe : 0 .. PES - 1);
            if
            :: is_dead[pe] = true
            :: pe % 2 == 0 -> is_dead[pe] = true; is_dead[pe + 1] = true; is_host_dead[HOST(pe)] = true
            :: pe == 0 -> append(OTHER)
            fi;
            deaths++;
            pe = 0
        }
    od
}

init
{
    atomic {
        run member(0); run member(1); run member(2); run member(3); run agent(0); run agent(1); run death()
    };
    timeout;
    byte one, other;
    do
    :: one == PES -> break
    :: else ->
        assert(is_dead[one] || has_returned[one]); /* returns */
        other = 0;
        do
        :: other == PES -> break
        :: else ->
            assert(!has_returned[one] || !has_returned[other] || result[one] == result[other]); /* same */
            other++
        od;
        one++
    od
}

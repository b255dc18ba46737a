/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The replicated log of three nodes (boot/replicated_log/journal.c), message by message. Node 1 submits one entry and node 2
 * two; with ONE_SUBMISSION node 2 alone submits one. There are FAULTS faults: a node is killed, with the messages that
 * are not on their way; a path of one direction is cut; a node that lives hears nobody, or is heard by nobody. To show,
 * once nothing moves any more:
 *   same      the nodes that go on have the same log
 *   once      it has what each of them has submitted, once and in order
 *   majority  they are all of one part of the network
 *   goes on   after one fault two nodes go on at least, and without a cut all that were not killed
 * Must fail: a node that does not submit again to the next sequencer (NO_RESUBMIT) or whose entry is taken twice
 * (NO_NUMBERS), a sequencer that takes over without the entries that it lacks (NO_REPORTED_ENTRIES), entries dropped
 * before all have them (EARLY_STABLE) or without a node that is gone and not written off (STABLE_WITHOUT_GONE), each part going on (NO_MAJORITY), or a silent node expelled without a question
 * (NO_QUESTION).
 * Numbers, lengths and names are those of journal.c.
 */
#ifndef FAULTS
#define FAULTS 1
#endif
#define N 3
#define MOST 5 /* entries */
#ifdef ONE_SUBMISSION
#define SUBMISSIONS(node) ((node) / 2)
#else
#define SUBMISSIONS(node) (node)
#endif

#define SUBMIT 1
#define ENTRY  2
#define ACK    3
#define REPORT 4
#define OUT    5
#define ASK    6
#define ANSWER 7

/* Entries: a submission is 4 x node + number. */
#define LOST   64 /* + node: NODE_LOST */
#define SILENT 96 /* + node: NODE_SILENT */

/* The network: word, value, position, stable. */
chan link[N * N] = [6] of {byte, byte, byte, byte};
bool is_closing[N * N], has_closed[N * N], is_cut[N * N], is_given_up[N * N];
bool is_killed[N], has_ended[N], has_cut;
byte faults;

/* struct sheaf_journal, of each node. */
bool is_active[N];
byte sequencer[N], length[N], stable[N], submitted[N], last_out[N], asked[N];
byte list[N * MOST];
/* struct node: of each node what each other is to it. */
bool is_out[N * N], is_gone[N * N], is_silent[N * N], has_reported[N * N];
byte out_at[N * N], answered[N * N], known[N * N], number[N * N];
byte held[N * N]; /* the last number held of a node's */
#ifdef NO_NUMBERS
byte taken[N * N]; /* of those, the last that has become an entry */
#endif

#define OF(one, other) ((one) * N + (other))
#define GOES_ON(node) (!is_killed[node] && !has_ended[node])
#define IS_THERE(me, other) (!is_out[OF(me, other)] && !is_gone[OF(me, other)])

/* Of the step under way; 0 between steps. */
byte from, event, word, value, position, stable_there;
/* Set and used within one step: no part of a state. */
hidden byte to, at, other, least, lowest, here, all, entry;
hidden byte considers, writes_off, has_lowest, counts, is_here, was_known, ok;
#define MESSAGE 1
#define CLOSED  2
#define QUIET   3

inline send(receiving, kind, which, place, known_stable)
{
    if
    :: receiving != me && IS_THERE(me, receiving) && !is_closing[OF(me, receiving)] && !is_cut[OF(me, receiving)] &&
       !has_closed[OF(me, receiving)] ->
        assert(nfull(link[OF(me, receiving)]));
        link[OF(me, receiving)]!kind,which,place,known_stable
    :: else
    fi
}

inline end_self()
{
    has_ended[me] = true;
    other = 0;
    do
    :: other == N -> break
    :: else ->
        is_closing[OF(me, other)] = true;
        has_closed[OF(other, me)] = true;
        other++
    od
}

/* take_entry() and expel_node() */
inline take(taking)
{
    entry = taking;
    assert(length[me] < MOST);
    list[me * MOST + length[me]] = entry;
    length[me]++;
    if
    :: entry < LOST -> number[OF(me, entry / 4)] = entry % 4
    :: entry >= LOST && entry % 32 == me -> end_self()
    :: else ->
        other = entry % 32;
        send(other, OUT, 0, length[me], stable[me]);
        is_out[OF(me, other)] = true;
        out_at[OF(me, other)] = length[me];
        last_out[me] = length[me];
        is_silent[OF(me, other)] = (entry >= SILENT);
        is_closing[OF(me, other)] = true;
        has_closed[OF(other, me)] = true
    fi
}

inline append(what)
{
    entry = what;
    to = 0;
    do
    :: to == N -> break
    :: else -> send(to, ENTRY, entry, length[me] + 1, stable[me]); to++
    od;
    take(entry)
}

inline count_stable()
{
    least = length[me];
    other = 0;
    do
    :: other == N -> break
    :: else ->
#ifdef STABLE_WITHOUT_GONE
#define COUNTS(other) IS_THERE(me, other)
#else
#define COUNTS(other) (!is_out[OF(me, other)])
#endif
#ifndef EARLY_STABLE
        if
        :: other != me && COUNTS(other) && known[OF(me, other)] < least -> least = known[OF(me, other)]
        :: else
        fi;
#endif
        other++
    od;
    if
    :: least > stable[me] -> stable[me] = least
    :: else
    fi
}

inline hear_stable(how_many)
{
    if
    :: how_many > stable[me] && how_many <= length[me] -> stable[me] = how_many
    :: else
    fi
}

/* ok: has_majority() */
inline count_majority(answering)
{
    here = 0;
    all = 0;
    has_lowest = false;
    other = 0;
    do
    :: other == N -> break
    :: else ->
        counts = IS_THERE(me, other) ||
                 (is_silent[OF(me, other)] && !(is_out[OF(me, other)] && out_at[OF(me, other)] <= stable[me]));
        is_here = IS_THERE(me, other) &&
                  (other == me || !answering || answered[OF(me, other)] == asked[me]);
        has_lowest = has_lowest || (counts && all == 0 && is_here);
        here = here + is_here;
        all = all + counts;
        other++
    od;
#ifdef NO_MAJORITY
    ok = true
#else
    ok = (2 * here > all || (2 * here == all && has_lowest))
#endif
}

/* write_off_gone(), until it writes off */
inline may_write_off()
{
    count_majority(false);
    if
    :: !ok -> end_self(); writes_off = false
    :: else ->
#ifndef NO_QUESTION
        other = 0;
        writes_off = true;
        do
        :: other == N -> break
        :: else ->
            if
            :: !is_out[OF(me, other)] && is_gone[OF(me, other)] && is_silent[OF(me, other)] -> writes_off = false
            :: else
            fi;
            other++
        od;
        if
        :: !writes_off -> count_majority(true); writes_off = ok
        :: else
        fi
#else
        writes_off = true
#endif
    fi
}

inline send_from(receiver, behind)
{
    at = stable[me];
    if
    :: behind > at -> at = behind
    :: else
    fi;
    do
    :: at >= length[me] -> break
    :: else -> send(receiver, ENTRY, list[me * MOST + at], at + 1, 0); at++
    od
}

inline report_to(next)
{
    sequencer[me] = next;
#ifndef NO_REPORTED_ENTRIES
    send_from(next, 0);
#endif
    send(next, REPORT, 0, length[me], stable[me]);
#ifndef NO_RESUBMIT
    at = number[OF(me, me)];
    do
    :: at == submitted[me] -> break
    :: else -> at++; send(next, SUBMIT, at, 0, 0)
    od
#endif
}

inline take_over()
{
    sequencer[me] = me;
    ok = true;
    other = 0;
    do
    :: other == N -> break
    :: else -> ok = ok && (other == me || !IS_THERE(me, other) || has_reported[OF(me, other)]); other++
    od;
    if
    :: ok ->
        count_majority(false);
        if
        :: ok ->
            is_active[me] = true;
            to = 0;
            do
            :: to == N -> break
            :: else -> answered[OF(me, to)] = asked[me]; send_from(to, known[OF(me, to)]); to++
            od;
            may_write_off()
        :: else -> end_self()
        fi
    :: else
    fi
}

inline consider()
{
    lowest = 0;
    do
    :: IS_THERE(me, lowest) -> break
    :: else -> lowest++
    od;
    if
    :: is_active[me] -> may_write_off()
    :: !is_active[me] && lowest == me -> take_over()
    :: !is_active[me] && lowest != me && lowest != sequencer[me] -> report_to(lowest)
    :: else
    fi
}

/* What an active node has to number: nodes that are gone, what it has submitted itself, what it has held. */
inline number_all()
{
    counts = writes_off;
    do
    :: has_ended[me] || !is_active[me] -> break
    :: else ->
        value = 0;
        other = 0;
        do
        :: other == N || value != 0 -> break
        :: else ->
            if
            :: writes_off && !is_out[OF(me, other)] && is_gone[OF(me, other)] ->
                value = LOST + 32 * is_silent[OF(me, other)] + other
            :: else
            fi;
            other++
        od;
        if
        :: value == 0 && counts -> count_stable(); counts = false
        :: else
        fi;
        if
        :: value == 0 && number[OF(me, me)] < submitted[me] -> value = 4 * me + number[OF(me, me)] + 1
        :: else
        fi;
        other = 0;
        do
        :: other == N || value != 0 -> break
        :: else ->
            if
#ifdef NO_NUMBERS
            :: !is_out[OF(me, other)] && taken[OF(me, other)] < held[OF(me, other)] ->
                taken[OF(me, other)]++;
                value = 4 * other + taken[OF(me, other)]
#else
            :: !is_out[OF(me, other)] && number[OF(me, other)] < held[OF(me, other)] ->
                value = 4 * other + number[OF(me, other)] + 1
#endif
            :: else
            fi;
            other++
        od;
        if
        :: value == 0 -> break
        :: else -> append(value)
        fi
    od
}

inline hear_submission()
{
#ifdef NO_NUMBERS
    if
    :: held[OF(me, from)] == 0 -> taken[OF(me, from)] = value - 1
    :: else
    fi;
    held[OF(me, from)] = value
#else
    /* Nothing is missing before it. */
    assert(value <= number[OF(me, from)] + 1 || value <= held[OF(me, from)] + 1);
    if
    :: value > held[OF(me, from)] -> held[OF(me, from)] = value
    :: else
    fi
#endif
}

inline hear_entry()
{
    if
    :: position == length[me] + 1 &&
       (from == sequencer[me] || (from > me && !is_active[me])) ->
        take(value);
        if
        :: from == sequencer[me] && !has_ended[me] ->
            hear_stable(stable_there);
            send(from, ACK, 0, length[me], stable[me])
        :: else
        fi
    :: else
    fi
}

inline hear_length()
{
    if
    :: position > known[OF(me, from)] && position <= length[me] -> known[OF(me, from)] = position
    :: else
    fi;
    if
    :: word == REPORT -> has_reported[OF(me, from)] = true; considers = true
    :: else
    fi;
    if
    :: is_active[me] ->
        was_known = (last_out[me] <= stable[me]);
        count_stable();
        to = 0;
        do
        :: to == N || was_known || last_out[me] > stable[me] -> break
        :: else -> send(to, ACK, 0, length[me], stable[me]); to++
        od
    :: else
    fi
}

inline hear()
{
    if
    :: word == SUBMIT -> hear_submission()
    :: word == ENTRY -> hear_entry()
    :: word == ACK ->
        if
        :: from == sequencer[me] -> hear_stable(stable_there)
        :: else
        fi;
        hear_length()
    :: word == REPORT -> hear_length()
    :: word == OUT -> end_self()
    :: word == ASK -> send(from, ANSWER, value, 0, 0)
    :: word == ANSWER -> answered[OF(me, from)] = value; considers = true
    fi
}

inline lose()
{
    is_gone[OF(me, from)] = true;
    is_silent[OF(me, from)] = (event == QUIET);
    considers = true;
    if
    :: is_active[me] && event == QUIET ->
        count_majority(true);
        if
        :: ok ->
            asked[me]++;
            to = 0;
            do
            :: to == N -> break
            :: else -> send(to, ASK, asked[me], 0, 0); to++
            od
        :: else
        fi
    :: else
    fi
}

inline react()
{
    considers = false;
    writes_off = false;
    if
    :: event != MESSAGE ->
        has_closed[OF(from, me)] = true;
        is_closing[OF(me, from)] = true;
        do
        :: len(link[OF(from, me)]) > 0 -> link[OF(from, me)]?word,value,position,stable_there
        :: else -> break
        od
    :: else
    fi;
    if
    :: event == MESSAGE && IS_THERE(me, from) -> hear()
    :: event != MESSAGE && IS_THERE(me, from) -> lose()
    :: else
    fi;
    if
    :: considers && !has_ended[me] -> consider()
    :: else
    fi;
    number_all()
}

#define MAY_HEAR(other) (me != other && !has_closed[OF(other, me)] && \
                         (is_cut[OF(other, me)] || is_cut[OF(me, other)] || is_closing[OF(other, me)] || \
                          nempty(link[OF(other, me)])))

/* A cut path shows to its receiver, and to its sender, whom nobody acknowledges. What a killed node had sent comes as
 * far as it was on its way. */
proctype node(byte me)
{
end:
    do
    :: atomic {
        if
        :: GOES_ON(me) && MAY_HEAR(0) -> from = 0
        :: GOES_ON(me) && MAY_HEAR(1) -> from = 1
        :: GOES_ON(me) && MAY_HEAR(2) -> from = 2
        fi;
        if
        :: is_cut[OF(from, me)] || is_cut[OF(me, from)] -> event = QUIET; is_given_up[OF(me, from)] = true
        :: !is_cut[OF(from, me)] && nempty(link[OF(from, me)]) ->
            link[OF(from, me)]?word,value,position,stable_there;
            event = MESSAGE
        :: !is_cut[OF(from, me)] && is_closing[OF(from, me)] && (empty(link[OF(from, me)]) || is_killed[from]) ->
            event = (is_given_up[OF(from, me)] -> QUIET : CLOSED)
        fi;
        d_step { react(); from = 0; event = 0; word = 0; value = 0; position = 0; stable_there = 0 }
    }
    :: atomic {
        GOES_ON(me) && submitted[me] < SUBMISSIONS(me) ->
        d_step {
            submitted[me]++;
            if
            :: is_active[me] -> writes_off = false; number_all()
            :: else -> send(sequencer[me], SUBMIT, submitted[me], 0, 0)
            fi;
            value = 0
        }
    }
    od
}

inline cut(talker, listener)
{
    is_cut[OF(talker, listener)] = true;
    has_cut = true
}

proctype fault()
{
    byte one, another;
    do
    :: faults == FAULTS -> break
    :: break
    :: atomic {
        faults < FAULTS -> faults++;
        select(one : 0 .. N - 1);
        select(another : 0 .. N - 2);
        another = (one + 1 + another) % N;
        if
        :: GOES_ON(one) ->
            d_step {
                is_killed[one] = true;
                other = 0;
                do
                :: other == N -> break
                :: else ->
                    is_closing[OF(one, other)] = true;
                    has_closed[OF(other, one)] = true;
                    other++
                od;
                other = 0
            }
        :: cut(one, another)
        :: cut(one, 3 - one - another); cut(one, another)
        :: cut(3 - one - another, one); cut(another, one)
        fi;
        one = 0;
        another = 0
    }
    od
}

inline check_submissions(by)
{
    value = 0;
    at = 0;
    do
    :: at == length[one] -> break
    :: else ->
        if
        :: list[one * MOST + at] < LOST && list[one * MOST + at] / 4 == by ->
            assert(list[one * MOST + at] % 4 == value + 1); /* once */
            value++
        :: else
        fi;
        at++
    od;
    assert(!GOES_ON(by) || value == submitted[by]) /* once */
}

init
{
    byte one, another;
    atomic {
        run node(0); run node(1); run node(2); run fault();
        is_active[0] = true
    };
    timeout;
    d_step {
        here = 0;
        one = 0;
        do
        :: one == N -> break
        :: !GOES_ON(one) -> one++
        :: else ->
            here++;
            assert(submitted[one] == SUBMISSIONS(one));
            another = 0;
            do
            :: another == N -> break
            :: else ->
                if
                :: GOES_ON(another) ->
                    assert(length[one] == length[another]); /* same */
                    assert(!is_out[OF(one, another)]);      /* majority */
                    at = 0;
                    do
                    :: at == length[one] -> break
                    :: else -> assert(list[one * MOST + at] == list[another * MOST + at]); at++ /* same */
                    od
                :: else
                fi;
                check_submissions(another);
                another++
            od;
            one++
        od;
        value = 0;
        assert(faults > 1 || here >= N - 1); /* goes on */
        one = 0;
        do
        :: one == N -> break
        :: else -> assert(has_cut || is_killed[one] || !has_ended[one]); one++ /* goes on */
        od;
        one = 0
    }
}

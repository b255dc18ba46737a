/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/team/sync.h and coll/: each member has PLACES places for notes, used in turn. All members make the
 * same calls, of five kinds; a reader takes a while to read. To show: no note is overwritten
 * while somebody may still read it, and nobody waits for ever. With NO_RULE the root of a broadcast never looks
 * whether its note has been read, and with LATE_RULE it lets the others be one exchange further behind; the
 * proof must fail.
 */
#define MEMBERS 3
#ifndef PLACES
#define PLACES  3
#define CALLS   4
#endif
#ifdef LATE_RULE
#define LATE 1
#else
#define LATE 0
#endif

#define ALL_READ_ALL   0 /* everybody waits for everybody's note */
#define BROADCAST      1 /* only the root's note is read, by the others; the root waits for nobody: rank 0's */
#define BROADCAST_BY_1 2 /* the same, rank 1's */
#define ROOT_READS_ALL 3 /* rank 0 reads all notes, then everybody waits for its result */
#define BARRIER        4

#define PLACE(member, exchange) (PLACES * (member) + (exchange) % PLACES)

byte kinds[CALLS];
byte notes[PLACES * MEMBERS]; /* the exchange that each holds; the payload goes with it */
byte arrived[MEMBERS];   /* barriers entered */
byte results;            /* of rank 0, one per ROOT_READS_ALL */
bool chosen;

active proctype program()
{
    byte call = 0;
    do
    :: call == CALLS -> break
    :: else ->
        if
        :: kinds[call] = ALL_READ_ALL
        :: kinds[call] = BROADCAST
        :: kinds[call] = BROADCAST_BY_1
        :: kinds[call] = ROOT_READS_ALL
        :: kinds[call] = BARRIER
        fi;
        call++
    od;
    chosen = true
}

/* Waits for the note, and reads it in two steps. */
inline read_note(member)
{
    notes[PLACE(member, exchange)] == exchange;
    assert(notes[PLACE(member, exchange)] == exchange)
}

inline read_all()
{
    other = 0;
    do
    :: other == MEMBERS -> break
    :: else -> read_note(other); other++
    od
}

inline meet()
{
    epoch++;
    arrived[me] = epoch;
    (arrived[0] >= epoch && arrived[1] >= epoch && arrived[2] >= epoch);
    known_read = exchange
}

/* Before the root posts its note of the next exchange. */
inline await_place()
{
#ifndef NO_RULE
    if
    :: exchange - known_read < PLACES - 1 + LATE
    :: else ->
        other = 0;
        do
        :: other == MEMBERS -> break
        :: other == me -> other++
        :: else ->
            notes[PLACE(other, exchange + 1 - PLACES / 2 - LATE)] >= exchange + 1 - PLACES / 2 - LATE;
            other++
        od;
        known_read = exchange - PLACES / 2 - LATE
    fi
#endif
    skip
}

active [MEMBERS] proctype member()
{
    byte me = _pid - 1, call, exchange, known_read, epoch, other, reductions;
    chosen;
    do
    :: call == CALLS -> break
    :: else ->
        if
        :: kinds[call] == BARRIER -> meet()
        :: else ->
            if
            :: kinds[call] == BROADCAST && me == 0 || kinds[call] == BROADCAST_BY_1 && me == 1 -> await_place()
            :: else
            fi;
            exchange++;
            notes[PLACE(me, exchange)] = exchange;
            if
            :: kinds[call] == ALL_READ_ALL -> read_all()
            :: kinds[call] == BROADCAST && me != 0 -> read_note(0)
            :: kinds[call] == BROADCAST_BY_1 && me != 1 -> read_note(1)
            :: kinds[call] == ROOT_READS_ALL ->
                reductions++;
                if
                :: me == 0 -> read_all(); results = reductions
                :: else -> results >= reductions
                fi;
                known_read = exchange
            :: else
            fi
        fi;
        call++
    od
}

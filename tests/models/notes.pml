/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/team/sync.h and coll/: each member has two places for notes, used by turns. All members make the
 * same calls, of four kinds; a reader takes a while to read. To show: no note is overwritten
 * while somebody may still read it, and nobody waits for ever. With NO_RULE a broadcast never ends
 * with a barrier, and the proof must fail.
 */
#define MEMBERS 3
#define CALLS   4

#define ALL_READ_ALL   0 /* everybody waits for everybody's note */
#define BROADCAST      1 /* only rank 0's note is read; a barrier ends it unless all is read */
#define ROOT_READS_ALL 2 /* rank 0 reads all notes, then everybody waits for its result */
#define BARRIER        3

#define PLACE(member, exchange) (2 * (member) + (exchange) % 2)

byte kinds[CALLS];
byte notes[2 * MEMBERS]; /* the exchange that each holds; the payload goes with it */
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

active [MEMBERS] proctype member()
{
    byte me = _pid - 1, call, exchange, known_read, epoch, other, reductions;
    bool is_read;
    chosen;
    do
    :: call == CALLS -> break
    :: else ->
        is_read = known_read == exchange;
        if
        :: kinds[call] == BARRIER -> meet()
        :: else ->
            exchange++;
            notes[PLACE(me, exchange)] = exchange;
            if
            :: kinds[call] == ALL_READ_ALL -> read_all()
            :: kinds[call] == BROADCAST ->
                if
                :: me != 0 -> read_note(0)
                :: else
                fi;
#ifndef NO_RULE
                if
                :: !is_read -> meet()
                :: else
                fi
#endif
            :: kinds[call] == ROOT_READS_ALL ->
                reductions++;
                if
                :: me == 0 -> read_all(); results = reductions
                :: else -> results >= reductions
                fi;
                known_read = exchange
            fi
        fi;
        call++
    od
}

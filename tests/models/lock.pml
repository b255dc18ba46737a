/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/lock.c's queue on a weakly ordered processor: each process takes the lock twice, and adds one to a
 * counter that only the lock protects. To show: one holder at a time, no addition is lost, and
 * nobody waits for ever. The proof must fail when the queue is entered without order (RELAXED_ENTER), when a
 * waiter reads its grant without acquire (NO_ACQUIRE), and when a holder leaves without quiet and with plain
 * stores (NO_RELEASE).
 */
#define PROCESSES 2
#define LOCATIONS 6
#define TURNS     2
#include "weak.h"
#define TAIL        0
#define COUNTER     1
#define NEXT(process)    (2 + (process))
#define GRANTED(process) (4 + (process))

#ifdef RELAXED_ENTER
#define ENTER UPDATE_RELAXED
#else
#define ENTER UPDATE
#endif
#ifdef NO_ACQUIRE
#define ACQUIRE skip
#else
#define ACQUIRE FENCE_LOADS
#endif
#ifdef NO_RELEASE
#define GRANT STORE
#define LEAVE UPDATE_RELAXED
#else
#define GRANT STORE_RELEASE
#define LEAVE UPDATE
#endif

byte holders;

inline set_lock()
{
    STORE(NEXT(me), 0);
    STORE(GRANTED(me), 0);
    ENTER(TAIL, before, me + 1);
    if
    :: before != 0 -> STORE_RELEASE(NEXT(before - 1), me + 1); AWAIT(GRANTED(me), != 0); ACQUIRE
    :: else
    fi
}

inline clear_lock()
{
#ifndef NO_RELEASE
    FENCE_FULL;
#endif
    LOAD_ACQUIRE(NEXT(me), seen);
    before = 0;
    if
    :: seen == 0 -> LEAVE(TAIL, before, (before == me + 1 -> 0 : before))
    :: else
    fi;
    if
    :: before != me + 1 -> AWAIT(NEXT(me), != 0); LOAD_ACQUIRE(NEXT(me), seen); GRANT(GRANTED(seen - 1), 1)
    :: else
    fi
}

active [PROCESSES] proctype pe()
{
    ME;
    byte turn, before, seen, count;
    do
    :: turn == TURNS -> break
    :: else ->
        set_lock();
        holders++;
        assert(holders == 1);
        LOAD(COUNTER, count);
        STORE(COUNTER, count + 1);
        holders--;
        clear_lock();
        turn++
    od
}

/* All turns are over: nothing is on its way any more. */
active proctype sum()
{
    timeout -> assert(memory[COUNTER] == PROCESSES * TURNS)
}

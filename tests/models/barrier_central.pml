/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/team/barrier.c's counter on a weakly ordered processor: everybody counts in, the last one starts the count
 * again and then the next epoch. To show: what was put before a barrier is there after it, and nobody
 * is left behind. With a relaxed addition (RELAXED_COUNT), a plain store of the epoch (NO_RELEASE) or a plain
 * read of it (NO_ACQUIRE) the proof must fail.
 */
#define PROCESSES 3
#define LOCATIONS 4
#include "weak.h"
#define ARRIVED  0
#define EPOCH    1
#define DATA     2
#define OTHER    3
#define BARRIERS 2

#ifdef RELAXED_COUNT
#define COUNT UPDATE_RELAXED
#else
#define COUNT UPDATE
#endif
#ifdef NO_RELEASE
#define BEGIN STORE
#else
#define BEGIN STORE_RELEASE
#endif
#ifdef NO_ACQUIRE
#define ACQUIRE skip
#else
#define ACQUIRE FENCE_LOADS
#endif

active [PROCESSES] proctype member()
{
    ME;
    byte epoch = 1, before, data;
    do
    :: epoch > BARRIERS -> break
    :: else ->
        if
        :: me == 0 && epoch == 1 -> STORE(DATA, 1)
        :: me == 1 && epoch == 2 -> STORE(OTHER, 1)
        :: else
        fi;
        COUNT(ARRIVED, before, before + 1);
        if
        :: before == PROCESSES - 1 -> STORE(ARRIVED, 0); BEGIN(EPOCH, epoch)
        :: else -> AWAIT(EPOCH, != epoch - 1); ACQUIRE
        fi;
        LOAD(DATA, data);
        assert(data == 1);
        epoch++
    od;
    LOAD(OTHER, data);
    assert(data == 1)
}

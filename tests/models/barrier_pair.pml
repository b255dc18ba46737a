/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/team/barrier.c's flags on a weakly ordered processor, two members: each writes data for the other, raises
 * its own flag and watches the other's, and reads; then again with the next value. To show: what was put
 * before a barrier is there after it, and nothing of after the next one. Without release (NO_RELEASE) or
 * acquire (NO_ACQUIRE) the proof must fail.
 */
#define PROCESSES 2
#define LOCATIONS 4
#include "weak.h"
#define DATA(member) (member)
#define FLAG(member) (2 + (member))
#define BARRIERS     3

active [PROCESSES] proctype member()
{
    ME;
    byte epoch = 1, data;
    do
    :: epoch > BARRIERS -> break
    :: else ->
        STORE(DATA(me), epoch);
#ifdef NO_RELEASE
        STORE(FLAG(me), 2 * epoch - 1);
#else
        STORE_RELEASE(FLAG(me), 2 * epoch - 1);
#endif
        AWAIT(FLAG(1 - me), >= 2 * epoch - 1);
#ifndef NO_ACQUIRE
        FENCE_LOADS;
#endif
        LOAD(DATA(1 - me), data);
        assert(data == epoch);
        STORE_RELEASE(FLAG(me), 2 * epoch); /* the second barrier: the data may be overwritten */
        AWAIT(FLAG(1 - me), >= 2 * epoch);
        FENCE_LOADS;
        epoch++
    od
}

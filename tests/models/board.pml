/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/pe/wait.c writes the status board, oshrun reads it, on a weakly ordered processor: the writer makes
 * the sequence odd, passes a fence, writes two fields and makes it even with release order. To show: what a
 * reader takes is of one time. Without the writer's fence (NO_FENCE), its release (NO_RELEASE), the reader's
 * fence (NO_READ_FENCE) or its acquire (NO_ACQUIRE) the proof must fail.
 */
#define PROCESSES 2
#define LOCATIONS 3
#include "weak.h"
#define SEQUENCE 0
#define FIRST    1
#define SECOND   2
#define WRITES   2

active proctype writer()
{
    ME;
    byte write = 1;
    do
    :: write > WRITES -> break
    :: else ->
        STORE(SEQUENCE, 2 * write - 1);
#ifndef NO_FENCE
        FENCE_FULL;
#endif
        STORE(FIRST, write);
        STORE(SECOND, write);
#ifdef NO_RELEASE
        STORE(SEQUENCE, 2 * write);
#else
        STORE_RELEASE(SEQUENCE, 2 * write);
#endif
        write++
    od
}

active proctype reader()
{
    ME;
    byte before, now, first, second;
#ifdef NO_ACQUIRE
    LOAD(SEQUENCE, before);
#else
    LOAD_ACQUIRE(SEQUENCE, before);
#endif
    LOAD(FIRST, first);
    LOAD(SECOND, second);
#ifndef NO_READ_FENCE
    FENCE_LOADS;
#endif
    LOAD(SEQUENCE, now);
    assert(before % 2 == 1 || before != now || first == second)
}

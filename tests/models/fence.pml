/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/access/order.h's fence and core/pe/wait.h's end of a wait, on a weakly ordered processor: two puts, a fence,
 * a put of the flag; a wait for the flag, then two loads. To show: the data are there. Without the fence
 * (NO_FENCE), and without the waiter's (NO_WAIT_FENCE), the proof must fail.
 */
#define PROCESSES 2
#define LOCATIONS 3
#include "weak.h"
#define FIRST  0
#define SECOND 1
#define FLAG   2

active proctype sender()
{
    ME;
    STORE(FIRST, 1);
    STORE(SECOND, 1);
#ifndef NO_FENCE
    FENCE_STORES;
#endif
    STORE(FLAG, 1)
}

active proctype waiter()
{
    ME;
    byte first, second;
    AWAIT(FLAG, == 1);
#ifndef NO_WAIT_FENCE
    FENCE_LOADS;
#endif
    LOAD(FIRST, first);
    LOAD(SECOND, second);
    assert(first == 1 && second == 1)
}

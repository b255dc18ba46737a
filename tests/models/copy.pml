/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/atomic.h's sheaf_fence_copy(): a get reads, the PE then answers, and the owner of what was read
 * overwrites it. A processor may carry out the load late, after the answer has left. To show: the get
 * has the value from before. Without the fence the proof must fail.
 */
#define PROCESSES 2
#define LOCATIONS 2
#include "weak.h"
#define DATA   0
#define ANSWER 1

bool is_late; /* the getter's load is still to come */
byte got;

active proctype getter()
{
    ME;
    is_late = true;
#ifndef NO_FENCE
    !is_late;
#endif
    STORE(ANSWER, 1);
    !is_late;
    assert(got == 0)
}

active proctype late_load()
{
    d_step { is_late -> got = memory[DATA]; is_late = false }
}

active proctype owner()
{
    byte me = 1, at_;
    AWAIT(ANSWER, == 1);
    FENCE_LOADS;
    STORE(DATA, 2)
}

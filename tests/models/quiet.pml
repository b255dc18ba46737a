/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/access/order.h's quiet on a weakly ordered processor: each of two PEs puts, passes a quiet, and reads what
 * the other puts. To show: not both miss it. With the fence of stores alone, which is enough for
 * shmem_fence, the proof must fail (FENCE_ALONE).
 */
#define PROCESSES 2
#define LOCATIONS 2
#include "weak.h"

byte saw[PROCESSES], done;

active [PROCESSES] proctype pe()
{
    ME;
    byte value;
    STORE(me, 1);
#ifdef FENCE_ALONE
    FENCE_STORES;
#else
    FENCE_FULL;
#endif
    LOAD(1 - me, value);
    d_step { saw[me] = value; done++ };
    assert(done < PROCESSES || saw[0] || saw[1])
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * api/access/amo.c on a processor that makes an atomic operation of two instructions, a load that takes a
 * reservation and a store that needs it: AArch64 without LSE. With acquire order on the one and release on
 * the other, a load behind both may be carried out between them. Each of two PEs swaps a word of the other's
 * and then reads its own. To show: not both miss the other's swap, since a fetching operation is complete on
 * return. Without sheaf_fence_atomic() the proof must fail.
 */
#define PES 2
byte word[PES];
bool reserved[PES]; /* by the one PE that swaps it */
byte saw[PES], done;

active [PES] proctype pe()
{
    byte me = _pid, value;
    bool is_read;
again:
    reserved[1 - me] = true; /* and takes the value, which nobody looks at */
#ifdef NO_FENCE
    if
    :: value = word[me] -> is_read = true
    :: true
    fi;
#endif
    if
    :: d_step { reserved[1 - me] -> word[1 - me] = 1 }
    :: else -> is_read = false; goto again
    fi;
    if
    :: !is_read -> value = word[me]
    :: else
    fi;
    d_step { saw[me] = value; done++ };
    assert(done < PES || saw[0] || saw[1])
}

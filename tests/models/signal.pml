/* SPDX-License-Identifier: BSD-3-Clause
 *
 * api/access/signal.c on a weakly ordered processor: the data of a put, then the signal, set by a release store;
 * a second PE adds to another signal of the same reader. To show: who sees a signal sees its data. With a
 * plain store (NO_RELEASE), a relaxed addition (RELAXED_ADD) or a plain read (NO_ACQUIRE) the proof must fail.
 */
#define PROCESSES 3
#define LOCATIONS 4
#include "weak.h"
#define DATA    0
#define SIGNAL  1
#define OTHER   2
#define COUNTED 3

active proctype setter()
{
    ME;
    STORE(DATA, 1);
#ifdef NO_RELEASE
    STORE(SIGNAL, 1)
#else
    STORE_RELEASE(SIGNAL, 1)
#endif
}

active proctype adder()
{
    ME;
    byte before;
    STORE(OTHER, 1);
#ifdef RELAXED_ADD
    UPDATE_RELAXED(COUNTED, before, before + 1)
#else
    UPDATE(COUNTED, before, before + 1)
#endif
}

#ifdef NO_ACQUIRE
#define READ LOAD
#else
#define READ LOAD_ACQUIRE
#endif

active proctype reader()
{
    ME;
    byte signal, data;
    READ(SIGNAL, signal);
    LOAD(DATA, data);
    assert(signal == 0 || data == 1);
    READ(COUNTED, signal);
    LOAD(OTHER, data);
    assert(signal == 0 || data == 1)
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wake.pml's protocol (core/pe/wait.c) where the sleeper's processor is weakly ordered too. The kernel's wait
 * passes a full fence before it compares the word, its wake before it looks for sleepers. To show:
 * nobody sleeps for ever. With the waker's fence of stores alone (NO_FENCE) the proof must fail.
 */
#define PROCESSES 2
#define LOCATIONS 2
#include "weak.h"
#define WORD     0
#define SLEEPERS 1
#define CHANGES  2

bool asleep;

active proctype waker()
{
    ME;
    byte change = 1, sleepers;
    do
    :: change > CHANGES -> break
    :: else ->
        STORE_RELEASE(WORD, change);
#ifdef NO_FENCE
        FENCE_STORES;
#else
        FENCE_FULL;
#endif
        LOAD(SLEEPERS, sleepers);
        if
        :: sleepers != 0 -> FENCE_FULL; asleep = false
        :: else
        fi;
        change++
    od
}

active proctype sleeper()
{
    ME;
    byte seen, now, before;
    do
    :: seen == CHANGES -> break
    :: else ->
        LOAD_ACQUIRE(WORD, now);
        if
        :: now != seen -> seen = now
        :: else ->
            UPDATE_RELAXED(SLEEPERS, before, before + 1);
            FENCE_FULL;
            if
            :: atomic { memory[WORD] == seen -> asleep = true }; !asleep
            :: memory[WORD] != seen
            fi;
            UPDATE_RELAXED(SLEEPERS, before, before - 1)
        fi
    od
}

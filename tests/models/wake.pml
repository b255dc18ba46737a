/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/pe/wait.c: sleepers count themselves before the kernel compares the word and lets them sleep;
 * the waker stores the word, passes a full fence, and looks at the count. The waker's processor
 * keeps its stores back in a buffer for a while, as real ones do. To show: nobody sleeps for ever.
 * With NO_FENCE the proof must fail, and with LATE_COUNT too.
 */
#define SLEEPERS 2
#define CHANGES  3

byte word, sleepers;
bool is_buffered, asleep[SLEEPERS];
byte buffered;

/* A buffered store becomes visible at any time. */
active proctype buffer()
{
end:
    do
    :: atomic { is_buffered -> word = buffered; is_buffered = false }
    od
}

active proctype waker()
{
    byte change = 1, i;
    do
    :: change > CHANGES -> break
    :: else ->
        atomic { !is_buffered -> buffered = change; is_buffered = true }
#ifndef NO_FENCE
        !is_buffered
#endif
        if
        :: sleepers != 0 ->
            !is_buffered; /* FUTEX_WAKE is a full fence too */
            atomic { i = 0; do :: i == SLEEPERS -> break :: else -> asleep[i] = false; i++ od }
        :: else
        fi
        change++
    od
}

active [SLEEPERS] proctype sleeper()
{
    byte seen, me = _pid - 2;
    do
    :: seen == CHANGES -> break
    :: else ->
        if
        :: word != seen -> seen = word
        :: else -> /* spinning is over */
#ifndef LATE_COUNT
            sleepers++;
#endif
            if /* FUTEX_WAIT compares and sleeps in one step */
            :: atomic { word == seen -> asleep[me] = true };
#ifdef LATE_COUNT
                sleepers++;
#endif
                !asleep[me]
            :: else
#ifdef LATE_COUNT
                -> sleepers++
#endif
            fi;
            sleepers--
        fi
    od
}

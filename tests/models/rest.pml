/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine/message/progress.c: the progress thread says that it is about to sleep, or to nap, and then looks
 * once more; the program leaves work or counts itself as a sleeper, and then looks at what the thread has
 * said. The processors keep the thread's words back in a buffer for a while, as real ones do. To show:
 * work that is left to the thread is done, and a program that sleeps is told, although no sleep here ends
 * by itself; but a nap that nobody relies on does. With NO_FENCE the thread does not wait for its words to be
 * seen before it looks, with NO_SECOND_LOOK it does not look at the sleepers before it naps: the proof must
 * fail with either.
 */
#define ROUNDS 3

mtype = { AWAKE, NAPS, SLEEPS };

mtype state = AWAKE, buffered;
bool is_buffered;
bool wake;            /* the eventfd */
bool deferred;        /* left to the thread: only a nudge tells of it */
bool message;         /* in the socket: it wakes a thread that sleeps, not one that naps */
bool has_polled;
byte events, sleepers;
bool all_sent, is_over;

/* A buffered store becomes visible at any time. */
active proctype buffer()
{
end:
    do
    :: atomic { is_buffered -> state = buffered; is_buffered = false }
    od
}

inline say(what)
{
    atomic { !is_buffered -> buffered = what; is_buffered = true }
#ifndef NO_FENCE
    !is_buffered
#endif
}

/* Exchanges are full fences; the thread's own store may still be in its buffer. */
inline nudge()
{
    atomic { was = state; state = AWAKE };
    if
    :: was != AWAKE -> wake = true
    :: else
    fi
}

active proctype thread()
{
    bool polled, found;
end:
    do
    :: say(SLEEPS);
        found = false;
        polled = has_polled;
        has_polled = false;
        if
        :: polled && !deferred && sleepers == 0 -> /* the program does it by itself */
            say(NAPS);
#ifndef NO_SECOND_LOOK
            if
            :: sleepers != 0 -> skip
            :: else ->
#endif
end_nap:        if
                :: wake -> wake = false
                :: sleepers == 0 -> skip /* time is over, and nobody waits for that */
                fi
#ifndef NO_SECOND_LOOK
            fi
#endif
        :: else ->
            if
            :: deferred -> deferred = false; found = true
            :: else
            fi;
            if
            :: message -> message = false; found = true
            :: else
            fi;
            if
            :: found -> events++ /* and wakes whoever sleeps on it */
            :: else ->
end_sleep:      if
                :: wake -> wake = false
                :: message -> skip
                fi
            fi
        fi
    od
}

/* A peer answers. */
active proctype network()
{
    byte count = 0;
end:
    do
    :: count < ROUNDS -> atomic { !message -> message = true }; count++
    :: count == ROUNDS -> all_sent = true; break
    od
}

active proctype program()
{
    byte round = 0, seen;
    mtype was;
    do
    :: round == ROUNDS -> break
    :: else ->
        round++;
        if
        :: /* leaves work to the thread, and computes until that is done */
            deferred = true;
            nudge();
            !deferred
        :: /* polls, and sleeps until something has happened */
            seen = events;
            has_polled = true;
            if
            :: message -> message = false
            :: else ->
                sleepers++;
                if
                :: state == NAPS -> nudge()
                :: else
                fi;
                if
                :: events != seen
                :: is_over
                fi;
                sleepers--
            fi
        fi
    od
}

/* When the last message has been taken nobody will tell: a sleep ends then by its time. */
active proctype time()
{
end:
    (all_sent && !message) -> is_over = true
}

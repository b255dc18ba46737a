/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A processor that keeps no order it is not told to keep, for models of what is shared between PEs. The
 * model defines PROCESSES, LOCATIONS (16 at most) and names for them, includes this file first, and has
 * one proctype instance per process, with ME as its first line.
 *
 * A store waits in its process's buffer, one per location, and leaves it at any time and in any order,
 * but after those that a fence or its own release order put before it. A load takes what its process last
 * knew of the location, which may be as old as the last fence or acquire: that is a load carried out
 * early. Memory is one: a store is seen by all others at once (AArch64; as C11 has it, and no stronger).
 * Loads are never late; exclusive.pml and copy.pml, where that matters, say so themselves.
 */
#define BIT(location)    (1 << (location))
#define AT(process, location) ((process) * LOCATIONS + (location))

byte memory[LOCATIONS];
byte known[PROCESSES * LOCATIONS];    /* by each process; it may be old */
byte buffered[PROCESSES * LOCATIONS]; /* a store on its way */
short after[PROCESSES * LOCATIONS];   /* stores that leave before this one */
short waiting[PROCESSES];             /* stores in the buffer */
short fenced[PROCESSES];              /* of these: those before the last fence */

/* One location as one process has it: its store leaves, or news of it arrives. */
active [PROCESSES * LOCATIONS] proctype line()
{
    byte process = _pid / LOCATIONS, location = _pid % LOCATIONS, other;
end:
    do
    :: d_step {
           (waiting[process] & BIT(location)) && !(after[_pid] & waiting[process]) ->
           memory[location] = buffered[_pid];
           known[_pid] = buffered[_pid];
           buffered[_pid] = 0;
           after[_pid] = 0;
           waiting[process] = waiting[process] & ~BIT(location);
           fenced[process] = fenced[process] & ~BIT(location);
           other = 0;
           do
           :: other == LOCATIONS -> break
           :: else -> after[AT(process, other)] = after[AT(process, other)] & ~BIT(location); other++
           od;
           other = 0
       }
    :: d_step {
           !(waiting[process] & BIT(location)) && known[_pid] != memory[location] ->
           known[_pid] = memory[location]
       }
    od
}

#define ME byte me = _pid - PROCESSES * LOCATIONS, at_

/* Each begins with a step that does nothing: the end of a loop may not lead into a d_step. */
#define STORE_AFTER(location, value, earlier)                                                      \
    skip; d_step {                                                                                       \
        !(waiting[me] & BIT(location)) ->                                                          \
        buffered[AT(me, location)] = value;                                                        \
        after[AT(me, location)] = earlier;                                                         \
        waiting[me] = waiting[me] | BIT(location)                                                  \
    }
#define STORE(location, value)         STORE_AFTER(location, value, fenced[me])
#define STORE_RELEASE(location, value) STORE_AFTER(location, value, waiting[me])

#define LOAD(location, value)                                                                      \
    skip; d_step {                                                                                       \
        if                                                                                         \
        :: waiting[me] & BIT(location) -> value = buffered[AT(me, location)]                       \
        :: else -> value = known[AT(me, location)]                                                 \
        fi                                                                                         \
    }

/* A loop of loads: until it holds of what such a load takes. One that never ends is an error. */
#define AWAIT(location, relation)                                                                  \
    ((waiting[me] & BIT(location) -> buffered[AT(me, location)] : known[AT(me, location)]) relation)

/* For use inside a d_step. */
#define LEARN_ALL                                                                                  \
    at_ = 0;                                                                                       \
    do                                                                                             \
    :: at_ == LOCATIONS -> break                                                                   \
    :: else ->                                                                                     \
        if                                                                                         \
        :: !(waiting[me] & BIT(at_)) -> known[AT(me, at_)] = memory[at_]                           \
        :: else                                                                                    \
        fi;                                                                                        \
        at_++                                                                                      \
    od;                                                                                            \
    at_ = 0

#define FENCE_LOADS  skip; d_step { LEARN_ALL }
#define FENCE_STORES skip; d_step { fenced[me] = waiting[me] }
#define FENCE_FULL   skip; d_step { waiting[me] == 0 -> LEARN_ALL }

#define LOAD_ACQUIRE(location, value)                                                              \
    LOAD(location, value);                                                                         \
    FENCE_LOADS

/* Read, change and write in one step: relaxed, or with acquire and release order. */
#define UPDATE_RELAXED(location, before, new_value)                                                \
    skip; d_step {                                                                                       \
        !(waiting[me] & BIT(location)) ->                                                          \
        before = memory[location];                                                                 \
        memory[location] = new_value;                                                              \
        known[AT(me, location)] = memory[location]                                                 \
    }
#define UPDATE(location, before, new_value)                                                        \
    skip; d_step {                                                                                       \
        waiting[me] == 0 ->                                                                        \
        before = memory[location];                                                                 \
        memory[location] = new_value;                                                              \
        LEARN_ALL                                                                                  \
    }

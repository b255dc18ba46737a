/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every time and every limit on a wait that is no constant of pacing, once: its name, its value, what it
 * guards, and what set it. oshinfo --pace prints them after the table of base/pace, and SHEAF_PACE changes
 * those that are not fixed. A tool, or a library beside Sheaf's, that includes this compiles times.c too.
 */
#ifndef SHEAF_BASE_TIMES_H
#define SHEAF_BASE_TIMES_H

#include "base/clock.h"

#include <stdint.h>

/* X(name, ns, what it guards: what set it). Those are FIXED that programs use which do not read SHEAF_PACE,
 * and those by which a seed chooses. */
#define SHEAF_TIMES(CHANGES, FIXED)                                                                \
    /* Messages (base/log.c) */                                                                    \
    CHANGES(error_quiet, 100 * SHEAF_MILLISECOND,                                                  \
            "an error is printed once no other PE has come to it for so long: others follow within " \
            "milliseconds, in a crowd within tens")                                                \
    CHANGES(error_most, 500 * SHEAF_MILLISECOND, "and this long after the first at the latest")    \
    CHANGES(error_look, SHEAF_MILLISECOND, "between two looks whether another PE has come to it")  \
    CHANGES(error_news, 2 * SHEAF_SECOND, "the same line is printed again after so long")          \
    /* Places in files, and reports of faults */                                                   \
    CHANGES(addr2line_most, 2 * SHEAF_SECOND,                                                      \
            "for all answers of addr2line to one process, then addresses are printed: not measured") \
    CHANGES(fault_copy_most, 3 * SHEAF_SECOND,                                                     \
            "for the copy of a process that looks at its fault: addr2line_most, and its start")    \
    CHANGES(fault_copy_look, 2 * SHEAF_MILLISECOND, "between two looks whether that copy has ended") \
    /* This PE */                                                                                  \
    CHANGES(board_again, SHEAF_SECOND, "a wait's words on the status board are renewed so often")  \
    CHANGES(arena_lock_look, SHEAF_MILLISECOND,                                                    \
            "where jobs go on after a death: whether the lock's holder has died, which wakes nobody") \
    CHANGES(first_thread_look, 100 * SHEAF_MILLISECOND,                                            \
            "a first thread that called pthread_exit looks so often whether all others have ended") \
    CHANGES(last_acks, 200 * SHEAF_MILLISECOND,                                                    \
            "shmem_finalize serves acknowledgements of other hosts so long: they take 1 us to 10 ms") \
    CHANGES(snapshot_ask, SHEAF_MILLISECOND,                                                       \
            "PEs ask each other for SHEAF_SNAPSHOT_EVERY about as often, or at each barrier")      \
    /* Chaos: what a seed chooses */                                                               \
    FIXED(chaos_late_most, 30 * SHEAF_MILLISECOND, "SHEAF_CHAOS delays an operation by less")      \
    FIXED(chaos_slow_most, 300 * SHEAF_MILLISECOND / 1000, "and a slow PE before a call by less")  \
    /* Memory of the job (image) */                                                                \
    CHANGES(fork_copy_after, 5 * SHEAF_MILLISECOND,                                                \
            "a child of fork() copies its variables after so long, unless it executes another "    \
            "program: fork() and exec() take 1 ms, more where processors are few")                 \
    CHANGES(barrier_look, 100 * SHEAF_MILLISECOND,                                                 \
            "a PE that waits for others at start looks so often whether one has died")             \
    CHANGES(dying_most, SHEAF_SECOND,                                                              \
            "for a process whose descriptors are closed to count as dead: 1 to 10 ms are usual")   \
    CHANGES(dying_look, SHEAF_MILLISECOND, "between two looks at it")

#define SHEAF_TIMES_FIELD(name, ns, why) uint64_t name;
struct sheaf_times {
    SHEAF_TIMES(SHEAF_TIMES_FIELD, SHEAF_TIMES_FIELD)
};
#undef SHEAF_TIMES_FIELD

extern const struct sheaf_times sheaf_times_defaults;

/* Those in force: the defaults until SHEAF_PACE has been read. */
extern struct sheaf_times sheaf_times;

static inline struct timespec sheaf_times_spec(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
}

/* For poll() and its kin: rounded up. */
static inline int sheaf_times_ms(uint64_t ns)
{
    return (int)((ns + SHEAF_MILLISECOND - 1) / SHEAF_MILLISECOND);
}

#endif

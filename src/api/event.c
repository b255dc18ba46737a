/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names that a program gives to its own phases and figures. The library does nothing with them:
 * tools take the routines' place, as the profile does (docs/do/profiling.md).
 */
#include "api/define.h"

SHEAF_CHAPTER("Events and counters of the program: extensions")

/* An event of the calling PE begins: a phase of the program, by name, of which the first 63 bytes
 * count. A profile sums up how often and for how long there was one, and a trace shows it. Events
 * of other names may lie within it; of the same name the outermost counts. Does nothing without a
 * tool. May be called between initialization and finalization, by any thread. */
SHEAF_EXTENSION(void, event_begin, (const char *name), { (void)name, (void)call; })

/* The event of that name ends. */
SHEAF_EXTENSION(void, event_end, (const char *name), { (void)name, (void)call; })

/* A counter of the program has this value now, on the calling PE. A profile has the least, the mean
 * and the most of all values, and a trace the line. */
SHEAF_EXTENSION(void, event_counter, (const char *name, double value),
                { (void)name, (void)value, (void)call; })

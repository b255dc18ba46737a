/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Giving the processor away, by the clock, and learning from it: what this process knows of the need of
 * others (pace.h) is kept here.
 */
#ifndef SHEAF_BASE_PACE_PROCESSOR_H
#define SHEAF_BASE_PACE_PROCESSOR_H

#include "base/pace/pace.h"

extern struct sheaf_pace sheaf_pace_here;

/* Yields and learns. */
void sheaf_processor_yield(void);

/* Sleeps until descriptor is readable, at most ns, less than a second. Returns whether it is; a nap to its
 * end is learned from, so the thread that calls this wants a small timer slack. */
bool sheaf_processor_nap(int descriptor, uint64_t ns);

/* Sleeps for ns, whatever happens. */
void sheaf_processor_sleep(uint64_t ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * See patience.h.
 */
#include "base/patience.h"

#include "base/atomic.h"
#include "base/clock.h"

#include <sched.h>

/* A turn over TCP is a system call of 0.3 us, an answer takes 10 to 15 us. */
#define LEAST 4
#define MOST  200

/* A yield with nobody to yield to takes 0.3 us. */
#define SOMEBODY_RAN_NS 2000

uint32_t sheaf_patience = MOST;

void sheaf_patience_init(bool crowded)
{
    sheaf_store_relaxed(&sheaf_patience, crowded ? LEAST : 64);
}

/* Interrupts make one yield in ten long: as many short ones outweigh it. */
void sheaf_patience_yield(void)
{
    uint64_t begin = sheaf_clock_ns();
    sched_yield();
    uint32_t patience = sheaf_load_relaxed(&sheaf_patience);
    if (sheaf_clock_ns() - begin > SOMEBODY_RAN_NS)
        patience /= 2;
    else
        patience += patience / 8 + 1;
    patience = patience < LEAST ? LEAST : patience > MOST ? MOST : patience;
    sheaf_store_relaxed(&sheaf_patience, patience);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What rejoin.c and rejoin_far.c both ask of the deaths that the living have met.
 */
#ifndef SHEAF_SURVIVE_REJOIN_INTERNAL_H
#define SHEAF_SURVIVE_REJOIN_INTERNAL_H

#include "survive/failed.h"

/* Whether for each dead PE a process has been asked for, as far as this PE sees. */
static inline bool sheaf_rejoin_all_are_wanted(void)
{
    bool all = true;
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        all &= sheaf_failure_presence(pe) != SHEAF_PE_DEAD;
    return all;
}

/* The lowest that lives by then. */
static inline int sheaf_rejoin_leader(const struct sheaf_team *world, uint32_t deaths)
{
    int rank = 0;
    while (sheaf_failed_by(world, rank, deaths))
        rank++;
    return rank;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * See living.h.
 */
#include "survive/living.h"

#include "survive/agree/agreement.h"
#include "survive/failed.h"

void sheaf_living_enter(void)
{
    uint64_t nothing = 0;
    if (!sheaf_agreement_of_living(&nothing))
        sheaf_failure_raise();
}

void sheaf_living_barrier(void)
{
    uint64_t nothing = 0;
    sheaf_agreement_of_living(&nothing);
}

bool sheaf_living_any_refuses(bool refuses)
{
    uint64_t all_accept = !refuses;
    sheaf_agreement_of_living(&all_accept);
    return !(all_accept & 1);
}

void sheaf_living_enter_team(struct sheaf_team *team)
{
    if (sheaf_failed_has(team))
        sheaf_failure_raise();
}

/* A fence of the launcher's may wait for the dead. */
bool sheaf_living_sync_last(void)
{
    sheaf_living_barrier();
    return true;
}

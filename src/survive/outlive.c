/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that outlive deaths. On one host the launcher or a neighbour tells of them, on several each host's
 * agent (boot/replicated_log).
 */
#include "survive/tables.h"

#include "boot/replicated_log/agent_client.h"
#include "survive/failed.h"
#include "survive/living.h"
#include "survive/locks.h"
#include "survive/network.h"
#include "survive/rejoin.h"

static const struct sheaf_address_book book = {sheaf_agent_address, sheaf_agent_note_address,
                                               sheaf_agent_say_address};

static const struct sheaf_address_book *addresses(void)
{
    return sheaf_agent_has_addresses() ? &book : NULL;
}

#define ON_ANY_NUMBER_OF_HOSTS                    \
    .is_respawned = sheaf_is_respawned,           \
    .enter = sheaf_living_enter,                  \
    .barrier = sheaf_living_barrier,              \
    .any_refuses = sheaf_living_any_refuses,      \
    .finish = sheaf_living_enter,                 \
    .enter_team = sheaf_living_enter_team,        \
    .is_dead = sheaf_failed_is_dead,              \
    .set_cleanup = sheaf_failure_set_cleanup,     \
    .is_gone = sheaf_failure_is_gone,             \
    .sync_last = sheaf_living_sync_last

const struct sheaf_survival sheaf_survival_one_host = {
    ON_ANY_NUMBER_OF_HOSTS,
    .locks = &sheaf_locks_owned,
    .prepare_engine = sheaf_survival_prepare_nothing,
    .connect_engine = sheaf_survival_connect_nothing,
};

const struct sheaf_survival sheaf_survival_several_hosts = {
    ON_ANY_NUMBER_OF_HOSTS,
    .heed_far = sheaf_survive_heed_far,
    .locks = &sheaf_locks_in_log,
    .prepare_engine = sheaf_survive_prepare_engine,
    .connect_engine = sheaf_survive_connect_engine,
    .addresses = addresses,
};

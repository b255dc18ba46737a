/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of one host that outlives deaths: the launcher, or a neighbour on the host, tells of them.
 */
#include "survive/tables.h"

#include "survive/failed.h"
#include "survive/living.h"
#include "survive/locks.h"
#include "survive/rejoin.h"

const struct sheaf_survival sheaf_survival_one_host = {
    .is_respawned = sheaf_is_respawned,
    .enter = sheaf_living_enter,
    .barrier = sheaf_living_barrier,
    .any_refuses = sheaf_living_any_refuses,
    .finish = sheaf_living_enter,
    .enter_team = sheaf_living_enter_team,
    .is_dead = sheaf_failed_is_dead,
    .set_cleanup = sheaf_failure_set_cleanup,
    .is_gone = sheaf_failure_is_gone,
    .locks = &sheaf_locks_owned,
    .prepare_engine = sheaf_survival_prepare_nothing,
    .connect_engine = sheaf_survival_connect_nothing,
    .meet_last = sheaf_living_meet_last,
};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of one host that outlives deaths: the launcher, or a neighbour on the host, tells of them.
 */
#include "survive/tables.h"

#include "survive/failed.h"
#include "survive/living.h"
#include "survive/locks.h"

static int prepare_engine(const struct sheaf_engine *engine, struct sheaf_engine_job *job)
{
    (void)engine;
    (void)job;
    return 0;
}

static void connect_engine(void)
{
}

const struct sheaf_survival sheaf_survival_one_host = {
    .enter = sheaf_living_enter,
    .barrier = sheaf_living_barrier,
    .any_refuses = sheaf_living_any_refuses,
    .finish = sheaf_living_enter,
    .enter_team = sheaf_living_enter_team,
    .is_dead = sheaf_failed_is_dead,
    .set_cleanup = sheaf_failure_set_cleanup,
    .is_gone = sheaf_failure_is_gone,
    .locks = &sheaf_locks_owned,
    .prepare_engine = prepare_engine,
    .connect_engine = connect_engine,
    .meet_last = sheaf_living_meet_last,
};

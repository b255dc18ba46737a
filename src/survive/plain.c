/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plain job: the first death ends it, so no call looks for one.
 */
#include "survive/tables.h"

#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "core/team/note.h"
#include "core/team/sync.h"

static void enter(void)
{
}

static void barrier(void)
{
    sheaf_sync(sheaf_team_world());
}

/* On one host PE 0 decides for all, since they share its memory. Two words by turns: PE 0 cannot be two
 * calls ahead. */
static bool pe_0_refuses(bool refuses)
{
    static uint32_t count;
    uint32_t *verdict = &sheaf_control_pe(sheaf_job.control, 0)->heap_verdict[++count & 1];
    if (sheaf_job.pe == 0)
        sheaf_store_relaxed(verdict, count << 1 | refuses);
    barrier();
    return sheaf_load_relaxed(verdict) & 1;
}

static bool any_refuses(bool refuses)
{
    if (!sheaf_job.control)
        return refuses;
    if (!sheaf_network)
        return pe_0_refuses(refuses);
    return sheaf_team_first(sheaf_team_world(), refuses) >= 0;
}

static void enter_team(struct sheaf_team *team)
{
    (void)team;
}

static bool is_dead(struct sheaf_team *team, int rank)
{
    (void)team;
    (void)rank;
    return false;
}

static void set_cleanup(sheaf_survival_cleanup *cleanup)
{
    (void)cleanup;
}

int sheaf_survival_prepare_nothing(const struct sheaf_engine *engine, struct sheaf_engine_job *job)
{
    (void)engine;
    (void)job;
    return 0;
}

void sheaf_survival_connect_nothing(void)
{
}

static bool sync_last(void)
{
    return sheaf_boot_last_fence() == 0;
}

const struct sheaf_survival sheaf_survival_plain = {
    .members_stay = true,
    .is_respawned = sheaf_survival_none_is_respawned,
    .enter = enter,
    .barrier = barrier,
    .any_refuses = any_refuses,
    .finish = barrier,
    .enter_team = enter_team,
    .is_dead = is_dead,
    .set_cleanup = set_cleanup,
    .is_gone = sheaf_survival_none_is_gone,
    .prepare_engine = sheaf_survival_prepare_nothing,
    .connect_engine = sheaf_survival_connect_nothing,
    .sync_last = sync_last,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * See failed.h.
 */
#include "survive/failed.h"

#include "base/log.h"
#include "core/pe/network.h"
#include "core/pe/wait.h"
#include "core/team/multinode.h"
#include "core/team/tag.h"

#include <stdlib.h>

static void lose(struct sheaf_team *team, int rank, uint32_t number)
{
    if (!team->dead)
        team->dead = calloc((size_t)team->size, sizeof *team->dead);
    if (!team->dead)
        sheaf_fatal("SH301 no memory for the dead of a team of %d PEs", team->size);
    if (team->dead[rank] != 0)
        return;
    team->dead[rank] = number;
    team->lost++;
}

static int rank_of(const struct sheaf_team *team, int pe)
{
    int rank = team->size - 1;
    while (rank >= 0 && sheaf_team_world_pe(team, rank) != pe)
        rank--;
    return rank;
}

static void hear(struct sheaf_team *team)
{
    uint32_t now = sheaf_failure_count();
    for (uint32_t number = team->heard + 1; number <= now; number++) {
        int rank = number > team->born ? rank_of(team, sheaf_failure_pe(number)) : -1;
        if (rank >= 0)
            lose(team, rank, number);
    }
    team->heard = now;
}

bool sheaf_failed_has(struct sheaf_team *team)
{
    if (team->parent_team)
        team = team->parent_team;
    if (sheaf_failure_count() != team->heard)
        hear(team);
    return team->lost != 0;
}

bool sheaf_failed_is_dead(struct sheaf_team *team, int rank)
{
    return sheaf_failed_has(team) && team->dead[rank] != 0;
}

int sheaf_failed_count_by(const struct sheaf_team *team, uint32_t deaths)
{
    int count = 0;
    for (int rank = 0; team->dead && rank < team->size; rank++)
        count += sheaf_failed_by(team, rank, deaths);
    return count;
}

#define ANY_SENDER ((UINT64_C(1) << SHEAF_TAG_PE_BITS) - 1)

/* Messages of the collective that is left. */
static void abandon(const struct sheaf_wait *wait)
{
    const struct sheaf_team *team = wait->object;
    if (wait->kind != SHEAF_WAIT_COLLECTIVE || !sheaf_network)
        return;
    if (team->parent_team)
        team = team->parent_team;
    if (team->multinode)
        sheaf_network->abandon(team->multinode->tag, ANY_SENDER);
}

/* A lock's wait looks after dead holders by itself. A variable may be anybody's to change. Far
 * operations on the dead end, and whoever waits for them looks then. */
static void heed(struct sheaf_wait *wait)
{
    struct sheaf_team *team = (struct sheaf_team *)(uintptr_t)wait->object;
    if (sheaf_network)
        sheaf_network->forget_dead();
    bool is_lost = (wait->kind == SHEAF_WAIT_COLLECTIVE && team && sheaf_failed_has(team)) ||
                   (wait->kind == SHEAF_WAIT_VARIABLE && sheaf_failure_is_news());
    if (!is_lost)
        return;
    sheaf_wait_leave(wait);
    abandon(wait);
    sheaf_failure_raise();
}

void sheaf_failed_init(void)
{
    if (sheaf_failure_is_reported)
        sheaf_wait_watch_deaths(&sheaf_job.control->deaths, heed);
}

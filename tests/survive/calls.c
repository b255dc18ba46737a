/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every call of shmemx_ft.h in a job of which nobody dies: it returns, on all PEs, and says so.
 */
#include "check.h"

#include <shmemx_ft.h>

static void never(void *unused)
{
    (void)unused;
    CHECK(!"somebody has died");
}

static void team_calls(shmem_team_t team)
{
    shmem_team_t shrunk;
    uint64_t flags = ~(uint64_t)shmem_team_my_pe(team);
    CHECK_EQ(shmemx_agree(team, &flags), 0);
    CHECK(shmem_team_n_pes(team) < 2 || !(flags & 1));
    CHECK_EQ(shmemx_team_shrink(team, &shrunk), 0);
    CHECK_EQ(shmem_team_n_pes(shrunk), shmem_team_n_pes(team));
    CHECK_EQ(shmem_team_my_pe(shrunk), shmem_team_my_pe(team));
    shmem_team_sync(shrunk);
    shmem_team_destroy(shrunk);
}

int main(void)
{
    static long lock, mine;
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes(), list[64];
    shmem_team_t half;
    shmemx_on_failure(never, NULL);
    CHECK_EQ(shmemx_is_respawned(), 0);
    CHECK_EQ(shmemx_failed_pes(list), 0);
    CHECK_EQ(shmemx_failed_pes(NULL), 0);
    CHECK_EQ(shmemx_pe_status(pes), -1);
    for (int pe = 0; pe < pes; pe++)
        CHECK_EQ(shmemx_pe_status(pe), SHMEMX_PE_ALIVE);
    team_calls(SHMEM_TEAM_WORLD);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &half);
    if (half != SHMEM_TEAM_INVALID)
        team_calls(half);
    team_calls(SHMEM_TEAM_SHARED);
    shmem_set_lock(&lock);
    CHECK_EQ(shmemx_lock_inherited(&lock), -1);
    shmem_clear_lock(&lock);
    CHECK(shmemx_respawn(me) != 0);
    CHECK(shmemx_respawn(pes) != 0);
    CHECK_EQ(shmemx_rejoin(), 0);
    CHECK_EQ(shmemx_rejoin(), 0);
    CHECK(shmemx_local_address(&mine, me) == &mine);
    CHECK(shmemx_local_address(NULL, me) == NULL);
    team_calls(SHMEM_TEAM_WORLD);
    shmemx_on_failure(NULL, NULL);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE leaves of a team that has lost its leader is nothing of the team that the new process in the leader's
 * place makes with the same members; nor is it of an active set. Four PEs on three hosts, aabc: PE 1 leads, PE 2 has
 * sent to PE 3, which has not come, when PE 1 dies. In the new team PE 3 comes first, and waits for PE 2. Argument:
 * team or set. PE 0 says when all is well: some launchers do not tell that a PE has failed.
 */
#include "check.h"

#include <shmemx_ft.h>

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static long pSync[SHMEM_BARRIER_SYNC_SIZE];
static long has_come; /* on PE 3: PE 2 has, to the meeting of after */
static sigjmp_buf out;

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static void meet(void)
{
    do
        shmemx_respawn(1);
    while (shmemx_rejoin() != 0);
}

static bool is_member(void)
{
    return shmem_my_pe() > 0;
}

/* By name: of the team, or of the same PEs as an active set. */
static void meet_members(const char *what, shmem_team_t team)
{
    if (what[0] == 't')
        shmem_team_sync(team);
    else
        shmem_barrier(1, 0, 3, pSync);
}

int main(int argc, char **argv)
{
    static const char *what; /* of the stack, siglongjmp might lose it */
    what = argc > 1 ? argv[1] : "team";
    shmem_team_t team;
    shmem_init();
    shmemx_on_failure(leave, NULL);
    if (!shmemx_is_respawned()) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 3, NULL, 0, &team);
        shmem_barrier_all();
        if (shmem_my_pe() == 1) {
            usleep(300000);
            raise(SIGKILL);
        }
        if (sigsetjmp(out, 0) == 0) {
            if (shmem_my_pe() == 2)
                meet_members(what, team);
            while (shmemx_failed_pes(NULL) == 0)
                usleep(1000);
        }
    }
    meet();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 3, NULL, 0, &team);
    if (shmem_my_pe() == 2) {
        usleep(300000);
        shmem_long_atomic_set(&has_come, 1, 3);
        shmem_quiet();
    }
    if (is_member())
        meet_members(what, team);
    if (shmem_my_pe() == 3)
        CHECK_EQ(shmem_long_atomic_fetch(&has_come, 3), 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("all have met\n");
    return test_finish();
}

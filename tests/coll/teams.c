/* SPDX-License-Identifier: BSD-3-Clause
 * See teams.h.
 */
#include "teams.h"

static struct group describe(const char *name, shmem_team_t team)
{
    CHECK(team != SHMEM_TEAM_INVALID);
    return (struct group){name, team, shmem_team_my_pe(team), shmem_team_n_pes(team)};
}

static shmem_team_t split(int start, int stride, int size)
{
    shmem_team_t team;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team), 0);
    return team;
}

void groups_make(struct group groups[GROUPS])
{
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_team_t backwards = split(npes - 1, -1, npes);
    shmem_team_t alternate = split(0, 2, (npes + 1) / 2);
    shmem_team_t alone = SHMEM_TEAM_INVALID;
    if (npes > 1) {
        shmem_team_t odd = split(1, 2, npes / 2);
        if (me % 2)
            alternate = odd;
    }
    for (int pe = 0; pe < npes; pe++) {
        shmem_team_t single = split(pe, 1, 1);
        if (pe == me)
            alone = single;
    }
    groups[0] = describe("world", SHMEM_TEAM_WORLD);
    groups[1] = describe("backwards", backwards);
    groups[2] = describe("alternate", alternate);
    groups[3] = describe("alone", alone);
}

void groups_destroy(struct group groups[GROUPS])
{
    for (int i = 1; i < GROUPS; i++)
        shmem_team_destroy(groups[i].team);
}

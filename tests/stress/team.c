/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams drawn at random, with the list of members that the model expects.
 */
#include "stress.h"

static int rank_in(const struct stress_team *team)
{
    for (int rank = 0; rank < team->size; rank++)
        if (team->pes[rank] == stress.me)
            return rank;
    return -1;
}

/* The library must agree with the model about size, rank and every member. */
static void check_members(struct stress_team *team)
{
    team->rank = rank_in(team);
    STRESS_CHECK((team->handle == SHMEM_TEAM_INVALID) == (team->rank < 0),
                 "%s: member or not: rank %d", team->kind, team->rank);
    STRESS_CHECK(shmem_team_my_pe(team->handle) == team->rank, "%s: rank %d, expected %d",
                 team->kind, shmem_team_my_pe(team->handle), team->rank);
    if (team->rank < 0)
        return;
    STRESS_CHECK(shmem_team_n_pes(team->handle) == team->size, "%s: size", team->kind);
    for (int rank = 0; rank < team->size; rank++)
        STRESS_CHECK(shmem_team_translate_pe(team->handle, rank, SHMEM_TEAM_WORLD) ==
                         team->pes[rank], "%s: member %d", team->kind, rank);
}

void stress_team_world(struct stress_team *team)
{
    team->handle = SHMEM_TEAM_WORLD;
    team->size = stress.npes;
    for (int pe = 0; pe < stress.npes; pe++)
        team->pes[pe] = pe;
    snprintf(team->kind, sizeof team->kind, "world");
    check_members(team);
}

/* Members of parent, start + i * stride, i below size; size is at least 1. */
static void split_strided(const struct stress_team *parent, struct stress_team *team)
{
    int start = (int)draw((uint64_t)parent->size);
    int stride = (int)draw(3) + 1;
    if (draw(2))
        stride = -stride;
    int most = stride > 0 ? (parent->size - 1 - start) / stride + 1 : start / -stride + 1;
    team->size = 1 + (int)draw((uint64_t)most);
    for (int i = 0; i < team->size; i++)
        team->pes[i] = parent->pes[start + i * stride];
    snprintf(team->kind, sizeof team->kind, "split %d:%d:%d", start, stride, team->size);
    team->handle = SHMEM_TEAM_INVALID;
    if (parent->rank >= 0)
        STRESS_CHECK(shmem_team_split_strided(parent->handle, start, stride, team->size, NULL, 0,
                                              &team->handle) == 0, "%s failed", team->kind);
}

/* Of the two teams that a 2d split makes, keeps the row or the column of this PE. Every PE keeps
 * one, so the list of members differs from PE to PE: the first member is what names the team. */
static void split_2d(const struct stress_team *world, struct stress_team *team)
{
    int xrange = 1 + (int)draw((uint64_t)world->size);
    int keep_row = (int)draw(2);
    int x = world->rank % xrange, y = world->rank / xrange;
    shmem_team_t row, column;
    STRESS_CHECK(shmem_team_split_2d(world->handle, xrange, NULL, 0, &row, NULL, 0, &column) == 0,
                 "2d split of %d failed", xrange);
    team->size = 0;
    for (int pe = 0; pe < world->size; pe++)
        if (keep_row ? pe / xrange == y : pe % xrange == x)
            team->pes[team->size++] = world->pes[pe];
    team->handle = keep_row ? row : column;
    snprintf(team->kind, sizeof team->kind, "%s of 2d %d", keep_row ? "row" : "column", xrange);
    shmem_team_destroy(keep_row ? column : row);
}

void stress_team_create(struct stress_team *team)
{
    struct stress_team world, middle;
    stress_team_world(&world);
    uint64_t kind = draw(5);
    if (kind == 0) {
        *team = world;
        return;
    }
    if (kind == 1) {
        split_2d(&world, team);
    } else if (kind == 2) {
        split_strided(&world, &middle);
        check_members(&middle);
        split_strided(&middle, team);
        shmem_team_destroy(middle.handle);
    } else {
        split_strided(&world, team);
    }
    check_members(team);
}

void stress_team_destroy(struct stress_team *team)
{
    if (team->handle != SHMEM_TEAM_WORLD)
        shmem_team_destroy(team->handle);
    team->handle = SHMEM_TEAM_INVALID;
}

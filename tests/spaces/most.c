/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As many memory spaces as a PE may have: the ones beyond are refused on all members, also where only one
 * of them has no place left, and all others go on. A place that is given back serves again.
 */
#include "check.h"

#include <shmemx.h>

#define MOST  62 /* docs/do/spaces.md */
#define BYTES 4096

static int me, npes, next, before;
static shmemx_space_t spaces[MOST];
static long *words[MOST];

static long value_of(int pe, int which)
{
    return 1000L * which + pe + 1;
}

static void make(int which)
{
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", BYTES, &spaces[which]), 0);
    words[which] = shmemx_space_calloc(spaces[which], 2, sizeof *words[which]);
    CHECK(words[which]);
    shmem_long_p(&words[which][0], value_of(me, which), next);
}

static void check_refused(shmem_team_t team)
{
    shmemx_space_t space;
    CHECK(shmemx_space_create(team, "default", BYTES, &space) != 0);
    CHECK(space == SHMEMX_SPACE_INVALID);
}

/* What was put when each was made is there; each PE adds one to its neighbour's second word. */
static void check_all(long rounds)
{
    shmem_barrier_all();
    for (int which = 0; which < MOST; which++) {
        CHECK_EQ(words[which][0], value_of(before, which));
        shmem_long_atomic_inc(&words[which][1], next);
    }
    shmem_barrier_all();
    for (int which = 0; which < MOST; which++)
        CHECK_EQ(shmem_long_g(&words[which][1], next), rounds);
    shmem_barrier_all();
}

/* The last place of PE 0 alone is taken: then no space of all can be made. */
static void check_one_full(void)
{
    shmem_team_t alone;
    shmemx_space_t space = SHMEMX_SPACE_INVALID;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &alone), 0);
    if (me == 0)
        CHECK_EQ(shmemx_space_create(alone, "default", BYTES, &space), 0);
    check_refused(SHMEM_TEAM_WORLD);
    if (me == 0)
        shmemx_space_destroy(space);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    before = (me + npes - 1) % npes;
    for (int which = 0; which < MOST; which++)
        make(which);
    check_refused(SHMEM_TEAM_WORLD);
    check_refused(SHMEM_TEAM_WORLD);
    check_all(1);
    shmemx_space_destroy(spaces[MOST / 2]);
    check_one_full();
    make(MOST / 2);
    check_refused(SHMEM_TEAM_WORLD);
    shmem_long_p(&words[MOST / 2][1], 1, next);
    check_all(2);
    if (me == 0)
        printf("%d spaces go on\n", MOST);
    return test_finish();
}

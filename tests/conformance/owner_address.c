/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The address of a symmetric object as each PE has it: of the heap, static data, constants and a memory
 * space; what has none; and the way back. Every PE tells the others where its own copies lie.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

#define MOST 64
#define OBJECTS 6

static long variable[4];
static int initialized = 5;
static const double constant[] = {1.5, 2.5};

static int me, npes;

static void check_object(const char *mine, const char *theirs, int pe)
{
    CHECK(shmemx_owner_address(mine, pe) == theirs);
    CHECK(shmemx_local_address(theirs, pe) == mine);
}

static void check_all_pes(void *const *mine)
{
    static void *all[MOST][OBJECTS];
    CHECK(npes <= MOST);
    CHECK_EQ(shmemx_team_exchange(SHMEM_TEAM_WORLD, mine, OBJECTS * sizeof *mine, all), 0);
    for (int pe = 0; pe < npes; pe++)
        for (int i = 0; i < OBJECTS; i++)
            check_object(mine[i], all[pe][i], pe);
}

/* Addresses that are symmetric nowhere, and PEs that are none. */
static void check_refusals(long *block)
{
    long local = 0;
    void *private = malloc(8);
    for (int pe = 0; pe < npes; pe++)
        CHECK(!shmemx_owner_address(&local, pe) && !shmemx_owner_address(private, pe) &&
              !shmemx_owner_address(NULL, pe) && !shmemx_local_address(NULL, pe));
    /* The number of a private address may be that of another PE's heap. */
    CHECK(!shmemx_local_address(&local, me) && !shmemx_local_address(private, me));
    CHECK(shmemx_owner_address(block, -1) == NULL && shmemx_owner_address(block, npes) == NULL);
    CHECK(shmemx_local_address(block, -1) == NULL && shmemx_local_address(block, npes) == NULL);
    free(private);
}

/* A space of the PEs with an even number: the others have no copy. */
static void check_part(void)
{
    shmem_team_t even;
    shmemx_space_t space = SHMEMX_SPACE_INVALID;
    int size = (npes + 1) / 2;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, npes > 1 ? 2 : 1, size, NULL, 0, &even);
    if (even == SHMEM_TEAM_INVALID)
        return;
    CHECK_EQ(shmemx_space_create(even, "default", 65536, &space), 0);
    char *mine = shmemx_space_malloc(space, 100);
    for (int pe = 0; pe < npes; pe++) {
        char *theirs = shmemx_owner_address(mine + 7, pe);
        CHECK((theirs != NULL) == (pe % 2 == 0));
        CHECK(theirs == NULL || shmemx_local_address(theirs, pe) == mine + 7);
    }
    shmemx_space_destroy(space);
    CHECK(shmemx_owner_address(mine, 0) == NULL);
    shmem_team_destroy(even);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    shmemx_space_t space;
    char *block = shmem_malloc(1000);
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 1 << 20, &space), 0);
    char *inside = shmemx_space_malloc(space, 1000);
    void *mine[OBJECTS] = {block, block + 999, &variable[3], &initialized, (void *)(uintptr_t)&constant[1],
                           inside + 500};
    check_all_pes(mine);
    check_refusals((long *)block);
    check_part();
    shmem_barrier_all();
    shmemx_space_destroy(space);
    shmem_free(block);
    return test_finish();
}

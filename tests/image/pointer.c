/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_ptr on static data and on the heap: never null on a node, good for loads and stores in
 * both directions, the local address itself for the own PE.
 */
#include "check.h"

#define CELLS 600

static long in_bss[CELLS];
static long in_data[CELLS] = {-1};

static void check_both_ways(long *cells, int me, int npes)
{
    for (int pe = 0; pe < npes; pe++) {
        long *theirs = shmem_ptr(cells, pe);
        CHECK(theirs != NULL);
        CHECK(shmem_ptr(&cells[CELLS - 1], pe) == &theirs[CELLS - 1]);
        CHECK(pe != me || theirs == cells);
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, cells, pe) == theirs);
        theirs[me] = 100 * me + pe;
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        CHECK_EQ(cells[pe], 100 * pe + me);
        long *theirs = shmem_ptr(cells, pe);
        for (int i = 0; i < npes; i++)
            CHECK_EQ(theirs[i], 100 * i + pe);
    }
    shmem_barrier_all();
    shmem_long_p(&cells[npes], me, (me + 1) % npes);
    __atomic_fetch_add((long *)shmem_ptr(&cells[npes + 1], 0), me + 1, __ATOMIC_SEQ_CST);
    shmem_long_atomic_add(&cells[npes + 1], 1, 0);
    shmem_barrier_all();
    CHECK_EQ(*(long *)shmem_ptr(&cells[npes], (me + 1) % npes), me);
    CHECK_EQ(*(long *)shmem_ptr(&cells[npes + 1], 0), npes * (npes + 1) / 2 + npes);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK(npes + 2 < CELLS);
    check_both_ways(in_bss, me, npes);
    check_both_ways(in_data, me, npes);
    long *heap = shmem_calloc(CELLS, sizeof *heap);
    char *far_block = shmem_malloc((size_t)64 << 20);
    CHECK(heap && far_block);
    check_both_ways(heap, me, npes);
    for (int pe = 0; pe < npes; pe++)
        CHECK((char *)shmem_ptr(far_block + (64 << 20) - 1, pe) - (char *)shmem_ptr(heap, pe) ==
              far_block + (64 << 20) - 1 - (char *)heap);
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, heap, 0) == NULL);
    return test_finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: teams {0,1,2} and {1,2,3}: a sync of the first says nothing to PE 3.
 */
#include <shmem.h>
static int slot;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_team_t low, high;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 3, NULL, 0, &low);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 3, NULL, 0, &high);
    if (me == 0) {
        shmem_int_p(&slot, 5, 3); /* race */
        shmem_quiet();
    }
    if (low != SHMEM_TEAM_INVALID) shmem_team_sync(low);
#ifndef RACY
    if (high != SHMEM_TEAM_INVALID) shmem_team_sync(high);
#endif
    int v = 0;
    if (me == 3)
        v = slot; /* race */
    shmem_barrier_all();
    if (low != SHMEM_TEAM_INVALID) shmem_team_destroy(low);
    if (high != SHMEM_TEAM_INVALID) shmem_team_destroy(high);
    shmem_finalize();
    return v == 1;
}
